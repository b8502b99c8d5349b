// The last part of the prelude: tools, namespaces, search, and the beginning and the end of a script.

export const CALLS = `
const ToolError = class ToolError extends Error {};
define(ToolError.prototype, "name", "ToolError");
const LimitError = class LimitError extends Error {};
define(LimitError.prototype, "name", "LimitError");
const limitError = (message) => new LimitError(message);

// ---- calls

const pending = new Map();
const MAX_LENGTH = { argument: 0, value: 0, output: 0, result: 0 };

const failure = ({ name, message, code, details }, site) => {
  const error = new ToolError(message);
  if (name !== undefined) define(error, "name", name);
  if (code !== undefined) error.code = code;
  if (details !== undefined) error.details = details;
  define(error, "stack", site === undefined ? "" : stackText([site]));
  return error;
};

const callError = (name, args, id) => {
  if (id === -1) return protoError(args);
  if (id === -2) return new TypeError("tools." + name + "() takes an object of arguments, not a " + typeof args + ".");
  return limitError(id);
};

const call = (index, name, args) => {
  const site = {};
  wantsPlace = true;
  captureStackTrace(site);
  wantsPlace = false;
  let entry;
  const promise = new Promise((resolve, reject) => { entry = { resolve, reject, site: site.stack }; });
  try {
    const id = typeof args === "string" && args.length > MAX_LENGTH.argument
      ? "The arguments of " + name + " are a text of " + args.length + " characters; at most " + MAX_LENGTH.argument + " bytes can be sent (argumentBytes)."
      : args === undefined ? bridge(1, undefined, index) : send("arguments", args, 1, index);
    if (id > 0) pending.set(id, entry);
    else entry.reject(callError(name, args, id));
  } catch (error) {
    entry.reject(error);
  }
  return promise;
};

const settle = (id, ok, value) => {
  const entry = pending.get(id);
  if (entry === undefined) return;
  pending.delete(id);
  if (ok) entry.resolve(value);
  else entry.reject(failure(value, entry.site));
};

// ---- names

const QUIET = new Set(["then", "toJSON", "constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "prototype", "length", "nodeType", "$$typeof", "inspect"]);
const tools = create(null);
const nameOfTools = freeze(() => "[tools]");
const missing = new Proxy(create(null), freeze({
  get(_target, key) {
    if (key === Symbol.toPrimitive) return nameOfTools;
    if (typeof key === "symbol" || QUIET.has(key)) return undefined;
    throw new TypeError(bridge(9, "missing", stringify(key)));
  },
  set: () => false, defineProperty: () => false, deleteProperty: () => false, setPrototypeOf: () => false,
}));

const expose = (object, key, value, enumerable = true) => defineProperty(object, key, { value, writable: false, enumerable, configurable: true });
const ask = (what, ...values) => {
  const json = bridge(9, what, stringify(values));
  return json === undefined ? undefined : parse(json);
};
const discovery = {
  searchTools(query, options) { return ask("search", String(query), options); },
  describeTool(name) { return ask("tool", typeof name === "function" ? name.name : String(name)); },
  describeNamespace(name) { return ask("namespace", String(name)); },
};
const flow = {
  exit() { bridge(7); },
  async parallel(items, fn, limit = 8) {
    if (typeof fn !== "function") throw new TypeError("parallel(items, fn, n) takes a function as its second argument.");
    const list = [...items];
    const results = [];
    let next = 0;
    let failed = false;
    const worker = async () => {
      while (!failed && next < list.length) {
        const index = next++;
        try {
          results[index] = await fn(list[index], index);
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    };
    const workers = [];
    const count = Number(limit) >= 1 ? Number(limit) : 1;
    for (let index = 0; index < count && index < list.length; index += 1) workers.push(worker());
    await Promise.all(workers);
    return results;
  },
};

let scope;
const install = (json) => {
  const { members, namespaces, seed, shadowed, argumentBytes, valueBytes, outputBytes, resultBytes } = parse(json);
  mix(...seed);
  for (let index = 0; index < 12; index += 1) nextRandom();
  MAX_LENGTH.argument = argumentBytes;
  MAX_LENGTH.value = valueBytes;
  MAX_LENGTH.output = outputBytes;
  MAX_LENGTH.result = resultBytes;
  const functions = new Map();
  const functionOf = (index, name) => {
    let made = functions.get(index);
    if (made === undefined) {
      made = (args) => call(index, name, args);
      defineProperty(made, "name", { value: name });
      functions.set(index, freeze(made));
    }
    return made;
  };
  for (const [property, index, name] of members) expose(tools, property, functionOf(index, name), property === name);
  Object.setPrototypeOf(tools, missing);
  freeze(tools);
  for (const [name, own] of namespaces) {
    const object = create(null);
    for (const [property, index, tool] of own) expose(object, property, functionOf(index, tool));
    expose(globalThis, name, freeze(object));
  }
  // A script that declares "var text" means a variable of its own.
  for (const name of shadowed) if (hasOwn(globalThis, name)) defineProperty(globalThis, name, { writable: true });
};

// ---- the end of a script

const conclude = async (form, started) => {
  try {
    let value = await started;
    if (form === "script") value = await value.value;
    else if (form === "module") value = await ("default" in value ? value.default : undefined);
    if (form !== "body" && typeof value === "function") value = isOfScript(value) ? await value(scope) : warnOfGiven(value);
    if (typeof value === "function" || typeof value === "symbol") {
      bridge(10, "The script's value is a " + typeof value + ", which cannot leave it: it counts as no value.");
      value = undefined;
    }
    if (typeof value === "string" && value.length > MAX_LENGTH.value) throw tooLarge(value.length + " characters");
    promiseInValue = iteratorInValue = false;
    const size = send("value", value, 2);
    if (promiseInValue) warnOfPromise("The script's value");
    if (iteratorInValue) bridge(10, "The script's value holds a generator or an iterator, not what it gives: return [...it], or collect it first with for await.");
    if (size !== undefined) throw tooLarge(size + " bytes");
  } catch (error) {
    bridge(3, stringify(describe(error)));
  }
};
/** Only what the script wrote is called with the tools: another tool, say, would be called with arguments that nobody meant. */
const warnOfGiven = (fn) => {
  const name = readText(fn, "name") ?? "";
  bridge(10, "The script's value is a function that the script did not write" + (name === "" ? "" : " (" + name.slice(0, 80) + ")")
    + ", which was not called. To call it, write the call: return await tools.name({ … }); to end without a value, write: return;");
};
const tooLarge = (size) => new LimitError("The script's value has " + size + "; at most " + MAX_LENGTH.value + " bytes can be returned. Filter it, return only the part that is needed, or pass it on to a tool.");

lockDown();
scope = freeze({ tools, text: output.text, image: output.image, store: memory.store, load: memory.load });
expose(globalThis, "tools", tools);
for (const group of [output, memory, flow, discovery]) for (const [name, fn] of entries(group)) expose(globalThis, name, freeze(fn));
const consoleObject = consoleOf();
for (const name of keys(consoleObject)) freeze(consoleObject[name]);
expose(globalThis, "console", freeze(consoleObject));
defineProperty(globalThis, "ALL_TOOLS", {
  get: { ALL_TOOLS() { return ask("all"); } }.ALL_TOOLS, set: undefined, enumerable: true, configurable: true,
});

return {
  install, settle, conclude,
  call: (fn) => conclude("body", (async () => await fn())()),
  shift: (columns) => { firstLineShift = columns; },
  rejection: (reason) => { const { name, message } = describeAlone(reason); return name + ": " + message; },
};
`;
