// The one function that leads out of a sandbox. The prelude calls it with the number of what it wants; nothing else can.

import type { CodemodeLimits } from "../limits.js";
import type { Outcome, Payload } from "../protocol.js";
import type { CodemodeError } from "../run-types.js";
import type { Engine } from "../vm/engine.js";
import { mayDiscover } from "./discovery.js";
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
  8: failInternally,
  9: ask,
  11: (bridge) => bridge.engine.stringify(bridge.valueAt(1)) ?? 0,
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
  return OPERATIONS[operation]?.(bridge) ?? bridge.nothing;
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

/** A number of a call; -1 for a key that is refused, -2 for no arguments at all; else a text that says what is wrong. */
function makeCall(bridge: BridgeCall): number {
  const { engine, script, slot } = bridge;
  const { exports } = engine;
  let args: Payload | undefined;
  if (bridge.has(1)) {
    const json = engine.stringify(bridge.valueAt(1));
    if (json === undefined) return 0;
    if (exports.qjs_is_undefined(json) !== 0) return exports.qjs_new_number(-2);
    args = engine.textOrBytes(json);
    exports.qjs_free_value(json);
    if (hasProtoKey(args)) return exports.qjs_new_number(-1);
  }
  const tool = exports.qjs_get_float64(bridge.valueAt(2));
  const id = script.calls.add(tool, args);
  if (typeof id === "number") return exports.qjs_new_number(id);
  if (typeof id === "string") return engine.newText(id);
  const message = `The script made more than ${script.limits.maxCalls} calls (maxCalls).`;
  return slot.stopScript(script, { kind: "limit", limit: "calls", message });
}

const PROTO_KEY = '"__proto__":';
const BACKSLASH = 92;

function hasProtoKey(json: Payload): boolean {
  const text = typeof json === "string" ? json : Buffer.from(json.buffer);
  for (let at = text.indexOf(PROTO_KEY); at !== -1; at = text.indexOf(PROTO_KEY, at + 1)) {
    if (!isEscaped(text, at)) return true;
  }
  return false;
}

/** A quote that belongs to a longer key. */
function isEscaped(text: string | Buffer, quote: number): boolean {
  const at = (index: number) => (typeof text === "string" ? text.charCodeAt(index) : text[index]);
  let start = quote;
  while (start > 0 && at(start - 1) === BACKSLASH) start -= 1;
  return (quote - start) % 2 === 1;
}

function takeValue(bridge: BridgeCall): number {
  const { engine, script } = bridge;
  const json = bridge.has(1) ? engine.stringify(bridge.valueAt(1)) : engine.exports.qjs_get_undefined();
  if (json === undefined) return 0;
  const isNothing = engine.exports.qjs_is_undefined(json) !== 0;
  const text = isNothing ? undefined : engine.textOrBytes(json);
  engine.exports.qjs_free_value(json);
  const bytes = text === undefined ? 0 : typeof text === "string" ? Buffer.byteLength(text) : text.length;
  if (bytes > script.limits.valueBytes) return engine.exports.qjs_new_number(bytes);
  script.outcome ??= { kind: "value", json: text };
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
    // Looked at here, where a long text is soon gone through.
    return isBase64(data) ? bridge.text(output.image(data, mimeType)) : bridge.engine.exports.qjs_get_false();
  }
  output.print(kind, String(content));
  return bridge.nothing;
}

/** Something, with its padding or without. */
function isBase64(data: string): boolean {
  const length = data.length - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
  return length > 1 && length % 4 !== 1 && !/[^A-Za-z0-9+/]/.test(data.slice(0, length));
}

function exit(bridge: BridgeCall): number {
  return bridge.slot.stopScript(bridge.script, { kind: "value", json: undefined });
}

/** The engine failed in a way that no script can catch. */
function failInternally(bridge: BridgeCall): number {
  const message = bridge.textAt(1);
  if (message === "out of memory") return bridge.slot.stopByMemory(bridge.script);
  return bridge.slot.stopScript(
    bridge.script,
    errorOutcome({ name: "InternalError", message, stack: bridge.textAt(2) }),
  );
}

function ask(bridge: BridgeCall): number {
  const { toolSet } = bridge.script;
  const what = bridge.textAt(1);
  const question: unknown = JSON.parse(bridge.textAt(2));
  // C5: not whether an earlier script had it loaded, which would be another answer on another worker.
  if (what !== "missing" && what !== "all" && !mayDiscover(bridge.script.source)) {
    const message =
      "The script asks about tools by a name that it put together; write searchTools or describeTool itself.";
    return bridge.slot.stopScript(bridge.script, { kind: "error", error: { name: "Error", message } });
  }
  if (what === "missing") return bridge.text(toolSet.missing(String(question)));
  return bridge.text(toolSet.answer(what, question as readonly unknown[])); // the prelude sends a list
}
