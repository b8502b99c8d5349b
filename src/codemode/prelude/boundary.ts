// The second part of the prelude: values on their way out. Only JSON text crosses, made here, under the script's limits.

export const BOUNDARY = `
/** What is being turned into JSON for the outside: "arguments", "value", "stored"; undefined while the script does it. */
let boundary;
let promiseInValue = false;
let iteratorInValue = false;
/** What the functions below threw, which says what is wrong and not where. */
const refusals = new WeakSet();
const refusal = (message) => {
  const error = new TypeError(message);
  refusals.add(error);
  return error;
};

const refuseAs = (kind, advice) => ({
  toJSON() {
    if (boundary !== undefined) throw refusal("is " + kind + "; " + advice);
    return this;
  },
}).toJSON;
const hideJson = (kind, toJSON) => define(kind.prototype ?? kind, "toJSON", toJSON);
const ODD = [
  [Map, "a Map", "convert it with Object.fromEntries(map) or [...map]"],
  [Set, "a Set", "convert it to an array with [...set]"],
  [WeakMap, "a WeakMap", "it has no JSON form, use a plain object or an array"],
  [WeakSet, "a WeakSet", "it has no JSON form, use an array"],
  [ArrayBuffer, "an ArrayBuffer", "convert it to an array with [...new Uint8Array(buffer)]"],
  [TypedArray, "a typed array", "convert it to an array with [...values]"],
  [DataView, "a DataView", "convert it to an array of numbers"],
];
for (const [kind, name, advice] of ODD) hideJson(kind, refuseAs(name, advice));
hideJson(Promise, {
  toJSON() {
    if (boundary === "arguments" || boundary === "stored") throw refusal("is a promise; await it first");
    if (boundary === "value") promiseInValue = true;
    return this;
  },
}.toJSON);
const ITERATORS = [Iterator, getPrototypeOf(getPrototypeOf((async function* () {}).prototype))];
const ITERATOR_ADVICE = "an iterator; convert it to an array with [...it], or collect it with for await";
for (const kind of ITERATORS) hideJson(kind, {
  toJSON() {
    if (boundary === "arguments" || boundary === "stored") throw refusal("is " + ITERATOR_ADVICE);
    if (boundary === "value") iteratorInValue = true;
    return this;
  },
}.toJSON);
hideJson(Error, {
  toJSON() {
    if (boundary === undefined) return this;
    const shown = { name: this.name, message: this.message };
    for (const key of keys(this)) shown[key] = this[key];
    return shown;
  },
}.toJSON);

const kindOf = (value) => {
  if (typeof value === "bigint") return "is a BigInt; convert it with String(n) or Number(n)";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [kind, name, advice] of ODD) if (value instanceof kind) return "is " + name + "; " + advice;
  if (value instanceof Promise && boundary !== "value") return "is a promise; await it first";
  for (const kind of ITERATORS) {
    if (boundary !== "value" && apply(isPrototypeOf, kind.prototype ?? kind, [value])) return "is " + ITERATOR_ADVICE;
  }
  return undefined;
};

/** What an object of the script gives for itself in JSON. */
const ownJson = (value, path) => {
  try {
    return { made: value.toJSON("") };
  } catch (error) {
    return { place: refusals.has(error) ? path + ".toJSON() turned a value into JSON that " + error.message : undefined };
  }
};

/** The place that JSON refused, found by a second, slower walk. */
const placeOf = (value, path, open) => {
  const kind = kindOf(value);
  if (kind !== undefined) return path + " " + kind;
  if (typeof value !== "object" || value === null) return undefined;
  if (open.has(value)) return path + " leads back to itself, and JSON cannot hold a cycle";
  if (open.size > 1000) return undefined;
  open.add(value);
  if (typeof value.toJSON === "function" && isOfScript(value.toJSON)) {
    const { made, place } = ownJson(value, path);
    if (place !== undefined || made === value || made === undefined) return place;
    return placeOf(made, path, open);
  }
  for (const key of keys(value)) {
    const place = placeOf(value[key], path + (isArray(value) ? "[" + key + "]" : "." + key), open);
    if (place !== undefined) return place;
  }
  open.delete(value);
  return undefined;
};

const explain = (value, error) => {
  let place;
  try {
    place = placeOf(value, boundary === "arguments" ? "arguments" : boundary === "stored" ? "value" : "value", new Set());
  } catch {}
  const sent = boundary === "stored" ? "stored value" : boundary;
  if (place !== undefined) return new TypeError("The " + sent + " cannot be sent as JSON: " + place + ".");
  if (error instanceof RangeError) return new RangeError("The " + sent + (sent === "arguments" ? " are" : " is") + " nested too deeply to be sent as JSON: at most 200 levels.");
  return error;
};

/** Lets the bridge turn a value into JSON, which may run code of the script. */
const send = (what, value, operation, extra) => {
  const outer = boundary;
  boundary = what;
  try {
    return extra === undefined ? bridge(operation, value) : bridge(operation, value, extra);
  } catch (error) {
    throw explain(value, error);
  } finally {
    boundary = outer;
  }
};

const ownProtoPlace = (value, path) => {
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of keys(value)) {
    const place = path + (isArray(value) ? "[" + key + "]" : "." + key);
    if (key === "__proto__") return place;
    const found = ownProtoPlace(value[key], place);
    if (found !== undefined) return found;
  }
  return undefined;
};
/** A merge in a tool would set a prototype with it. */
const protoError = (args) => {
  const place = attempt(() => ownProtoPlace(parse(stringify(args)), "arguments")) ?? "arguments";
  return new TypeError("The arguments have a key named __proto__ (" + place + "), which is refused because it would change prototypes in careless tools. Rename it.");
};

// ---- describing what was thrown

const MAX_TEXT = 65536;
const cut = (text) => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
const attempt = (read) => {
  try { return read(); } catch { return undefined; }
};
const readText = (object, key) => {
  const text = attempt(() => object[key]);
  return typeof text === "string" ? cut(text) : undefined;
};
const readCode = (object) => {
  const code = attempt(() => object.code);
  if (typeof code === "string") return cut(code);
  return typeof code === "number" && code - code === 0 ? code : undefined;
};
const describePlain = (thrown) => {
  if (thrown === undefined || thrown === null || typeof thrown === "symbol") return String(thrown) + " was thrown";
  if (typeof thrown === "string") return cut(thrown);
  if (typeof thrown !== "object" && typeof thrown !== "function") return String(thrown);
  return cut(show(thrown)) + " was thrown";
};
/** The engine's JSON takes time with the square of the depth, and cannot be stopped while it does. */
const isDeeper = (value, levels) => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const key of keys(value)) if (isDeeper(value[key], levels - 1)) return true;
  return false;
};
const detailsOf = ({ details }) => (details === undefined || isDeeper(details, 200) ? undefined : stringify(details));
/** Causes and inner errors that are described with an error, all together, and their texts. */
const MAX_INNER = 10;
const MAX_INNER_TEXT = 4 * MAX_TEXT;
const describe = (thrown, room = { inner: MAX_INNER, text: MAX_INNER_TEXT, known: new Set() }) => {
  const isObject = typeof thrown === "object" && thrown !== null;
  if (!isObject || !(attempt(() => thrown instanceof Error) || readText(thrown, "message") !== undefined)) {
    return { name: "Error", message: describePlain(thrown) };
  }
  room.known.add(thrown);
  const shown = { name: readText(thrown, "name") ?? "Error", message: readText(thrown, "message") ?? "(the message cannot be read)" };
  const stack = readText(thrown, "stack");
  if (stack !== undefined) shown.stack = stack;
  const code = readCode(thrown);
  if (code !== undefined) shown.code = code;
  const details = attempt(() => detailsOf(thrown));
  if (details !== undefined && details.length <= MAX_TEXT) shown.details = parse(details);
  if (attempt(() => hasOwn(thrown, "cause"))) describeInner(attempt(() => thrown.cause), room, (one) => { shown.cause = one; });
  const inner = attempt(() => thrown.errors);
  if (isArray(inner) && inner.length > 0) {
    const errors = [];
    for (let index = 0; index < inner.length && index < MAX_INNER; index += 1) {
      describeInner(attempt(() => inner[index]), room, (one) => errors.push(one));
    }
    if (errors.length > 0) shown.errors = errors;
  }
  return shown;
};
/** An error that leads back to itself is described once. */
const describeInner = (thrown, room, add) => {
  if (room.inner <= 0 || room.text <= 0 || room.known.has(thrown)) return;
  room.inner -= 1;
  const shown = describe(thrown, room);
  room.text -= textOf(shown);
  add(shown);
};
const textOf = ({ cause: _cause, errors: _errors, ...own }) => stringify(own).length;
/** An error alone, without what led to it. */
const describeAlone = (thrown) => describe(thrown, { inner: 0, text: 0, known: new Set() });
`;
