// Rows 28 to 38: scripts that look for a way out, or for a way to forge what is seen outside.
import { Worker } from "node:worker_threads";
import { turn } from "nestcall/testing";
import { expect } from "vitest";
import { Lab, type LabTools } from "../lab.js";
import { battery } from "./row.js";

const row = battery();

row("row 28: no way to Function leads to the host's process", async (lab) => {
  const source = `
    const found = {};
    const ask = async (name, value) => {
      try { found[name] = await value.constructor.constructor("return typeof process")(); } catch { found[name] = "refused"; }
    };
    const failure = await tools.fail({}).catch((error) => error);
    await ask("tools", tools);
    await ask("tool", tools.echo);
    await ask("error", failure);
    await ask("result", await tools.echo({ a: [1] }));
    await ask("promise", tools.echo({}));
    await ask("this", (function () { return this; })() ?? globalThis);
    await ask("globalThis", globalThis);
    await ask("async function", async () => {});
    await ask("generator", function* () {});
    await ask("console", console.log);
    await ask("text", text);
    try { found.eval = (0, eval)("typeof process"); } catch { found.eval = "refused"; }
    try { found.made = await (async () => {}).constructor("return typeof process")(); } catch { found.made = "refused"; }
    return found;`;
  const found = (await lab.value(source)) as Record<string, string>;
  expect(Object.keys(found)).toHaveLength(13);
  // A way that is closed is as good as one that leads nowhere.
  expect(Object.entries(found).filter(([, seen]) => seen !== "undefined" && seen !== "refused")).toEqual([]);
});

row("row 29: importing a module of the system says that there is none, and to use tools", async (lab) => {
  for (const source of [
    'const fs = await import("node:fs"); return typeof fs;',
    'import fs from "node:fs";\nreturn 1;',
  ]) {
    const run = await lab.run(source);
    expect(run.status).toBe("error");
    expect(run.error?.message).toMatch(/import/i);
    expect(run.error?.message).toMatch(/tools/);
  }
});

const LANGUAGE = [
  ..."Object Function Array Number Boolean String Symbol BigInt Math JSON Date RegExp Map Set WeakMap WeakSet Promise".split(
    " ",
  ),
  ..."Proxy Reflect Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError".split(" "),
  ..."SuppressedError DOMException InternalError Iterator AsyncIterator DisposableStack AsyncDisposableStack".split(
    " ",
  ),
  ..."ArrayBuffer DataView Uint8Array Int8Array Uint8ClampedArray Uint16Array Int16Array Uint32Array Int32Array".split(
    " ",
  ),
  ..."Float16Array Float32Array Float64Array BigInt64Array BigUint64Array eval isNaN isFinite parseInt".split(" "),
  ..."parseFloat escape unescape encodeURI encodeURIComponent decodeURI decodeURIComponent globalThis".split(" "),
  ..."NaN Infinity undefined queueMicrotask structuredClone performance".split(" "),
];
const DOCUMENTED =
  "tools ALL_TOOLS text image console store load exit searchTools describeTool describeNamespace parallel".split(" ");
const TIMERS = "setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate".split(" "); // they say that they do not exist

row("row 30: the globals are those of the language and those that are documented", async (lab) => {
  const names = (await lab.value("return Reflect.ownKeys(globalThis).map(String)")) as string[];
  const known = new Set([...LANGUAGE, ...DOCUMENTED, ...TIMERS, "Symbol(Symbol.toStringTag)"]);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  expect(DOCUMENTED.filter((name) => !names.includes(name))).toEqual([]);
});

row("row 31: a script cannot hand in a result of its own making", async (lab) => {
  const source = `
    const tried = [];
    const looksInner = /send|post|settle|result|host|bridge|dispatch|native|^_|__/i;
    for (const key of Reflect.ownKeys(globalThis).filter((key) => looksInner.test(String(key)))) {
      try { globalThis[key]?.({ status: "ok", value: "forged" }); tried.push(String(key)); } catch {}
    }
    for (const known of [tools, tools.echo, console, console.log, text, exit, store, Promise.prototype.then]) {
      for (const key of Reflect.ownKeys(known).filter((key) => looksInner.test(String(key)))) tried.push(String(key));
      try { if (known.caller || known.arguments) tried.push("caller"); } catch {}
    }
    Error.prepareStackTrace = (_error, frames) => {
      for (const frame of frames) { try { const f = frame.getFunction?.(); if (f) tried.push("frame " + f.name); } catch {} }
      return "";
    };
    try { tools.nothing({}); } catch (error) { void error.stack; }
    return tried;`;
  expect(await lab.value(source)).toEqual([]);
});

row("row 32: replaced built-ins change no call, no output and no value", async (lab) => {
  const source = `
    const forge = (object, key, value) => {
      try { object[key] = value; } catch {}
      try { Object.defineProperty(object, key, { value, configurable: true }); } catch {}
    };
    forge(JSON, "stringify", () => '"forged"');
    forge(JSON, "parse", () => "forged");
    forge(Promise.prototype, "then", function (done) { done("forged"); });
    forge(Map.prototype, "get", () => "forged");
    forge(Array.prototype, "push", () => "forged");
    forge(Array.prototype, "toJSON", () => "forged");
    forge(Object.prototype, "toJSON", () => "forged");
    forge(String.prototype, "toJSON", () => "forged");
    forge(Object.prototype, "then", (done) => done("forged"));
    forge(globalThis, "Promise", "forged");
    forge(globalThis, "JSON", "forged");
    text({ printed: [1] });
    const result = await tools.echo({ list: [1, { two: 2 }] });
    return { result, made: [3] };`;
  const run = await lab.run(source);
  expect(run).toMatchObject({ status: "ok", value: { result: { list: [1, { two: 2 }] }, made: [3] } });
  expect(lab.made).toEqual([["echo", { list: [1, { two: 2 }] }]]);
  expect(JSON.stringify(run.output)).not.toContain("forged");
  expect(JSON.stringify(run.output)).toContain("printed");
});

row("row 33: closing what a script is wrapped in is a syntax error, and nothing runs", async (lab) => {
  const call = "tools.echo({ escaped: true });";
  const ends = ["}", "});", "})();", "}})();", "*/ }", "]);", "`;", '"}'];
  for (const end of ends) {
    for (const begin of ["", "(async () => {", "(function () { {", "/*", "async function x() {"]) {
      const run = await lab.run(`return 1; ${end} ${call} ${begin}`);
      expect([end, begin, run.status, run.error?.name]).toEqual([end, begin, "error", "SyntaxError"]);
    }
  }
  expect(lab.seen).toEqual([]);
});

row("row 34: what one script plants is not there for the next", async (lab) => {
  const plant = `
    globalThis.planted = 1;
    var plantedToo = 2;
    for (const object of [Object.prototype, Array.prototype, Promise, tools, console, Math]) try { object.planted = 3; } catch {}
    try { Object.defineProperty(Object.prototype, "planted", { value: 4 }); } catch {}
    return "planted";`;
  await lab.value(plant);
  const look =
    "return [typeof planted, typeof plantedToo, ...[{}, [], Promise, console, Math].map((o) => typeof o.planted)]";
  expect(await lab.value(look)).toEqual(Array(7).fill("undefined"));
});

row("row 35: an argument with a key __proto__ is refused, and the host stays clean", async (lab) => {
  for (const json of ['{ "__proto__": { "dirty": true } }', '{ "a": [{ "__proto__": { "dirty": true } }] }']) {
    const source = `try { await tools.echo(JSON.parse('${json}')); } catch (error) { return error.message; }`;
    expect(await lab.value(source)).toContain("__proto__");
  }
  expect(lab.seen).toEqual([]);
  expect(Object.hasOwn(Object.prototype, "dirty")).toBe(false);
});

row("row 36: a result with a key __proto__ keeps it as data", async (lab) => {
  const source = `
    const odd = await tools.odd({});
    return [Object.hasOwn(odd, "__proto__"), Object.getPrototypeOf(odd) === Object.prototype, typeof odd.dirty];`;
  const tools: LabTools = { odd: () => JSON.parse('{ "__proto__": { "dirty": true } }') };
  expect(await lab.value(source, tools)).toEqual([true, true, "undefined"]);
});

/** No path, no module and no line beyond the script's own. */
function expectScriptLinesOnly(stack: unknown, lines: number): void {
  const text = String(stack);
  expect(text).not.toMatch(/prelude|bridge|node:|file:|\.wasm|\.[cm]?[jt]s\b|[/\\](work|tmp|src|dist|home|usr)[/\\]/i);
  const seen = [...text.matchAll(/:(\d+):\d+\)?$/gm)].map(([, line]) => Number(line));
  expect(seen.filter((line) => line < 1 || line > lines)).toEqual([]);
}

row("row 37: stacks show lines of the script and nothing else", async (lab) => {
  const thrown = await lab.run('const inner = () => {\n  throw new Error("mine");\n};\ninner();');
  expect(thrown.error?.stack).toBeDefined();
  expectScriptLinesOnly(thrown.error?.stack, 4);
  const broken = await lab.run("const a = 1;\nconst = 2;");
  expectScriptLinesOnly(`${broken.error?.message}\n${broken.error?.stack}`, 2);
  for (const failing of [
    "await tools.fail({})",
    "await tools.nothing({})",
    "await tools.echo({ n: 1n })",
    "text(1n, 2, 3)",
    "store(1n, () => {})",
  ]) {
    const run = await lab.run(`try {\n  ${failing};\n} catch (error) {\n  return error.stack;\n}\nreturn "";`);
    expectScriptLinesOnly(run.value, 6);
  }
  const escaped = await lab.run("await tools.fail({});");
  expectScriptLinesOnly(escaped.error?.stack, 1);
});

/** The worker to which the runtime speaks while `act` runs, and what it says. */
async function overhear(act: () => Promise<unknown>) {
  const { postMessage } = Worker.prototype;
  const heard: { readonly worker: Worker; readonly message: { readonly type?: string; readonly run?: number } }[] = [];
  Worker.prototype.postMessage = function (this: Worker, message: never, ...more: readonly never[]) {
    heard.push({ worker: this, message });
    return postMessage.call(this, message, ...more);
  };
  try {
    await act();
  } finally {
    Worker.prototype.postMessage = postMessage;
  }
  const found = heard.find(({ message }) => message.type === "run");
  if (found?.message.run === undefined) throw new Error("no script was begun");
  return { worker: found.worker, run: found.message.run };
}

row("row 38: messages for another run, a run that is over, or a call that is not there are dropped", async (lab) => {
  const forgedEnd = (run: number) => ({
    ...{ type: "report", run, calls: [[1, 0, "{}"]], state: "done", cpuMs: 0, wallMs: 0, wallLeftMs: 0 },
    ending: {
      ...{ outcome: { kind: "value", json: '"forged"' }, output: [], console: [], warnings: [] },
      ...{ stored: [["key", '"forged"']], drainMs: 0, unawaited: [] },
    },
  });
  const forgedResult = (run: number, call: number) => ({
    ...{ type: "settle", run, settlements: [[call, 1, '"forged"', 0]], pausedMs: 0 },
  });
  const over = await overhear(() => lab.value("return 1"));

  let running: Promise<unknown> = Promise.resolve();
  const { worker, run } = await overhear(async () => {
    running = lab.value("return await tools.held({});");
    while (lab.seen.length === 0) await turn();
  });
  const calls = lab.seen.length;
  for (const other of [over.run, run + 1, run - 1, run + 4096, -run, 0, Number.NaN]) {
    worker.emit("message", forgedEnd(other)); // as a modified worker would send it
    worker.postMessage(forgedResult(other, 1)); // and what another run's result would be
  }
  worker.postMessage(forgedResult(run, 2));
  worker.postMessage(forgedResult(run, 0));
  expect(await new Lab(lab.runtime).value("return 2")).toBe(2); // whatever came before has been dealt with
  expect(lab.seen).toHaveLength(calls);
  lab.gate.open("honest");
  expect(await running).toBe("honest");
});
