// The tool `codemode` in an engine: C1, C2, C3, exposure, store, journals and aborts.
import { createExecutor, type Tool, type ToolCallOutcome, Type } from "nestcall";
import { createCodemodeRuntime, createCodemodeTool } from "nestcall/codemode";
import { approvalGuard } from "nestcall/guards";
import { createGate, turn } from "nestcall/testing";
import { afterAll, describe, expect, test } from "vitest";
import { closed, type Data, define, eventsOf, textOf, tool, untilAborted } from "../helpers/engine.js";

const runtime = createCodemodeRuntime();
afterAll(() => runtime.close());

type ToolOptions = Partial<Parameters<typeof createCodemodeTool>[0]>;

function engine(tools: readonly Tool[], options: ToolOptions = {}) {
  const executor = createExecutor({ tools: [...tools] });
  const codemode = createCodemodeTool({ runtime, executor, ...options });
  executor.registry.register(codemode);
  const run = (code: string, more: object = {}) =>
    executor.executeTool("codemode", { code }, { toolCallId: "T", ...more });
  return { executor, codemode, run };
}
const leaf = tool("leaf", ({ n }) => `leaf ${String(n)}`, { effect: "read" });
const gave = ({ result }: ToolCallOutcome) => (result.details as { readonly value?: unknown }).value;
const recorded = ({ nestedCalls }: Awaited<ReturnType<ReturnType<typeof engine>["run"]>>) =>
  nestedCalls?.calls.map(({ id, name, status }) => `${id} ${name} ${status}`);

describe("C1, the way out", () => {
  test("C1: each call is a nested call: id, hooks with the source, events, record, usage", async () => {
    const costly = tool("costly", () => ({ content: [], usage: { input: 5 } }));
    const { executor, run } = engine([leaf, costly]);
    const seen: string[] = [];
    executor.on("tool_call", ({ toolCallId, source }) => void seen.push(`${toolCallId} ${source}`));
    const events = eventsOf(executor);
    const outcome = await run("await tools.leaf({ n: 1 }); await tools.costly(); return await tools.leaf({ n: 2 });");
    expect([outcome.status, textOf(outcome)]).toEqual(["ok", "leaf 2"]);
    expect(seen).toEqual(["T model", "T/1 codemode", "T/2 codemode", "T/3 codemode"]);
    expect(recorded(outcome)).toEqual(["T/1 leaf ok", "T/2 costly ok", "T/3 leaf ok"]);
    expect(events.filter(({ parentToolCallId }) => parentToolCallId === "T")).toHaveLength(6);
    expect(outcome.usage).toEqual({ input: 5 });
  });

  test("C1: arguments are checked and repaired by the engine, and a hook's patch runs", async () => {
    const add = define({
      name: "add",
      inputSchema: closed({ a: Type.Integer(), b: Type.Integer() }),
      execute: ({ a, b }: { a: number; b: number }) => String(a + b),
    });
    const { executor, run } = engine([add]);
    executor.on("tool_call", (event) => {
      if (event.toolName === "add") (event.input as { b: number }).b += 100;
    });
    expect(textOf(await run('return await tools.add({ a: "1", b: 2 });'))).toBe("103");
    const refused = await run(
      "try { await tools.add({ a: 1 }); } catch (error) { return [error.code, error.message]; }",
    );
    expect(gave(refused)).toEqual(["INVALID_ARGUMENTS", expect.stringContaining("b")]);
  });

  test("C1: a script cannot start another one by this tool", async () => {
    const { run } = engine([leaf]);
    const code =
      'try { await tools.codemode({ code: "1" }); } catch (error) { return [error.message, ALL_TOOLS.length]; }';
    expect(gave(await run(code))).toEqual([expect.stringContaining('no tool "codemode"'), 1]);
  });
});

describe("C2, what a script gets", () => {
  const kinds = [
    define({
      name: "data",
      outputSchema: closed({ n: Type.Integer() }),
      execute: () => ({ structuredContent: { n: 7 } }),
    }),
    tool("undeclared", () => ({ content: [{ type: "text", text: "shown" }], structuredContent: { n: 7 } })),
    tool("words", () => ({
      content: [
        { type: "text", text: "two" },
        { type: "text", text: "lines" },
      ],
    })),
    tool("nothing", () => undefined),
    tool("picture", () => ({ content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] })),
  ];
  test.each([
    ["data", { n: 7 }],
    ["undeclared", "shown"],
    ["words", "two\nlines"],
    ["nothing", ""],
    ["picture", [{ type: "image", data: "AAAA", mimeType: "image/png" }]],
  ])("C2: a call of %s gives %j", async (name, value) => {
    const outcome = await engine(kinds).run(`return { value: await tools.${name}() };`);
    expect(gave(outcome)).toEqual({ value });
  });

  test("C2: a failure rejects with the tool's text, code and details", async () => {
    const broken = tool("broken", () => ({
      content: [{ type: "text", text: "out of paper" }],
      structuredContent: { tray: 2 },
      isError: true,
    }));
    const { run } = engine([broken]);
    const read = "return [error instanceof Error, error.name, error.message, error.code, error.details];";
    const outcome = await run(`try { await tools.broken(); } catch (error) { ${read} }`);
    expect(gave(outcome)).toEqual([true, "ToolError", "out of paper", "TOOL_FAILED", { tray: 2 }]);
  });

  test("C2: calls that are not awaited are waited for, with a warning in the text", async () => {
    const gate = createGate<string>();
    const slow = tool("slow", () => gate.promise);
    const { executor, run } = engine([slow]);
    const events = eventsOf(executor);
    const running = run('tools.slow(); return "early";');
    while (!events.some(({ toolName }) => toolName === "slow")) await turn();
    gate.open("late");
    const outcome = await running;
    expect(recorded(outcome)).toEqual(["T/1 slow ok"]);
    expect(textOf(outcome)).toMatch(/^early\n.*Warning: .*await/s);
  });
});

describe("C3, guards in scripts", () => {
  const wipe = tool("wipe", () => "wiped", { effect: "destructive" });

  test("C3: a blocked call rejects with the guard's reason, and each try is seen", async () => {
    const { executor, run } = engine([wipe]);
    let tries = 0;
    executor.on("tool_call", ({ toolName }) => {
      if (toolName !== "wipe") return undefined;
      tries += 1;
      return { block: true, reason: "not on my disk" };
    });
    const outcome = await run(`
      const said = [];
      for (let i = 0; i < 3; i += 1) try { await tools.wipe(); } catch (error) { said.push(error.code + " " + error.message); }
      return said;`);
    expect(gave(outcome)).toEqual(Array(3).fill("BLOCKED not on my disk"));
    expect(tries).toBe(3);
  });

  test("C3: a call that waits for approval settles late, other calls go on, and the wait is not the script's time", async () => {
    const answer = createGate<boolean>();
    const { executor, run } = engine([wipe, leaf], { limits: { wallMs: 100 } });
    executor.on(
      "tool_call",
      approvalGuard({ confirm: () => answer.promise, needsApproval: ({ toolName }) => toolName === "wipe" }),
    );
    const events = eventsOf(executor);
    const running = run(
      "const wiped = tools.wipe(); const read = await tools.leaf({ n: 1 }); return [read, await wiped];",
    );
    while (!events.some(({ type, toolName }) => type === "tool_execution_end" && toolName === "leaf")) await turn();
    await new Promise((resolve) => setTimeout(resolve, 200)); // longer than the script's time
    answer.open(true);
    const outcome = await running;
    expect([outcome.status, gave(outcome)]).toEqual(["ok", ["leaf 1", "wiped"]]);
  });

  test("C3: many scripts that wait for approval do not keep another from running", async () => {
    const answer = createGate<boolean>();
    const { executor, run } = engine([wipe, leaf]);
    executor.on(
      "tool_call",
      approvalGuard({ confirm: () => answer.promise, needsApproval: ({ toolName }) => toolName === "wipe" }),
    );
    const parked = Array.from({ length: 40 }, (_, n) => run("return await tools.wipe();", { toolCallId: `P${n}` }));
    expect(textOf(await run("return await tools.leaf({ n: 1 });"))).toBe("leaf 1");
    answer.open(false);
    for (const outcome of await Promise.all(parked)) expect(textOf(outcome)).toContain("wipe was not approved");
  });

  test("C3, T2: an abort ends a parked script at once; the outcome is aborted, and the script catches nothing", async () => {
    const controller = new AbortController();
    const deaf = tool("deaf", (_args, ctx) => untilAborted(ctx.signal));
    const { executor, run } = engine([deaf, leaf]);
    const events = eventsOf(executor);
    const code = "try { await tools.deaf(); } catch {} await tools.leaf({ n: 1 }); return 1;";
    const running = run(code, { signal: controller.signal });
    while (!events.some(({ toolName }) => toolName === "deaf")) await turn();
    controller.abort(new Error("changed my mind"));
    const outcome = await running;
    expect([outcome.status, outcome.error?.code]).toEqual(["aborted", "ABORTED"]);
    expect(recorded(outcome)).toEqual(["T/1 deaf aborted"]);
    expect(textOf(await run("return 1"))).toBe("1");
  });

  test("T2: an abort ends a script that computes", async () => {
    const controller = new AbortController();
    const { executor, run } = engine([leaf]);
    const events = eventsOf(executor);
    const running = run("await tools.leaf({}); for (;;) {}", { signal: controller.signal });
    while (!events.some(({ type, toolName }) => type === "tool_execution_end" && toolName === "leaf")) await turn();
    controller.abort();
    expect((await running).status).toBe("aborted");
  });
});

describe("7.1, failures", () => {
  test("7.1: a failed script is an error with the calls that it made, and a limit's name", async () => {
    const { run } = engine([leaf], { limits: { cpuMs: 50 } });
    const thrown = await run('await tools.leaf({ n: 1 });\nthrow new TypeError("no good");');
    expect([thrown.status, thrown.error?.code]).toEqual(["error", "TOOL_FAILED"]);
    expect(textOf(thrown)).toMatch(/^Failed after \d+ ms: TypeError: no good \(line 2\)\n/);
    expect(textOf(thrown)).toContain("T/1 leaf: ok");
    const looped = await run("await tools.leaf({ n: 1 }); for (;;) {}");
    expect(textOf(looped)).toMatch(/limit cpu/);
    expect(textOf(looped)).toContain("T/1 leaf: ok");
  });
});

describe("exposure", () => {
  const tools = [
    tool("direct_one", () => "direct_one"),
    tool("inactive_one", () => "inactive_one"),
    tool("codemode_one", () => "codemode_one", { exposure: "codemode" }),
    tool("deferred_one", () => "deferred_one", {
      exposure: "deferred",
      description: "Turns the weather into a rhyme.",
    }),
    tool("model_one", () => "model_one", { exposure: "model-only" }),
    tool("hidden_one", () => "hidden_one", { exposure: "hidden" }),
  ];

  test("4.4: the description lists what scripts can reach, and not deferred, model-only or hidden tools", () => {
    const { executor, codemode } = engine(tools);
    executor.registry.setActiveTools(["direct_one", "model_one", "codemode"]);
    const { description } = codemode;
    expect(["direct_one", "codemode_one"].every((name) => description.includes(name))).toBe(true);
    for (const name of ["inactive_one", "deferred_one", "model_one", "hidden_one"])
      expect(description).not.toContain(name);
    expect(description).toMatch(/1 more tool.*searchTools/);
  });

  test("7.1: the description is rendered when it is read", () => {
    const { executor, codemode } = engine([leaf]);
    expect(codemode.description).not.toContain("late_one");
    executor.registry.register(tool("late_one", () => ""));
    expect(codemode.description).toContain("late_one");
    const shown = executor.registry.getAllTools().find(({ name }) => name === "codemode");
    expect(shown?.description).toContain("late_one");
  });

  test("4.4: deferred tools are found by search and can be called; the others cannot", async () => {
    const { executor, run } = engine(tools);
    executor.registry.setActiveTools(["direct_one", "model_one", "codemode"]);
    const found = await run('return (await searchTools("weather rhyme")).map((tool) => tool.name);');
    expect(gave(found)).toEqual(["deferred_one"]);
    const called = await run(`
      const said = {};
      for (const name of ${JSON.stringify(tools.map(({ name }) => name))}) {
        try { said[name] = await tools[name](); } catch (error) { said[name] = "none"; }
      }
      return said;`);
    expect(gave(called)).toEqual({
      direct_one: "direct_one",
      inactive_one: "none",
      codemode_one: "codemode_one",
      deferred_one: "deferred_one",
      model_one: "none",
      hidden_one: "none",
    });
  });

  test("7.1: the description keeps its budget", () => {
    const many = Array.from({ length: 200 }, (_, n) =>
      tool(`tool_${n}`, () => "", { description: `Does the thing number ${n}, at length and with care.` }),
    );
    const { codemode } = engine(many, { budgetTokens: 1000 });
    expect(codemode.description.length).toBeLessThan(1000 * 4 + 2500);
  });
});

describe("7.1, store", () => {
  test("7.1: what a script stores the next one loads; a failed script stores nothing", async () => {
    const { run } = engine([]);
    await run('store("count", 1);');
    await run('store("count", 2); throw new Error("no");');
    expect(gave(await run('return load("count");'))).toBe(1);
    await run('store("count", undefined);');
    expect(gave(await run('return load("count") ?? "gone";'))).toBe("gone");
  });

  test("7.1: a host gives each session a store of its own", async () => {
    const stores = new Map<string, Map<string, unknown>>();
    const store = ({ toolCallId }: { readonly toolCallId: string }) => {
      const session = toolCallId.slice(0, 1);
      const own = stores.get(session) ?? new Map<string, unknown>();
      stores.set(session, own);
      return own;
    };
    const { run } = engine([], { store });
    await run('store("who", "A");', { toolCallId: "A1" });
    expect(gave(await run('return load("who") ?? "nobody";', { toolCallId: "B1" }))).toBe("nobody");
    expect(gave(await run('return load("who");', { toolCallId: "A2" }))).toBe("A");
  });
});

describe("C5, journals", () => {
  const CODE = "const a = await tools.once({ n: 1 }); const b = await tools.once({ n: 2 }); return [a, b];";

  /** An engine whose second call is cut off while it runs, and what its journal holds then. */
  async function cutOff(more: Data) {
    const journal: unknown[] = [];
    const ran: unknown[] = [];
    const controller = new AbortController();
    const once = tool(
      "once",
      ({ n }, ctx) => {
        ran.push(n);
        return n === 2 && ran.length === 2 ? untilAborted(ctx.signal) : `ran ${String(n)}`;
      },
      more,
    );
    const options = { journal: () => journal };
    const first = engine([once], options);
    const running = first.run(CODE, { signal: controller.signal });
    while (ran.length < 2) await turn();
    controller.abort();
    expect((await running).status).toBe("aborted");
    return { once, ran, journal, options };
  }

  test("7.1: a resumed script runs nothing again that has a result, and goes on with its numbers", async () => {
    const { once, ran, options } = await cutOff({ effect: "write", idempotent: true });
    const outcome = await engine([once], options).run(CODE);
    expect([outcome.status, gave(outcome)]).toEqual(["ok", ["ran 1", "ran 2"]]);
    expect(ran).toEqual([1, 2, 2]);
    expect(recorded(outcome)).toEqual(["T/2 once ok"]);
  });

  test.each([true, false, undefined])(
    "7.1: a call in doubt that is not idempotent is up to the host: %s",
    async (answer) => {
      const { once, ran, options } = await cutOff({ effect: "write" });
      const asked: unknown[] = [];
      const confirmInDoubt = ({
        toolCallId,
        toolName,
        arguments: args,
      }: {
        toolCallId: string;
        toolName: string;
        arguments: unknown;
      }) => {
        asked.push([toolCallId, toolName, args]);
        return answer === true;
      };
      const outcome = await engine([once], { ...options, ...(answer === undefined ? {} : { confirmInDoubt }) }).run(
        CODE,
      );
      expect(asked).toEqual(answer === undefined ? [] : [["T/2", "once", { n: 2 }]]);
      expect(ran).toEqual(answer === true ? [1, 2, 2] : [1, 2]);
      if (answer === true) expect(gave(outcome)).toEqual(["ran 1", "ran 2"]);
      else expect(textOf(outcome)).toContain("may have taken effect");
    },
  );
});

test.each([
  ["no options", undefined, "options must be an object"],
  ["an unknown option", { runTime: 1 }, '"runtime"'],
  ["no runtime", { runtime: {} }, "options.runtime"],
  ["no executor", { runtime: { run() {} }, executor: {} }, "options.executor"],
  ["a budget of nothing", { budgetTokens: 0 }, "options.budgetTokens"],
  ["a store that is none", { store: {} }, "options.store"],
  ["a limit that does not exist", { limits: { speed: 1 } }, "speed"],
  ["a journal that is no function", { journal: [] }, "options.journal"],
])("7: %s is refused with the place", (_name, given, place) => {
  const complete = given === undefined ? undefined : { runtime, executor: createExecutor(), ...given };
  expect(() => createCodemodeTool(complete as never)).toThrow(place);
});
