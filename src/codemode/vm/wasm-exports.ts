// What is used of the exports of quickjs-wasi's binary. Values are pointers to boxed engine values; whoever gets one frees it.

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export interface WasmExports {
  readonly memory: WasmMemory;
  readonly __stack_pointer: { value: number };
  _initialize(): void;
  qjs_init2(intrinsics: number): number;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_gc_threshold(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_interrupt_handler(isOn: number): void;
  qjs_set_promise_rejection_handler(isOn: number): void;
  qjs_set_module_loader(isOn: number): void;
  qjs_get_runtime_ptr(): number;
  qjs_get_context_ptr(): number;
  qjs_set_runtime_and_context(runtime: number, context: number): void;
  qjs_get_allocated_size(): number;
  qjs_eval(code: number, length: number, file: number, flags: number): number;
  qjs_call(fn: number, self: number, argc: number, argv: number): number;
  qjs_new_host_function(name: number, length: number, arity: number): number;
  qjs_new_string(text: number, length: number): number;
  qjs_new_number(value: number): number;
  qjs_new_error(): number;
  qjs_throw(error: number): number;
  qjs_get_undefined(): number;
  qjs_get_true(): number;
  qjs_get_false(): number;
  qjs_get_float64(value: number): number;
  qjs_get_string_len(value: number, lengthOut: number): number;
  qjs_free_cstring(text: number): void;
  qjs_get_prop_string(object: number, name: number): number;
  qjs_set_prop_string(object: number, name: number, value: number): number;
  qjs_get_exception(): number;
  qjs_get_value_ptr(value: number): number;
  qjs_is_exception(value: number): number;
  qjs_is_undefined(value: number): number;
  qjs_free_value(value: number): void;
  qjs_is_job_pending(): number;
  qjs_execute_pending_job(): number;
  wasm_malloc(bytes: number): number;
  wasm_free(pointer: number): void;
  JS_ParseJSON(context: number, text: number, length: number, file: number): bigint;
  JS_JSONStringify(context: number, value: bigint, replacer: bigint, space: bigint): bigint;
}

/** A compiled module; it can be posted to a worker. Node has the type only with the DOM's. */
export type WasmModule = object;

interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: WasmExports };
}

/** `WebAssembly` of this thread. */
export const wasmApi = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
