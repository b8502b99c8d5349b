// One instance of the engine: texts and values in and out of its memory, evaluation, calls, jobs. It knows no scripts.
// Nothing here frees the runtime; an instance ends by having its memory replaced.
import { type WasmExports, type WasmModule, wasmApi } from "./wasm-exports.js";

/** What the engine asks of its owner. Values handed over are borrowed, except those of `rejected`. */
export interface EngineOwner {
  /** A script called the bridge; the result is a value that the engine frees, 0 with an exception pending. */
  called(argc: number, argv: number): number;
  /** Called every few thousand steps; throws to stop at once. */
  poll(): void;
  rejected(promise: number, reason: number, isHandled: boolean): void;
  /** Milliseconds since the epoch, as scripts read it. */
  now(): number;
  /** The message with which an import is refused. */
  importRefusal(specifier: string): string;
}

export const EVAL_SCRIPT = 1 << 7; // top-level await, the promise of { value: completion value }
export const EVAL_MODULE = 1;
export const EVAL_FUNCTION = 0;
const COMPILE_ONLY = 1 << 5;

// All but performance, DOMException, WeakRef and atob.
const INTRINSICS = 0x1ff;
const GUEST_STACK_BYTES = 512 * 1024;
const JSON_STACK_BYTES = 64 * 1024;
const SCRATCH_BYTES = 16 * 1024;
/** Copying out takes one pass anyway; from here on the bytes move between threads instead of the text. */
const LARGE_BYTES = 64 * 1024;

/** Thrown through the engine's frames: nothing of the script runs any more, and its memory is to be replaced. */
export const STOP = Object.freeze(new Error("the script is over"));

/** The engine could not go on: its own stack or memory ran out under a host call. The memory must be replaced. */
export class EngineBroken extends Error {}

export class Engine {
  readonly owner: EngineOwner;
  readonly #module: WasmModule;
  #exports: WasmExports;
  #bytes: Buffer;
  #view: DataView;
  #scratch = 0;
  #lengthOut = 0;
  #argv = 0;
  #context = 0;
  #runtime = 0;
  #undefined = 0n;
  #stackTop = 0;

  constructor(module: WasmModule, owner: EngineOwner) {
    this.#module = module;
    this.owner = owner;
    this.#exports = new wasmApi.Instance(module, this.#imports()).exports;
    this.#bytes = Buffer.from(this.#exports.memory.buffer);
    this.#view = new DataView(this.#exports.memory.buffer);
  }

  get exports(): WasmExports {
    return this.#exports;
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Makes the runtime and its realm. Not after `adopt`. */
  initialise(): void {
    const { exports } = this;
    exports._initialize();
    this.#stackTop = exports.__stack_pointer.value;
    exports.qjs_init2(INTRINSICS);
    exports.qjs_set_max_stack_size(GUEST_STACK_BYTES);
    exports.qjs_set_interrupt_handler(1);
    exports.qjs_set_promise_rejection_handler(1);
    exports.qjs_set_module_loader(1);
    this.#scratch = exports.wasm_malloc(SCRATCH_BYTES);
    this.#lengthOut = exports.wasm_malloc(8);
    this.#argv = exports.wasm_malloc(16);
    this.#context = exports.qjs_get_context_ptr();
    this.#runtime = exports.qjs_get_runtime_ptr();
    this.#undefined = this.view.getBigUint64(exports.qjs_get_undefined(), true);
  }

  /** Takes over where things are from the engine whose memory this one is given. */
  adopt(other: Engine): void {
    this.#scratch = other.#scratch;
    this.#lengthOut = other.#lengthOut;
    this.#argv = other.#argv;
    this.#context = other.#context;
    this.#runtime = other.#runtime;
    this.#undefined = other.#undefined;
    this.#stackTop = other.#stackTop;
  }

  /** The runtime and the context, as addresses. */
  get realm(): [runtime: number, context: number] {
    return [this.#runtime, this.#context];
  }

  /** A new instance in the place of one that has grown; its memory is to be written next. */
  replaceInstance(): void {
    this.#exports = new wasmApi.Instance(this.#module, this.#imports()).exports;
  }

  /** The memory as bytes; it must be asked for again whenever the engine has run. */
  get bytes(): Buffer {
    if (this.#bytes.buffer !== this.#exports.memory.buffer) {
      this.#bytes = Buffer.from(this.#exports.memory.buffer);
      this.#view = new DataView(this.#exports.memory.buffer);
    }
    return this.#bytes;
  }

  get view(): DataView {
    return this.bytes === undefined ? this.#view : this.#view;
  }

  // ---- values

  argument(argv: number, index: number): number {
    return this.view.getUint32(argv + index * 4, true);
  }

  /** A text value's text. */
  text(value: number): string {
    const start = this.#exports.qjs_get_string_len(value, this.#lengthOut);
    if (start === 0) return "";
    const length = this.view.getUint32(this.#lengthOut, true);
    const text = this.bytes.toString("utf8", start, start + length);
    this.#exports.qjs_free_cstring(start);
    return text;
  }

  /** A text value's text, or its UTF-8 bytes when there are many; they can be transferred. */
  textOrBytes(value: number): string | Uint8Array<ArrayBuffer> {
    const start = this.#exports.qjs_get_string_len(value, this.#lengthOut);
    if (start === 0) return "";
    const length = this.view.getUint32(this.#lengthOut, true);
    const { bytes } = this;
    const result =
      length < LARGE_BYTES
        ? bytes.toString("utf8", start, start + length)
        : new Uint8Array(bytes.buffer as ArrayBuffer, start, length).slice();
    this.#exports.qjs_free_cstring(start);
    return result;
  }

  newText(text: string | Uint8Array): number {
    return this.#withBytes(text, (start, length) => this.#exports.qjs_new_string(start, length));
  }

  /** The value of a JSON text. */
  newJson(text: string | Uint8Array): number {
    const bits = this.#withBytes(text, (start, length) => {
      return this.#exports.JS_ParseJSON(this.#context, start, length, this.#lengthOut);
    });
    const value = this.#box(bits);
    if (this.#exports.qjs_is_exception(value) !== 0) throw new EngineBroken(this.takeException());
    return value;
  }

  /**
   * The JSON text of a value, as a value: undefined for what JSON leaves out, no value with an exception pending. The
   * engine looks for cycles in quadratic time, so the depth to which it may go is kept small.
   */
  stringify(value: number): number | undefined {
    const { exports } = this;
    const usedBytes = this.#stackTop - exports.__stack_pointer.value;
    exports.qjs_set_max_stack_size(Math.min(GUEST_STACK_BYTES, usedBytes + JSON_STACK_BYTES));
    const bits = this.view.getBigUint64(value, true);
    const json = this.#box(exports.JS_JSONStringify(this.#context, bits, this.#undefined, this.#undefined));
    exports.qjs_set_max_stack_size(GUEST_STACK_BYTES);
    return this.#checked(json);
  }

  #box(bits: bigint): number {
    const value = this.#exports.qjs_new_number(0);
    this.view.setBigUint64(value, BigInt.asUintN(64, bits), true);
    return value;
  }

  /** Puts bytes and a NUL where the engine can read them, for as long as `use` runs. */
  #withBytes<T>(text: string | Uint8Array, use: (start: number, length: number) => T): T {
    const isText = typeof text === "string" && text.isWellFormed();
    if (!isText && typeof text === "string") return this.#withBytes(encodeHalves(text), use);
    const most = isText ? (text.length * 3 < SCRATCH_BYTES ? text.length * 3 : Buffer.byteLength(text)) : text.length;
    const isSmall = most < SCRATCH_BYTES;
    const start = isSmall ? this.#scratch : this.#exports.wasm_malloc(most + 1);
    if (start === 0) throw new EngineBroken("out of memory");
    const { bytes } = this;
    let length = most;
    if (isText) length = bytes.write(text, start, most, "utf8");
    else bytes.set(text as Uint8Array, start); // a text that is not well formed went another way
    bytes[start + length] = 0;
    try {
      return use(start, length);
    } finally {
      if (!isSmall) this.#exports.wasm_free(start);
    }
  }

  member(object: number, name: string): number {
    return this.#withBytes(name, (start) => this.#exports.qjs_get_prop_string(object, start));
  }

  memberText(object: number, name: string): string | undefined {
    const value = this.member(object, name);
    const isMissing = this.#exports.qjs_is_exception(value) !== 0 || this.#exports.qjs_is_undefined(value) !== 0;
    const text = isMissing ? undefined : this.text(value);
    this.#exports.qjs_free_value(value);
    return text;
  }

  newBridge(): number {
    return this.#withBytes("outside", (start, length) => this.#exports.qjs_new_host_function(start, length, 3));
  }

  // ---- running

  /** The value, or `undefined` with an exception to be taken. */
  evaluate(code: string, file: string, flags: number): number | undefined {
    const { exports } = this;
    const fileStart = exports.wasm_malloc(file.length + 1);
    this.bytes.write(`${file}\0`, fileStart, "latin1");
    const value = this.#withBytes(code, (start, length) => exports.qjs_eval(start, length, fileStart, flags));
    exports.wasm_free(fileStart);
    return this.#checked(value);
  }

  compiles(code: string): boolean {
    const value = this.evaluate(code, "script", COMPILE_ONLY);
    if (value === undefined) this.takeException();
    else this.#exports.qjs_free_value(value);
    return value !== undefined;
  }

  /** Calls with values that stay the caller's. */
  call(fn: number, ...args: readonly number[]): number | undefined {
    const { view } = this;
    args.forEach((value, index) => {
      view.setUint32(this.#argv + index * 4, value, true);
    });
    return this.#checked(this.#exports.qjs_call(fn, this.#exports.qjs_get_undefined(), args.length, this.#argv));
  }

  #checked(value: number): number | undefined {
    if (this.#exports.qjs_is_exception(value) === 0) return value;
    this.#exports.qjs_free_value(value);
    return undefined;
  }

  /** Takes the pending exception away; gives its text. */
  takeException(): string {
    const error = this.#exports.qjs_get_exception();
    const text = this.text(error);
    this.#exports.qjs_free_value(error);
    return text;
  }

  #imports(): object {
    const { owner } = this;
    return {
      env: {
        host_get_timezone_offset: () => 0,
        host_interrupt: () => {
          owner.poll();
          return 0;
        },
        host_promise_rejection: (promise: number, reason: number, isHandled: number) =>
          owner.rejected(promise, reason, isHandled !== 0),
        host_module_normalize: (_base: number, name: number) => this.#copyOfCString(name),
        host_module_load: (name: number) => this.#refuseImport(name),
        host_call: (_name: number, _length: number, _self: number, argc: number, argv: number) =>
          owner.called(argc, argv),
      },
      wasi_snapshot_preview1: {
        clock_time_get: (_clock: number, _precision: bigint, out: number) => {
          this.view.setBigUint64(out, BigInt(Math.round(owner.now() * 1000)) * 1000n, true);
          return 0;
        },
        fd_close: () => 0,
        fd_fdstat_get: () => 0,
        fd_seek: () => 0,
        fd_write: () => 0,
        random_get: () => 0,
      },
    };
  }

  #copyOfCString(start: number): number {
    const end = this.bytes.indexOf(0, start);
    const copy = this.#exports.wasm_malloc(end - start + 1);
    this.bytes.copyWithin(copy, start, end + 1);
    return copy;
  }

  #refuseImport(name: number): number {
    const specifier = this.bytes.toString("utf8", name, this.bytes.indexOf(0, name));
    const error = this.#exports.qjs_new_error();
    const message = this.newText(this.owner.importRefusal(specifier));
    this.#withBytes("message", (start) => this.#exports.qjs_set_prop_string(error, start, message));
    this.#exports.qjs_free_value(this.#exports.qjs_throw(error));
    return 0;
  }
}

/** UTF-8 in which halves of surrogate pairs are encoded like characters, which the engine reads back unchanged. */
function encodeHalves(text: string): Uint8Array {
  const parts: Buffer[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(index + 1);
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      index += 1;
      continue;
    }
    parts.push(
      Buffer.from(text.slice(start, index)),
      Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]),
    );
    start = index + 1;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(start))]);
}
