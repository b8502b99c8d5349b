import { createExecutor, defineTool, Type } from "nestcall";
import { createGate, turn } from "nestcall/testing";
import { expect, test } from "vitest";

const anything = Type.Object({});

test("B5: a tool that was left behind gives its turn back, to nested calls and to the calls of a batch", async () => {
  const never = createGate();
  const deaf = defineTool({
    name: "deaf",
    description: "Does not listen to its signal.",
    inputSchema: anything,
    timeoutMs: 5,
    execute: async () => void (await never.promise),
  });
  const quick = defineTool({ name: "quick", description: "Is quick.", inputSchema: anything, execute: () => "quick" });
  const top = defineTool({
    name: "top",
    description: "Calls both.",
    inputSchema: anything,
    async execute(_args, ctx) {
      const calls = [ctx.executeTool(deaf, {}), ctx.executeTool(quick, {})];
      return (await Promise.all(calls)).map(({ error, status }) => error?.code ?? status).join();
    },
  });
  const executor = createExecutor({ tools: [deaf, quick, top], limits: { maxConcurrency: 1, abortGraceMs: 5 } });

  expect((await executor.executeTool(top, {})).result.content).toEqual([{ type: "text", text: "TIMEOUT,ok" }]);
  const batch = await executor.executeBatch([
    { id: "a", name: "deaf" },
    { id: "b", name: "quick" },
  ]);
  expect(batch.outcomes.map(({ error, status }) => error?.code ?? status)).toEqual(["TIMEOUT", "ok"]);
});

test("B5: calls that are aborted while they wait for a turn are passed over", async () => {
  const firstMayEnd = createGate();
  const ran: unknown[] = [];
  const step = defineTool({
    name: "step",
    description: "One step.",
    inputSchema: Type.Object({ n: Type.Integer() }, { additionalProperties: false }),
    async execute({ n }) {
      ran.push(n);
      if (n === 0) await firstMayEnd.promise;
    },
  });
  const stop = new AbortController();
  const top = defineTool({
    name: "top",
    description: "Makes four steps.",
    inputSchema: anything,
    async execute(_args, ctx) {
      const calls = [0, 1, 2, 3].map((n) =>
        ctx.executeTool(step, { n }, n === 1 || n === 2 ? { signal: stop.signal } : {}),
      );
      await turn();
      stop.abort();
      firstMayEnd.open();
      return (await Promise.all(calls)).map(({ status }) => status).join();
    },
  });
  const executor = createExecutor({ tools: [step, top], limits: { maxConcurrency: 1 } });
  const { result } = await executor.executeTool(top, {});
  expect(result.content).toEqual([{ type: "text", text: "ok,aborted,aborted,ok" }]);
  expect(ran).toEqual([0, 3]);
});
