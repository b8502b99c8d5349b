// Global names that a namespace object must not take: the script's own, the language's, and reserved words.

const SCRIPT_GLOBALS =
  "tools ALL_TOOLS text image console store load exit searchTools describeTool describeNamespace parallel";
const LANGUAGE_GLOBALS =
  "globalThis undefined NaN Infinity eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI " +
  "encodeURIComponent escape unescape AggregateError Array ArrayBuffer AsyncDisposableStack AsyncIterator Atomics " +
  "BigInt BigInt64Array BigUint64Array Boolean DataView Date DisposableStack DOMException Error EvalError " +
  "FinalizationRegistry Float16Array Float32Array Float64Array Function Int16Array Int32Array Int8Array " +
  "InternalError Intl Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp " +
  "Set SharedArrayBuffer String SuppressedError Symbol SyntaxError ToolError LimitError TypeError URIError " +
  "Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly " +
  "setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask structuredClone performance";
const RESERVED_WORDS =
  "arguments as async await break case catch class const continue debugger default delete do else enum export extends " +
  "false finally for function get if implements import in instanceof interface let new null of package private " +
  "protected public return set static super switch this throw true try typeof var void while with yield";

const TAKEN: ReadonlySet<string> = new Set([SCRIPT_GLOBALS, LANGUAGE_GLOBALS, RESERVED_WORDS].join(" ").split(" "));

/** Whether a namespace of this name gets no global object. */
export function isTakenGlobal(name: string): boolean {
  return TAKEN.has(name) || name.startsWith("__");
}
