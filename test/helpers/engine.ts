// Small tools, and readers of what came back, for tests of the engine. It keeps no state.
import {
  defineTool,
  type Executor,
  NestcallError,
  type Tool,
  type ToolCallOutcome,
  type ToolContext,
  type ToolExecutionProgressEvent,
  Type,
} from "nestcall";

export type Data = Record<string, unknown>;
export type Execute = (args: Data, ctx: ToolContext) => unknown;

/** A tool with an open empty schema; `more` overrides any part of the definition. */
export function tool(name: string, execute: Execute, more: Data = {}): Tool {
  const definition = { name, description: `The test tool ${name}.`, inputSchema: Type.Object({}), execute, ...more };
  return defineTool(definition as never) as unknown as Tool; // definitions are put together at run time here
}

/** A definition with nothing wrong in it. */
export const GOOD = {
  name: "good_name",
  description: "A test tool.",
  inputSchema: Type.Object({}),
  execute: () => "ran",
};

/** The good definition with these fields instead. */
export function define(fields: Data): Tool {
  return defineTool({ ...GOOD, ...fields } as never) as unknown as Tool; // definitions are put together at run time here
}

/** What the refusal of that definition says. */
export function refusal(fields: Data): string {
  try {
    define(fields);
  } catch (error) {
    if (error instanceof NestcallError && error.code === "INVALID_TOOL") return error.message;
    throw error;
  }
  throw new Error("the definition was accepted");
}

/** A tool that makes these calls one after another and keeps what each gave. */
export function caller(
  name: string,
  calls: readonly (readonly [target: unknown, args?: unknown])[],
  outcomes: ToolCallOutcome[] = [],
  more: Data = {},
): Tool {
  const execute: Execute = async (_args, ctx) => {
    for (const [target, args] of calls) outcomes.push(await ctx.executeTool(target as string, args));
  };
  return tool(name, execute, more);
}

/** An object schema that takes these keys only. */
export function closed(properties: Data): object {
  return Type.Object(properties as never, { additionalProperties: false });
}

/** The item at `index`; fails the test when there is none. */
export function at<T>(items: readonly T[] | undefined, index: number): T {
  const item = items?.[index];
  if (item === undefined) throw new Error(`there is no item ${index} in a list of ${items?.length ?? "nothing"}`);
  return item;
}

/** The text that the model reads. */
export function textOf({ result }: Pick<ToolCallOutcome, "result">): string {
  return result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** `ok`, or the code of the error. */
export function endOf({ isError, error }: ToolCallOutcome): string {
  return isError ? (error?.code ?? "an error without a code") : "ok";
}

/** Every event from now on. */
export function eventsOf(executor: Executor): ToolExecutionProgressEvent[] {
  const events: ToolExecutionProgressEvent[] = [];
  executor.subscribe((event) => void events.push(event));
  return events;
}

/** `start T`, `end T/1`, … */
export function brief(events: readonly ToolExecutionProgressEvent[]): string[] {
  return events.map((event) => `${event.type.replace("tool_execution_", "")} ${event.toolCallId}`);
}

/** Rejects with the signal's reason when it aborts; a tool that obeys its signal. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** Arguments `{ s }` whose compact JSON has exactly `bytes` bytes (at least 8). */
export function argumentsOf(bytes: number): { readonly s: string } {
  return { s: "a".repeat(bytes - 8) };
}
