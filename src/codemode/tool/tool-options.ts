// What `createCodemodeTool` takes, checked, with the defaults set once.
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import { MODEL_TEXT_LIMITS, type TextLimits } from "../../file-tools/truncate-text.js";
import { closestNames } from "../../tools/closest-names.js";
import type { ToolContext } from "../../tools/tool.js";
import type { ToolSession } from "../../tools/tool-session.js";
import { type CodemodeLimits, DEFAULT_LIMITS, withLimits } from "../limits.js";
import type { CodemodeJournal, CodemodeRun, CodemodeRunOptions } from "../run-types.js";
import type { ConfirmInDoubt } from "./make-call.js";
import type { CodemodeStore } from "./script-store.js";
import type { DescriptionBudget } from "./tool-description.js";

/** A call of the tool, as the host is asked for its journal or its store. */
export interface CodemodeToolCall {
  /** The tool's own call; the script's calls are `<toolCallId>/<n>`. */
  readonly toolCallId: string;
  readonly code: string;
  readonly host: ToolContext["host"];
  /** Whose call it is; `session.identity()` says for which user. A new view for each call, of the same session. */
  readonly session: ToolSession;
}

export interface CodemodeToolOptions {
  /** Where scripts run; one for the process is enough. The tool does not close it. */
  readonly runtime: { run(source: string, options: CodemodeRunOptions): Promise<CodemodeRun> };
  /** The engine through which scripts call, and whose tools they can reach. */
  readonly executor: Pick<Executor, "registry">;
  /** Default `codemode`. */
  readonly name?: string | undefined;
  /** Limits of each script, within those of the runtime. */
  readonly limits?: Partial<CodemodeLimits> | undefined;
  /** Tokens of all declarations in the description, estimated at four characters each. Default 4,000. */
  readonly budgetTokens?: number | undefined;
  /** Tokens of one tool's declaration. Default 400. */
  readonly toolBudgetTokens?: number | undefined;
  /** How much text the model gets of a script, in bytes of UTF-8. Default 51,200. Lines are limited to 2,000. */
  readonly maxResultBytes?: number | undefined;
  /** Where complete outputs and images go. Made when it is first needed, for this user only. Default: a new name in the system's temporary folder. */
  readonly outputFolder?: string | undefined;
  /**
   * Where `store` and `load` keep values. Default: in memory, for as long as the session of the call lives; calls without a
   * session share one. One store that is given here is shared by all sessions; a function can tell them apart by
   * `call.session.identity()`.
   */
  readonly store?: CodemodeStore | ((call: CodemodeToolCall) => CodemodeStore) | undefined;
  /** The journal of a call: what is in it is replayed, the rest of the script is added. Without it nothing is recorded. */
  readonly journal?:
    | ((call: CodemodeToolCall) => CodemodeJournal | undefined | Promise<CodemodeJournal | undefined>)
    | undefined;
  /** Asked about a recorded call without result whose tool is not idempotent; without it such a call is refused. */
  readonly confirmInDoubt?: ConfirmInDoubt | undefined;
}

/** The same, checked. */
export interface CheckedToolOptions {
  readonly name: string;
  readonly declarations: DescriptionBudget;
  readonly text: TextLimits;
  /** Absolute. */
  readonly outputFolder: string;
}

const OPTION_NAMES = [
  ...["runtime", "executor", "name", "limits", "budgetTokens", "toolBudgetTokens", "maxResultBytes"],
  ...["outputFolder", "store", "journal", "confirmInDoubt"],
];

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function checkToolOptions(given: unknown): CheckedToolOptions {
  if (typeof given !== "object" || given === null) throw wrong("options", given, "an object");
  for (const name of Object.keys(given)) if (!OPTION_NAMES.includes(name)) throw unknownOption(name);
  const options = given as { readonly [option: string]: unknown };
  const { runtime, executor, store, outputFolder } = options;
  if (!hasFunction(runtime, "run")) throw wrong("options.runtime", runtime, "what createCodemodeRuntime gives");
  const registry = (executor as { readonly registry?: unknown } | null | undefined)?.registry;
  if (!hasFunction(registry, "forSession")) throw wrong("options.executor", executor, "what createExecutor gives");
  for (const name of ["journal", "confirmInDoubt"]) {
    if (options[name] !== undefined && typeof options[name] !== "function") {
      throw wrong(`options.${name}`, options[name], "a function");
    }
  }
  withLimits(DEFAULT_LIMITS, options.limits as Partial<CodemodeLimits> | undefined); // a wrong one shall not wait for a call
  if (store !== undefined && typeof store !== "function" && !isStore(store)) {
    throw wrong("options.store", store, "a Map, an object with entries, set and delete, or a function that gives one");
  }
  return Object.freeze({
    name: options.name === undefined ? "codemode" : (options.name as string), // defineTool checks it
    declarations: {
      budgetTokens: countOf("budgetTokens", options.budgetTokens, 4_000),
      toolBudgetTokens: countOf("toolBudgetTokens", options.toolBudgetTokens, 400),
    },
    text: {
      ...MODEL_TEXT_LIMITS,
      maxBytes: countOf("maxResultBytes", options.maxResultBytes, MODEL_TEXT_LIMITS.maxBytes),
    },
    outputFolder:
      outputFolder === undefined
        ? join(tmpdir(), `nestcall-${randomBytes(8).toString("hex")}`) // a name that nobody can have taken before us
        : resolve(folderOf(outputFolder)),
  });
}

/** The store of this call: the host's, or the session's own. */
export function storeOf(
  given: CodemodeToolOptions["store"],
  call: CodemodeToolCall,
  own: () => CodemodeStore,
): CodemodeStore {
  if (given === undefined) return own();
  if (typeof given !== "function") return given;
  const store: unknown = given(call);
  if (!isStore(store))
    throw wrong("what options.store gives", store, "a Map, or an object with entries, set and delete");
  return store;
}

/** Whether this can keep values; a Map can. */
function isStore(value: unknown): value is CodemodeStore {
  return ["entries", "set", "delete"].every((name) => hasFunction(value, name));
}

function hasFunction(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[name] === "function";
}

function countOf(name: string, value: unknown, standard: number): number {
  if (value === undefined) return standard;
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw wrong(`options.${name}`, value, "a whole number above 0");
  return value as number; // checked just now
}

function folderOf(value: unknown): string {
  const isPath = typeof value === "string" && value !== "" && !value.includes("\0");
  if (!isPath) throw wrong("options.outputFolder", value, "the path of a folder");
  return value;
}

function unknownOption(name: string): NestcallError {
  const [close] = closestNames(name, OPTION_NAMES, 1);
  const hint = close === undefined ? `known are ${OPTION_NAMES.join(", ")}` : `did you mean "${close}"?`;
  const message = `createCodemodeTool has no option "${shortenText(name, 60)}"; ${hint}`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  const message = `createCodemodeTool: ${where} must be ${wanted}, not ${describeValue(value)}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
