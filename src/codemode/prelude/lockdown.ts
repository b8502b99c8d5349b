// The first part of what runs in a sandbox before any script: what must not be there is taken away, built-ins are frozen.
// Guest code; it has no types. `bridge` is the one function that leads out, and it never leaves this closure.

/** Opens the closure that all parts share. Every part may use what the parts before it declare. */
export const LOCKDOWN = String.raw`
const {
  Array, BigInt, DataView, Date, Error, Function, InternalError, Iterator, JSON, Map, Math, Number, Object, Promise, Proxy,
  RangeError, ReferenceError, Reflect, RegExp, Set, String, Symbol, TypeError, WeakMap, WeakSet, ArrayBuffer,
} = globalThis;
const { parse, stringify } = JSON;
const { create, defineProperty, entries, freeze, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, keys } = Object;
const { isArray } = Array;
const { apply, ownKeys } = Reflect;
const { isPrototypeOf } = Object.prototype;
const { captureStackTrace } = Error;
const TypedArray = getPrototypeOf(globalThis.Uint8Array);
const { get: fileName } = getOwnPropertyDescriptor(Function.prototype, "fileName");
/** Built-ins, bound functions and proxies come from no file, those of this prelude from its own. */
const isOfScript = (fn) => ![undefined, "nestcall"].includes(apply(fileName, fn, []));

// ---- stacks: lines of the script only

/** Characters that the wrapper put before the first line. */
let firstLineShift = 0;
/** While it is set, only the place in the script is kept, to be written when somebody needs it. */
let wantsPlace = false;

const placeText = (name, place) => {
  const isNamed = typeof name === "string" && name !== "" && name !== "<eval>" && name !== "<anonymous>";
  return isNamed ? "    at " + name + " (" + place + ")\n" : "    at " + place + "\n";
};
const stackText = (frames) => {
  let text = "";
  let native = ""; // belongs to the script only if the script called it
  for (let index = 0; index < frames.length; index += 1) {
    const frame = frames[index];
    const file = frame.getFileName();
    if (file === "nestcall") native = "";
    else if (typeof file !== "string") native += placeText(frame.getFunctionName(), "native");
    else {
      const line = frame.getLineNumber();
      const shift = line === 1 ? firstLineShift : 0;
      const column = Math.max(1, frame.getColumnNumber() - shift); // some frames have no column of their own
      text += native + placeText(frame.getFunctionName(), file + ":" + line + ":" + column);
      native = "";
    }
  }
  return text + native;
};
/** Where the script was: the first frame that is its own. */
const placeOfCall = (frames) => {
  for (let index = 0; index < frames.length; index += 1) {
    const frame = frames[index];
    const file = frame.getFileName();
    if (file !== "nestcall" && typeof file === "string") return frame;
  }
  return undefined;
};
Error.prepareStackTrace = (error, frames) => {
  // No script can catch the engine's own failures, so they end it here: out of memory, a text that is too long.
  if (error instanceof InternalError) bridge(8, String(error.message), stackText(frames));
  return wantsPlace ? placeOfCall(frames) : stackText(frames);
};
delete Error.prepareStackTrace;
delete Error.stackTraceLimit;

// ---- what differs from one run to the next, or leads out

for (const name of ["InternalError", "performance", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics", "DOMException", "atob", "btoa"]) {
  delete globalThis[name];
}

const random = [1, 2, 3, 4];
const mix = (a, b, c, d) => {
  random[0] = a; random[1] = b; random[2] = c; random[3] = d;
};
/** Small fast counter generator: 128 bits of state, seeded for each run. */
const nextRandom = () => {
  const t = (((random[0] + random[1]) | 0) + random[3]) | 0;
  random[3] = (random[3] + 1) | 0;
  random[0] = random[1] ^ (random[1] >>> 9);
  random[1] = (random[2] + (random[2] << 3)) | 0;
  random[2] = (random[2] << 21) | (random[2] >>> 11);
  random[2] = (random[2] + t) | 0;
  return t >>> 0;
};
const define = (object, key, value) => defineProperty(object, key, { value, writable: true, enumerable: false, configurable: true });
define(Math, "random", { random: () => (nextRandom() >>> 5) / 134217728 + (nextRandom() >>> 6) / 9007199254740992 }.random);

// ---- frozen built-ins

/** A frozen prototype would refuse an object its own member of the same name; an accessor lets the object have it. */
const letOverride = (object, key) => {
  const { value, writable } = getOwnPropertyDescriptor(object, key) ?? {};
  if (writable !== true) return;
  const accessor = {
    get value() { return value; },
    set value(own) {
      if (this === object) return;
      if (hasOwn(this, key)) this[key] = own;
      else defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
    },
  };
  const { get, set } = getOwnPropertyDescriptor(accessor, "value");
  defineProperty(object, key, { get, set, enumerable: false, configurable: false });
};

const lockDown = () => {
  for (const key of ownKeys(Object.prototype)) if (key !== "__proto__") letOverride(Object.prototype, key);
  for (const key of ["name", "toString", "constructor"]) letOverride(Function.prototype, key);
  for (const key of ["toString", "toLocaleString", "valueOf"]) {
    for (const kind of [Array, Number, String, Date, RegExp]) letOverride(kind.prototype, key);
  }
  for (const name of ownKeys(globalThis)) {
    const kind = globalThis[name];
    const isError = typeof kind === "function" && (kind === Error || getPrototypeOf(kind) === Error);
    if (isError) for (const key of ["name", "message", "toString", "constructor"]) letOverride(kind.prototype, key);
  }
  // Methods themselves stay as they are: what a script adds to one changes nothing, and to freeze them all takes ten times as long.
  const hidden = [
    function* () {}, async () => {}, async function* () {}, [][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](),
    ""[Symbol.iterator](), "".matchAll(/x/g), [].values().map((x) => x), Iterator.from({ next() {} }),
  ];
  for (const one of hidden) {
    for (let object = getPrototypeOf(one); object !== null; object = getPrototypeOf(object)) {
      freezeKind(object);
      if (hasOwn(object, "constructor")) freezeKind(object.constructor);
    }
  }
  freezeKind(TypedArray);
  for (const name of ownKeys(globalThis)) {
    freezeKind(globalThis[name]);
    // Assigned they stay what they are; a script may still declare a variable of its own with the name.
    defineProperty(globalThis, name, { writable: false });
  }
};
const freezeKind = (kind) => {
  if ((typeof kind !== "object" && typeof kind !== "function") || kind === null || kind === globalThis) return;
  freeze(kind);
  const { prototype } = kind;
  if (typeof prototype === "object" && prototype !== null) freeze(prototype);
};
`;
