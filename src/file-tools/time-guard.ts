// A time limit for code that cannot be asked to stop: expressions and globs that models and ignore files bring along.
// V8 ends what runs inside `vm` when its time is over, a backtracking expression too. A worker thread could do no more
// for the caller, and would need a file of its own that a bundler has to find.
import { createContext, Script } from "node:vm";

/** What the event loop may stand still for at worst; what is usual takes a thousandth of it. */
const LIMIT_MS = 250;

export type Guarded<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "too slow" };

// One context for all: making one costs more than most of what runs in it. Nothing but `run` is ever in it.
const script = new Script("run()");
const sandbox: { run?: () => unknown } = createContext(Object.create(null));

/** @param run - Must not change anything outside, since it may be cut off at any instruction, and not call this function. */
export function withTimeLimit<T>(run: () => T): Guarded<T> {
  sandbox.run = run;
  try {
    return { kind: "done", value: script.runInContext(sandbox, { timeout: LIMIT_MS }) as T }; // what `run` gave
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return { kind: "too slow" };
    throw error;
  } finally {
    delete sandbox.run; // it holds the texts that were looked at
  }
}
