// The one function that leads out of a sandbox. The prelude calls it with the number of what it wants; nothing else can.

import type { CodemodeLimits } from "../limits.js";
import type { Outcome } from "../protocol.js";
import type { CodemodeError } from "../run-types.js";
import { type Engine, EngineBroken } from "../vm/engine.js";
import { hintFor } from "./error-hints.js";
import type { ScriptCalls } from "./script-calls.js";
import type { ScriptOutput, ScriptStore } from "./script-output.js";
import type { ScriptSlot, ScriptState } from "./script-slot.js";
import type { ToolSet } from "./tool-set.js";

export interface BridgeTarget {
  readonly toolSet: ToolSet;
  readonly limits: CodemodeLimits;
  readonly calls: ScriptCalls;
  readonly output: ScriptOutput;
  readonly store: ScriptStore;
}

const OPERATIONS: Readonly<Record<number, (bridge: BridgeCall) => number>> = {
  1: makeCall,
  2: takeValue,
  3: takeError,
  4: print,
  5: (bridge) => bridge.text(bridge.script.store.store(bridge.textAt(1), bridge.optionalTextAt(2))),
  6: (bridge) => bridge.text(bridge.script.store.load(bridge.textAt(1))),
  7: exit,
  8: outOfMemory,
  9: ask,
  10: (bridge) => {
    bridge.script.output.warnings.push(bridge.textAt(1));
    return bridge.nothing;
  },
};

export function answerBridge(
  engine: Engine,
  script: ScriptState,
  slot: ScriptSlot,
  argc: number,
  argv: number,
): number {
  const operation = argc === 0 ? 0 : engine.exports.qjs_get_float64(engine.argument(argv, 0));
  const bridge = new BridgeCall(engine, script, slot, argc, argv);
  try {
    return OPERATIONS[operation]?.(bridge) ?? bridge.nothing;
  } catch (error) {
    // Out of memory under the call; nothing may be thrown through the engine's frames.
    if (!(error instanceof EngineBroken) && !(error instanceof RangeError)) script.output.warnings.push(String(error));
    slot.endByMemory(script);
    return engine.throwUncatchable();
  }
}

class BridgeCall {
  readonly engine: Engine;
  readonly script: ScriptState;
  readonly slot: ScriptSlot;
  readonly #argc: number;
  readonly #argv: number;

  constructor(engine: Engine, script: ScriptState, slot: ScriptSlot, argc: number, argv: number) {
    this.engine = engine;
    this.script = script;
    this.slot = slot;
    this.#argc = argc;
    this.#argv = argv;
  }

  valueAt(index: number): number {
    return this.engine.argument(this.#argv, index);
  }

  has(index: number): boolean {
    return index < this.#argc && this.engine.exports.qjs_is_undefined(this.valueAt(index)) === 0;
  }

  textAt(index: number): string {
    return this.has(index) ? this.engine.text(this.valueAt(index)) : "";
  }

  optionalTextAt(index: number): string | undefined {
    return this.has(index) ? this.engine.text(this.valueAt(index)) : undefined;
  }

  get nothing(): number {
    return this.engine.exports.qjs_get_undefined();
  }

  text(text: string | undefined): number {
    return text === undefined ? this.nothing : this.engine.newText(text);
  }
}

function makeCall(bridge: BridgeCall): number {
  const { engine, script, slot } = bridge;
  const tool = engine.exports.qjs_get_float64(bridge.valueAt(1));
  const args = bridge.has(2) ? engine.textOrBytes(bridge.valueAt(2)) : undefined;
  const id = script.calls.add(tool, args);
  if (typeof id === "number") return engine.exports.qjs_new_number(id);
  if (typeof id === "string") return engine.newText(id);
  const { maxCalls } = script.limits;
  const message = `The script made more than ${maxCalls} calls (maxCalls).`;
  slot.endBy(script, { kind: "limit", limit: "calls", message });
  return engine.throwUncatchable();
}

function takeValue(bridge: BridgeCall): number {
  const { engine, script } = bridge;
  const json = bridge.has(1) ? engine.textOrBytes(bridge.valueAt(1)) : undefined;
  const bytes = json === undefined ? 0 : typeof json === "string" ? Buffer.byteLength(json) : json.length;
  if (bytes > script.limits.valueBytes) return engine.exports.qjs_new_number(bytes);
  script.outcome ??= { kind: "value", json };
  return bridge.nothing;
}

function takeError(bridge: BridgeCall): number {
  bridge.script.outcome ??= errorOutcome(JSON.parse(bridge.textAt(1)) as CodemodeError); // the prelude made it
  return bridge.nothing;
}

function errorOutcome(error: CodemodeError): Outcome {
  const line = Number(/script:(\d+)/.exec(error.stack ?? "")?.[1]);
  const shown = { ...error, message: hintFor(error), ...(line >= 1 ? { line } : {}) };
  if (error.name === "RangeError" && error.message === "Maximum call stack size exceeded") {
    return { kind: "limit", limit: "stack", message: "The script went deeper than its stack allows.", error: shown };
  }
  return { kind: "error", error: shown };
}

function print(bridge: BridgeCall): number {
  const kind = bridge.textAt(1);
  const content: unknown = JSON.parse(bridge.textAt(2));
  const { output } = bridge.script;
  if (kind === "image") {
    const { data, mimeType } = content as { readonly data: string; readonly mimeType: string }; // the prelude checked it
    return bridge.text(output.image(data, mimeType));
  }
  output.print(kind, String(content));
  return bridge.nothing;
}

function exit(bridge: BridgeCall): number {
  bridge.slot.endBy(bridge.script, { kind: "value", json: undefined });
  return bridge.engine.throwUncatchable();
}

function outOfMemory(bridge: BridgeCall): number {
  bridge.engine.markUncatchable(bridge.valueAt(1));
  bridge.slot.endByMemory(bridge.script);
  return bridge.nothing;
}

function ask(bridge: BridgeCall): number {
  const { toolSet } = bridge.script;
  const what = bridge.textAt(1);
  const question: unknown = JSON.parse(bridge.textAt(2));
  if (what === "missing") return bridge.text(toolSet.missing(String(question)));
  return bridge.text(toolSet.answer(what, question as readonly unknown[])); // the prelude sends a list
}
