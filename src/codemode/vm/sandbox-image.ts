// The memory of a sandbox after the prelude ran. Memory and stack pointer are the whole state of the engine, so writing them
// back makes a new sandbox of a used one, whatever a script did to it.
import { PRELUDE } from "../prelude/prelude.js";
import { Engine, type EngineOwner, EVAL_FUNCTION } from "./engine.js";
import type { WasmModule } from "./wasm-exports.js";

const PAGE_BYTES = 65_536;
/** An instance that grew more is replaced: the allocator only appends, so it would creep up from script to script. */
const MAX_GROWTH_BYTES = 4 * 1024 * 1024;

/** Functions of the prelude, as values in the image. */
interface SandboxFunctions {
  readonly install: number;
  readonly settle: number;
  readonly conclude: number;
  readonly call: number;
  readonly shift: number;
  readonly rejection: number;
}

export interface SandboxImage {
  readonly bytes: Uint8Array;
  /** Where the pages begin that are not all zero: most of the image is an empty stack. */
  readonly usedPages: readonly number[];
  readonly stackPointer: number;
  readonly functions: SandboxFunctions;
  /** Where the owner's places are; other engines adopt them. */
  readonly engine: Engine;
}

/** Makes the first sandbox of a thread and keeps what it looks like. */
export function createImage(module: WasmModule, owner: EngineOwner): SandboxImage {
  const engine = new Engine(module, owner);
  engine.initialise();
  const setUp = required(engine, engine.evaluate(PRELUDE, "nestcall", EVAL_FUNCTION));
  const prelude = required(engine, engine.call(setUp, engine.newBridge()));
  const member = (name: string) => engine.member(prelude, name);
  const functions: SandboxFunctions = {
    install: member("install"),
    settle: member("settle"),
    conclude: member("conclude"),
    call: member("call"),
    shift: member("shift"),
    rejection: member("rejection"),
  };
  const stackPointer = engine.exports.__stack_pointer.value;
  const bytes = new Uint8Array(engine.bytes);
  return { bytes, usedPages: usedPagesOf(bytes), stackPointer, functions, engine };
}

function usedPagesOf(bytes: Uint8Array): readonly number[] {
  const zero = Buffer.alloc(PAGE_BYTES);
  const used: number[] = [];
  for (let start = 0; start < bytes.length; start += PAGE_BYTES) {
    if (zero.compare(bytes, start, Math.min(start + PAGE_BYTES, bytes.length)) !== 0) used.push(start);
  }
  return used;
}

function required(engine: Engine, value: number | undefined): number {
  if (value !== undefined) return value;
  const error = engine.exports.qjs_get_exception();
  const message = `${engine.text(error)}\n${engine.memberText(error, "stack") ?? ""}`;
  throw new Error(`The sandbox could not be set up: ${message}`);
}

/** Another sandbox of the same thread, as the first one was. */
export function createSandbox(module: WasmModule, owner: EngineOwner, image: SandboxImage): Engine {
  const engine = new Engine(module, owner);
  engine.adopt(image.engine);
  fill(engine, image);
  engine.exports.qjs_set_runtime_and_context(...engine.realm);
  return engine;
}

/** Makes a used sandbox pristine. Gives the bytes that were let go with a grown instance. */
export function resetSandbox(engine: Engine, image: SandboxImage): number {
  const grownBytes = engine.memoryBytes - image.bytes.length;
  if (grownBytes > MAX_GROWTH_BYTES) {
    engine.replaceInstance();
    fill(engine, image);
    return grownBytes + image.bytes.length;
  }
  engine.bytes.set(image.bytes);
  if (grownBytes > 0) engine.bytes.fill(0, image.bytes.length);
  engine.exports.__stack_pointer.value = image.stackPointer;
  return 0;
}

/** Writes the image into a new instance. Pages that stay zero are not touched, and take no memory until a script does. */
function fill(engine: Engine, image: SandboxImage): void {
  const missing = image.bytes.length - engine.memoryBytes;
  if (missing > 0) engine.exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
  const { bytes } = engine;
  for (const start of image.usedPages) bytes.set(image.bytes.subarray(start, start + PAGE_BYTES), start);
  engine.exports.__stack_pointer.value = image.stackPointer;
}

/** For tests: what a sandbox's memory is, and what it should be. What lies beyond the image must be zero. */
export function hashesOf(engine: Engine, image: SandboxImage): { memoryHash: string; imageHash: string } {
  const { createHash } = process.getBuiltinModule("node:crypto"); // no script needs it
  const memory = createHash("sha256").update(engine.bytes.subarray(0, image.bytes.length));
  const imageHash = createHash("sha256").update(image.bytes).digest("hex");
  const isClean = engine.bytes.subarray(image.bytes.length).every((byte) => byte === 0);
  const stack = engine.exports.__stack_pointer.value === image.stackPointer ? "" : " stack";
  return { memoryHash: `${memory.digest("hex")}${isClean ? "" : " beyond"}${stack}`, imageHash };
}
