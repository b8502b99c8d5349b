// A model that says what the test wrote down: each step is one message with its calls.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { BatchOutcome } from "../executor/batch-outcome.js";
import type { Executor } from "../executor/create-executor.js";
import type { BatchCall } from "../executor/run-batch.js";
import type { ToolExecutionProgressEvent } from "../executor/tool-execution-event.js";

/** The calls of one message, or a function that makes them from what came before; no calls end the script. */
export type ScriptedStep =
  | readonly BatchCall[]
  | ((earlier: readonly BatchOutcome[]) => readonly BatchCall[] | Promise<readonly BatchCall[]>);

export interface ScriptedRun {
  /** One for each message that had calls. */
  readonly batches: readonly BatchOutcome[];
  /** Everything that `subscribe` delivered while the script ran. */
  readonly events: readonly ToolExecutionProgressEvent[];
  /** Why it ended: the steps were used up, a message had no calls, or a batch agreed to terminate. */
  readonly stopped: "end" | "no calls" | "terminated";
}

/** Runs the steps one after another, as an agent's loop would, and stops where such a loop would stop. */
export async function runScriptedHost(
  executor: Pick<Executor, "executeBatch" | "subscribe">,
  steps: readonly ScriptedStep[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<ScriptedRun> {
  if (typeof executor?.executeBatch !== "function") throw wrong("an executor first", executor);
  if (!Array.isArray(steps)) throw wrong("a list of steps second", steps);
  const batches: BatchOutcome[] = [];
  const events: ToolExecutionProgressEvent[] = [];
  const stopListening = executor.subscribe((event) => void events.push(event));
  try {
    for (const step of steps) {
      const calls = typeof step === "function" ? await step(batches) : step;
      if (!Array.isArray(calls)) throw wrong("lists of calls as steps", calls);
      if (calls.length === 0) return { batches, events, stopped: "no calls" };
      const batch = await executor.executeBatch(calls, options);
      batches.push(batch);
      if (batch.terminate) return { batches, events, stopped: "terminated" };
    }
    return { batches, events, stopped: "end" };
  } finally {
    stopListening();
  }
}

function wrong(wanted: string, value: unknown): NestcallError {
  return new NestcallError(
    ErrorCode.INVALID_ARGUMENTS,
    `runScriptedHost takes ${wanted}, not ${describeValue(value)}.`,
  );
}
