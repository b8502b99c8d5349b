// Cases from public bug reports that are about calls, hooks, arguments and errors.
import { type CallHookEvent, createExecutor, type ToolCallHook, type ToolCallOutcome, Type } from "nestcall";
import { type ApprovalRequest, approvalGuard } from "nestcall/guards";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { at, caller, closed, type Data, endOf, textOf, tool } from "../helpers/engine.js";

test("TC01: three calls at once are numbered and recorded in call order, whatever order they finish in", async () => {
  const gates = [createGate(), createGate(), createGate()];
  const told: string[] = [];
  const leaf = tool("leaf", async ({ n }, ctx) => {
    told.push(`${String(n)} is ${ctx.toolCallId}`);
    await gates[Number(n) / 10 - 1]?.promise;
    gates[Number(n) / 10]?.open(); // 10, then 20, then 30
    return { content: [], structuredContent: n };
  });
  const fan = tool("fan", async (_args, ctx) => {
    const calls = [30, 20, 10].map((n) => ctx.executeTool("leaf", { n }));
    gates[0]?.open();
    const outcomes = await Promise.all(calls);
    return { content: [], structuredContent: outcomes.map(({ result }) => result.structuredContent) };
  });
  const executor = createExecutor({ tools: [leaf, fan] });
  const ended: string[] = [];
  executor.on("tool_execution_end", ({ toolCallId }) => void ended.push(toolCallId));
  const { result, nestedCalls } = await executor.executeTool("fan", {}, { toolCallId: "T" });
  expect(result.structuredContent).toEqual([30, 20, 10]);
  expect(nestedCalls?.calls.map(({ id, arguments: args, status }) => [id, args, status])).toEqual([
    ["T/1", { n: 30 }, "ok"],
    ["T/2", { n: 20 }, "ok"],
    ["T/3", { n: 10 }, "ok"],
  ]);
  expect(ended).toEqual(["T/3", "T/2", "T/1", "T"]);
  expect(told).toEqual(["30 is T/1", "20 is T/2", "10 is T/3"]);
});

test("TC03: a hook blocks a tool two levels down, and saw every call above it", async () => {
  const [seen, ran, nested] = [[] as string[], [] as string[], [] as ToolCallOutcome[]];
  const rm = tool("rm", () => void ran.push("rm"));
  const mid = tool("mid", async (_args, ctx) => textOf(await ctx.executeTool("rm", { path: "x" })));
  const executor = createExecutor({ tools: [rm, mid, caller("outer", [["mid"]], nested)] });
  executor.on("tool_call", ({ toolName, toolCallId }) => {
    seen.push(`${toolName} ${toolCallId}`);
    return toolName === "rm" ? { block: true, reason: "no rm" } : undefined;
  });
  const { nestedCalls } = await executor.executeTool("outer", {}, { toolCallId: "T" });
  expect([ran, seen]).toEqual([[], ["outer T", "mid T/1", "rm T/1/1"]]);
  expect(textOf(at(nested, 0))).toContain("no rm");
  expect(nestedCalls?.calls).toMatchObject([
    { id: "T/1", status: "ok" },
    { id: "T/1/1", status: "error", code: "BLOCKED" },
  ]);
});

test.each([
  ["h1 h2 h3", "B"],
  ["h2 h1 h3", "B"],
  ["h1 h3 h2", "A"],
])("TC05: of hooks in the order %s the third sees %s", async (order, wanted) => {
  let noted: unknown;
  const hooks: { readonly [name: string]: ToolCallHook } = {
    h1: () => {},
    h2: () => ({ input: { cmd: "B" } }),
    h3: ({ input }) => {
      noted = structuredClone(input);
    },
  };
  const executor = createExecutor({
    tools: [tool("sh", ({ cmd }) => String(cmd), { inputSchema: closed({ cmd: Type.String() }) })],
  });
  for (const name of order.split(" ")) executor.on("tool_call", hooks[name] as ToolCallHook);
  const results: unknown[] = [];
  executor.on("tool_result", ({ originalArguments, input }) => void results.push([originalArguments, input]));
  const outcome = await executor.executeTool("sh", { cmd: "A" });
  expect([textOf(outcome), noted]).toEqual(["B", { cmd: wanted }]);
  expect(results).toEqual([[{ cmd: "A" }, { cmd: "B" }]]);
});

test("TC07: an approver is asked once for each call, by its id, and only what was approved runs", async () => {
  const [ran, nested, asked] = [[] as unknown[], [] as ToolCallOutcome[], [] as unknown[]];
  const del = tool("del", ({ id }) => void ran.push(id), { effect: "destructive" });
  const outer = tool(
    "outer",
    async (_args, ctx) => {
      nested.push(...(await Promise.all([1, 2].map((id) => ctx.executeTool("del", { id })))));
    },
    { effect: "read" },
  );
  const executor = createExecutor({ tools: [del, outer] });
  const confirm = ({ toolCallId, arguments: args }: ApprovalRequest) => {
    asked.push([toolCallId, args]);
    return Promise.resolve(toolCallId === "T/2");
  };
  executor.on("tool_call", approvalGuard({ confirm }));
  await executor.executeTool("outer", {}, { toolCallId: "T" });
  expect([ran, nested.map(endOf)]).toEqual([[2], ["BLOCKED", "ok"]]);
  expect(asked).toEqual([
    ["T/1", { id: 1 }],
    ["T/2", { id: 2 }],
  ]);
});

/** A tool that keeps what it got. */
function keeper(name: string, got: Data[], properties: Data) {
  return tool(name, (args) => void got.push(args), { inputSchema: closed(properties) });
}

test("TC09: JSON texts and numerals in place of values are repaired", async () => {
  const got: Data[] = [];
  const find = keeper("find", got, {
    queries: Type.Array(Type.String()),
    filter: Type.Optional(closed({ kind: Type.String() }) as never),
    limit: Type.Optional(Type.Integer()),
  });
  const executor = createExecutor({
    tools: [find, caller("outer", [["find", { queries: '["a","b"]', filter: '{"kind":"x"}', limit: "5" }]])],
  });
  const { nestedCalls } = await executor.executeTool("outer");
  expect(got).toEqual([{ queries: ["a", "b"], filter: { kind: "x" }, limit: 5 }]);
  expect(nestedCalls?.calls[0]?.arguments).toEqual(got[0]);
});

test("TC11: empty optional fields that their schema refuses are absent for the tool", async () => {
  const got: Data[] = [];
  const select = keeper("select", got, {
    ns: Type.String(),
    selector: Type.Optional(Type.String({ pattern: "^[a-z]+=[a-z]+$" })),
    limit: Type.Optional(Type.Number()),
  });
  const executor = createExecutor({
    tools: [select, caller("outer", [["select", { ns: "k", selector: "", limit: null }]])],
  });
  await executor.executeTool("outer");
  expect(got).toEqual([{ ns: "k" }]);
  expect(Object.keys(at(got, 0))).toEqual(["ns"]);
});

test("TC13: an unknown name is told with the closest known one, and the caller goes on", async () => {
  const [ran, nested] = [[] as string[], [] as ToolCallOutcome[]];
  const tools = ["get_sites", "get_site_health"].map((name) => tool(name, () => void ran.push(name)));
  const executor = createExecutor({
    tools: [
      ...tools,
      caller(
        "outer",
        [
          ["list_sites", {}],
          ["get_sites", {}],
        ],
        nested,
      ),
    ],
  });
  await executor.executeTool("outer");
  expect([nested.map(endOf), ran]).toEqual([["UNKNOWN_TOOL", "ok"], ["get_sites"]]);
  for (const name of ["list_sites", "get_sites"]) expect(textOf(at(nested, 0))).toContain(name);
});

test("TC27: usage at three depths is summed once, and each call tells its own part", async () => {
  const outcomes: ToolCallOutcome[] = [];
  const spender = (name: string, usage: Data, target?: string) =>
    tool(name, async (_args, ctx) => {
      if (target !== undefined) outcomes.push(await ctx.executeTool(target));
      return { content: [], usage };
    });
  const executor = createExecutor({
    tools: [
      spender("outer", { input: 1, output: 1, cost: 0.001 }, "mid"),
      spender("mid", { input: 10, output: 2, cost: 0.01 }, "deep"),
      spender("deep", { input: 100, output: 3, cost: 0.1 }),
    ],
  });
  const { usage } = await executor.executeTool("outer");
  expect(usage).toMatchObject({ input: 111, output: 6 });
  expect(usage?.cost).toBeCloseTo(0.111, 9);
  const [deep, mid] = outcomes;
  expect(mid?.result.usage).toEqual({ input: 10, output: 2, cost: 0.01 });
  expect([mid?.usage?.input, deep?.usage?.input]).toEqual([110, 100]);
});

test("TC29: large arguments reach the tool whole and are left out of the record, which keeps 256 calls", async () => {
  const lengths: number[] = [];
  let pings = 0;
  const echo = tool("echo", ({ s }) => void lengths.push(String(s).length));
  const ping = tool("ping", () => {
    pings += 1;
  });
  const many = tool("many", async (_args, ctx) => {
    await Promise.all(Array.from({ length: 300 }, (_, i) => ctx.executeTool("ping", { i })));
  });
  const executor = createExecutor({ tools: [echo, ping, many, caller("one", [["echo", { s: "x".repeat(20_000) }]])] });
  const one = await executor.executeTool("one");
  expect(lengths).toEqual([20_000]);
  expect(one.nestedCalls).toMatchObject({ complete: false, calls: [{ argumentsBytes: 20_008 }] });
  expect(at(one.nestedCalls?.calls, 0)).not.toHaveProperty("arguments");
  const { nestedCalls } = await executor.executeTool("many");
  expect([pings, nestedCalls?.calls.length, nestedCalls?.dropped, nestedCalls?.complete]).toEqual([
    300,
    256,
    44,
    false,
  ]);
});

test("TC03: a hook is told the depth and the caller of each call", async () => {
  const seen: Pick<CallHookEvent, "depth" | "parentToolCallId">[] = [];
  const executor = createExecutor({
    tools: [tool("leaf", () => {}), caller("mid", [["leaf"]]), caller("outer", [["mid"]])],
  });
  executor.on("tool_call", ({ depth, parentToolCallId }) => void seen.push({ depth, parentToolCallId }));
  await executor.executeTool("outer", {}, { toolCallId: "T" });
  expect(seen).toEqual([
    { depth: 0, parentToolCallId: undefined },
    { depth: 1, parentToolCallId: "T" },
    { depth: 2, parentToolCallId: "T/1" },
  ]);
});
