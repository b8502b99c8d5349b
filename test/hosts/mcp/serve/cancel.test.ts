// A client that takes a call back, or goes away, reaches every call below it; and nothing is left behind.
import { getEventListeners } from "node:events";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { createExecutor, type ToolContext } from "nestcall";
import { serveMcp } from "nestcall/mcp";
import { createGate } from "nestcall/testing";
import { expect, onTestFinished, test } from "vitest";
import { tool, untilAborted } from "../../../helpers/engine.js";
import { answerText, conductor, ERAS, guarded, keep, served, yes } from "./served.js";

/** Three levels of calls; the innermost waits until it is aborted, and all tell how they ended. */
function nested() {
  const running = createGate();
  const ended: string[] = [];
  const note = async (ctx: ToolContext, run: () => Promise<unknown>) => {
    try {
      return await run();
    } finally {
      ended.push(`${ctx.depth} ${ctx.signal.aborted}`);
    }
  };
  const tools = [
    tool("top", (_args, ctx) => note(ctx, () => ctx.executeTool("middle"))),
    tool("middle", (_args, ctx) => note(ctx, () => Promise.all([ctx.executeTool("leaf"), ctx.executeTool("leaf")]))),
    tool("leaf", (_args, ctx) => {
      running.open();
      return note(ctx, () => untilAborted(ctx.signal));
    }),
  ];
  const executor = createExecutor({ tools });
  const settled = createGate();
  executor.on("tool_execution_end", ({ depth }) => (depth === 0 ? settled.open() : undefined));
  onTestFinished(() => executor.close());
  return { executor, running, ended, settled };
}
const ALL = ["2 true", "2 true", "1 true", "0 true"];

test.each(ERAS)("8: %s: a client's cancellation reaches every nested call", async (era) => {
  const { executor, running, ended, settled } = nested();
  const { client } = await served(executor, { era });
  const cancel = new AbortController();
  const call = client.call("top", {}, { signal: cancel.signal });
  await running.promise;
  cancel.abort(new Error("never mind"));
  await expect(call).rejects.toThrow();
  await settled.promise;
  expect(ended).toEqual(ALL);
});

test("8: a client that goes away ends its calls, and only its own", async () => {
  const { executor, running, ended, settled } = nested();
  executor.registry.register(conductor());
  const { client, serving } = await served(executor);
  const other = await served(executor);
  const call = client.call("top");
  call.catch(() => {});
  await running.promise;
  await client.close();
  await settled.promise;
  await serving.closed;
  expect(ended).toEqual(ALL);
  expect(await other.client.call("conduct")).toMatchObject({ content: [{ type: "text" }] });
});

test.each(ERAS)(
  "8: %s: closing the server ends its calls and waits for them, and the client hears of it",
  async (era) => {
    const { executor, running, ended } = nested();
    const { client, serving } = await served(executor, { era });
    const call = client.call("top");
    await running.promise;
    await serving.close();
    expect(ended).toEqual(ALL);
    const answer = await call;
    expect(answer.isError).toBe(true);
    expect(answerText(answer)).toContain("the MCP server was closed");
  },
);

test("8: modern: the end of a connection that lasts aborts the calls that are parked on it", async () => {
  const ended = createGate<string>();
  const waits = tool("waits", async (_args, ctx) => {
    const { status } = await ctx.executeTool("wipe");
    ended.open(`${status}: ${(ctx.signal.reason as Error).message}`);
  });
  const { executor, approvals } = guarded(
    [waits, tool("wipe", () => "", { effect: "destructive" })],
    {},
    { allow: ["waits"] },
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  const serving = await keep(serveMcp(executor, { transport: far, approvals }));
  const asked = createGate<{ result: { resultType: string } }>();
  near.onmessage = (message) => asked.open(message as never);
  await near.start();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  await near.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "waits", arguments: {}, _meta } });
  expect((await asked.promise).result.resultType).toBe("input_required");
  await near.close();
  expect(await ended.promise).toBe("aborted: the client has ended the connection");
  await serving.closed;
});

test.each(ERAS)("T5: %s: a hundred calls leave no listener behind, also with progress and approvals", async (era) => {
  const { executor, approvals } = guarded([conductor(), tool("wipe", () => "", { effect: "destructive" })]);
  const { client } = await served(executor, { era, approvals, onElicit: yes });
  const cancel = new AbortController();
  for (let n = 0; n < 100; n += 1) {
    const calls = n % 20 === 0 ? [["wipe"]] : [["nowhere"], ["conduct"]];
    await client.call("conduct", { calls }, { signal: cancel.signal, onprogress: () => {} });
  }
  expect(getEventListeners(cancel.signal, "abort")).toEqual([]);
});
