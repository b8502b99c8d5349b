// Who decides, on a command line, what the policy asks for.
import { createInterface } from "node:readline/promises";
import { safeLine } from "../errors/safe-text.js";
import type { ToolCallHook } from "../executor/hook.js";
import type { ApprovalRequest } from "../guards/approval-guard.js";
import type { PolicyDecision } from "../guards/policy.js";
import { shownArguments } from "../hosts/mcp/serve/approval-form.js";
import { resolveHints } from "../tools/annotations.js";
import { UsageError } from "./exit.js";

const MODES = ["ask", "read-only", "all", "none"] as const;
export type ApprovalMode = (typeof MODES)[number];

export function approvalMode(given: string | undefined): ApprovalMode {
  if (given === undefined) return process.stdin.isTTY === true ? "ask" : "none";
  if ((MODES as readonly string[]).includes(given)) return given as ApprovalMode; // one of them
  throw new UsageError(`--approve takes one of ${MODES.join(", ")}; it is ${JSON.stringify(given)}.`);
}

export interface CommandApprovals {
  readonly confirm: (
    request: ApprovalRequest,
    decision: PolicyDecision,
  ) => boolean | undefined | Promise<boolean | undefined>;
  /** Refuses more than the policy does. */
  readonly hook?: ToolCallHook;
}

export interface ApprovalsOptions {
  /** Draws nothing while a person is asked. */
  readonly pause: () => () => void;
  /** Calls that need no person although they claim to write: the root call that the user asked for in so many words. */
  readonly isFree?: (toolName: string) => boolean;
}

export function commandApprovals(
  mode: ApprovalMode,
  { pause, isFree = () => false }: ApprovalsOptions,
): CommandApprovals {
  if (mode === "all") return { confirm: () => true };
  if (mode === "none") return { confirm: () => undefined };
  if (mode === "read-only") {
    return {
      confirm: () => undefined,
      hook: ({ toolName, tool }) => {
        if (isFree(toolName) || resolveHints(tool.annotations).readOnlyHint) return undefined;
        return { block: true, reason: `${toolName} does not claim to be read-only, and --approve read-only is given` };
      },
    };
  }
  const terminal = new Terminal(pause);
  return { confirm: (request, decision) => terminal.ask(request, decision) };
}

/** One question after another. */
class Terminal {
  readonly #pause: () => () => void;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(pause: () => () => void) {
    this.#pause = pause;
  }

  ask(request: ApprovalRequest, decision: PolicyDecision): Promise<boolean | undefined> {
    const answer = this.#last.then(() => (request.signal.aborted ? false : this.#askNow(request, decision)));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #askNow(request: ApprovalRequest, decision: PolicyDecision): Promise<boolean | undefined> {
    if (this.#isClosed) return undefined;
    const question = questionOf(request, decision);
    const resume = this.#pause();
    const reader = createInterface({ input: process.stdin, output: process.stderr });
    const closed = new Promise<undefined>((resolve) => reader.once("close", () => resolve(undefined)));
    // readline takes Ctrl-C for itself.
    reader.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    try {
      const asked = reader.question(question, { signal: request.signal });
      const answer = await Promise.race([asked.catch(() => ""), closed]);
      if (answer === undefined) this.#isClosed = true;
      return answer === undefined ? undefined : /^\s*y(es)?\s*$/i.test(answer);
    } finally {
      reader.close();
      resume();
    }
  }
}

function questionOf({ toolName, arguments: args }: ApprovalRequest, { reason }: PolicyDecision): string {
  return `\nMay ${safeLine(toolName)} run? ${safeLine(reason)}.\n${shownArguments(args)}\nRun it? [y/N] `;
}
