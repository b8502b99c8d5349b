// The third part of the prelude: `text`, `image`, `console`, `store` and `load`.

export const OUTPUT = String.raw`
let warnedOfPromise = false;
const warnOfPromise = (where) => {
  if (warnedOfPromise) return;
  warnedOfPromise = true;
  bridge(10, where + " holds a promise, not its result: write await before the call, or await Promise.all([...]).");
};

// ---- values as a person reads them

const inspect = (value, open, depth) => {
  switch (typeof value) {
    case "string": return depth === 0 ? value : stringify(value);
    case "bigint": return String(value) + "n";
    case "symbol": return String(value);
    case "function": return "[function " + (attempt(() => String(value.name)) || "anonymous") + "]";
    case "object": return value === null ? "null" : inspectObject(value, open, depth);
    default: return String(value);
  }
};
const inspectObject = (value, open, depth) => {
  if (open.has(value)) return "[circular]";
  if (depth > 6) return isArray(value) ? "[…]" : "{…}";
  if (value instanceof Promise) {
    warnOfPromise("What was printed");
    return "Promise {…}";
  }
  if (value instanceof Error) {
    const { name, message, stack } = describeAlone(value);
    return depth === 0 && stack ? name + ": " + message + "\n" + stack.trimEnd() : name + ": " + message;
  }
  if (value instanceof Date) return stringify(value) ?? "Invalid Date";
  if (value instanceof RegExp) return String(value);
  open.add(value);
  const shown = inspectMembers(value, open, depth + 1);
  open.delete(value);
  return shown;
};
const listed = (items, open, depth) => {
  let text = "";
  let count = 0;
  for (const item of items) {
    if (count > 0) text += ",";
    if (text.length > 100000 || count >= 10000) return text + "…";
    text += inspect(item, open, depth);
    count += 1;
  }
  return text;
};
const inspectMembers = (value, open, depth) => {
  if (isArray(value)) return "[" + listed(value, open, depth) + "]";
  if (value instanceof Map) return "Map(" + value.size + ") [" + listed(value, open, depth) + "]";
  if (value instanceof Set) return "Set(" + value.size + ") [" + listed(value, open, depth) + "]";
  if (value instanceof TypedArray) return value[Symbol.toStringTag] + " [" + listed(value, open, depth) + "]";
  if (typeof value.toJSON === "function") return stringify(value) ?? "undefined";
  let text = "";
  for (const key of keys(value)) {
    if (text !== "") text += ",";
    if (text.length > 100000) return "{" + text + "…}";
    text += stringify(key) + ":" + inspect(value[key], open, depth);
  }
  return "{" + text + "}";
};
const show = (value) => {
  if (typeof value === "string") return value.length > MAX_LENGTH.output ? value.slice(0, MAX_LENGTH.output + 1) : value;
  return attempt(() => inspect(value, new Set(), 0)) ?? "(a value that cannot be shown)";
};

// ---- output

/** What is beyond the limit is not even copied; one character more than it tells that there was more. */
const sendOut = (kind, text) => bridge(4, kind, stringify(text.length > MAX_LENGTH.output ? text.slice(0, MAX_LENGTH.output + 1) : text));
const WANTED_IMAGE = "image() takes a data URL (data:image/png;base64,…) or an image block: { type: \"image\", data, mimeType }, data in base64 and a mimeType like image/png.";
const output = {
  text(value) { sendOut("text", show(value)); },
  image(source) {
    let data;
    let mimeType;
    if (typeof source === "string") {
      const end = source.indexOf(",");
      const head = source.slice(0, end);
      if (!source.startsWith("data:image/") || !head.endsWith(";base64")) throw new TypeError("image() takes a data URL (data:image/png;base64,…) or an image block, not this text.");
      mimeType = head.slice(5, head.indexOf(";"));
      data = source.slice(end + 1);
    } else if (typeof source === "object" && source !== null) ({ data, mimeType } = source);
    if (typeof data !== "string" || typeof mimeType !== "string") throw new TypeError(WANTED_IMAGE);
    if (!/^image\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/i.test(mimeType)) throw new TypeError(WANTED_IMAGE + " Its type is " + stringify(mimeType.slice(0, 100)) + ".");
    if (data.length > MAX_LENGTH.result) throw limitError("The image is refused: it has " + data.length + " characters, and all images of a script may have " + MAX_LENGTH.result + " (resultBytes).");
    const problem = bridge(4, "image", stringify({ data, mimeType }));
    if (problem === false) throw new TypeError(WANTED_IMAGE + (data === "" ? " Its data is empty." : " Its data is no base64."));
    if (problem !== undefined) throw limitError(problem);
  },
};

const formatted = (values) => {
  const rest = [...values];
  let text = "";
  if (typeof rest[0] === "string" && rest.length > 1) {
    text = rest.shift().replace(/%[sdifjoOc%]/g, (mark) => {
      if (mark === "%%") return "%";
      if (rest.length === 0) return mark;
      if (mark === "%c") return rest.shift(), "";
      if (mark === "%d" || mark === "%i" || mark === "%f") return String(Number(rest.shift()));
      return show(rest.shift());
    });
    if (rest.length > 0) text += " ";
  }
  return text + rest.map(show).join(" ");
};
const consoleOf = () => {
  const made = {};
  for (const level of ["log", "info", "warn", "error", "debug", "trace", "dir", "table"]) {
    made[level] = { [level](...values) { sendOut(level === "warn" || level === "error" ? level : "log", formatted(values)); } }[level];
  }
  made.assert = { assert(holds, ...values) { if (!holds) sendOut("error", "Assertion failed" + (values.length > 0 ? ": " + formatted(values) : "")); } }.assert;
  made.group = { group(...values) { if (values.length > 0) sendOut("log", formatted(values)); } }.group;
  for (const name of ["groupEnd", "time", "timeEnd", "timeLog", "count", "countReset", "clear"]) made[name] = { [name]() {} }[name];
  return made;
};

// ---- what is kept between scripts

const keyOf = (key, of) => {
  if (typeof key === "string" && key !== "") return key;
  throw new TypeError(of + "() takes a key, which is a text that is not empty.");
};
const memory = {
  store(key, value) {
    const json = value === undefined ? undefined : send("stored", value, 11);
    if (json === undefined && value !== undefined) throw new TypeError("store() takes a value that JSON can hold.");
    const problem = bridge(5, keyOf(key, "store"), json);
    if (problem !== undefined) throw limitError(problem);
  },
  load(key) {
    const json = bridge(6, keyOf(key, "load"));
    return json === undefined ? undefined : parse(json);
  },
};
`;
