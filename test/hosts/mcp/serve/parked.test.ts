// Calls that wait for an answer (8.1): what an answer has to bring, what becomes of a call whose answer does not come, and
// that neither can be forged.
import type { ToolContext } from "nestcall";
import type { McpServing } from "nestcall/mcp";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { at, tool, untilAborted } from "../../../helpers/engine.js";
import {
  type Answer,
  type Answerer,
  answerText,
  type Called,
  conductor,
  guarded,
  modernClient,
  served,
  yes,
} from "./served.js";

interface Asked extends Answer {
  readonly resultType?: string;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<
    Record<string, { readonly method: string; readonly params: { readonly message: string } }>
  >;
}

/** A client that answers by hand. */
function byHand(serving: Pick<McpServing, "fetch">): Promise<Called> {
  return modernClient(serving, yes, { inputRequired: { autoFulfill: false } } as never);
}
async function ask(client: Called, name: string, args: object = {}, more: object = {}): Promise<Asked> {
  const params = { name, arguments: args, ...more };
  return (await client.callTool(params as never, { allowInputRequired: true } as never)) as Asked;
}
function answers(asked: Asked, answer: unknown = yes()): object {
  const keys = Object.keys(asked.inputRequests ?? {});
  return { requestState: asked.requestState, inputResponses: Object.fromEntries(keys.map((key) => [key, answer])) };
}
function messages({ inputRequests = {} }: Asked): string[] {
  return Object.values(inputRequests).map(({ params }) => params.message.split("\n")[0] ?? "");
}

function counted() {
  const ran: string[] = [];
  const make = (name: string, effect: string) => tool(name, () => (ran.push(name), `${name} ran`), { effect });
  const count = tool("count", async (args, ctx) => {
    ran.push("count");
    const outcomes = await Promise.all((args.names as string[]).map((name) => ctx.executeTool(name)));
    return outcomes.map(({ status }) => status).join(" ");
  });
  return {
    ran,
    tools: [conductor(), count, make("look", "read"), make("write", "write"), make("wipe", "destructive")],
  };
}
const ALLOW = { allow: ["conduct", "count"] };

test("8.1: modern: what is asked together is answered together, and the state is another each time", async () => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools, {}, ALLOW);
  const { serving } = await served(executor, { era: "modern", approvals });
  const client = await byHand(serving);
  const first = await ask(client, "count", { names: ["write", "look", "wipe"] });
  expect(first.resultType).toBe("input_required");
  expect(messages(first).map((line) => /tool (\w+)/.exec(line)?.[1])).toEqual(["write", "wipe"]);
  expect(ran).toEqual(["count", "look"]);
  // One of two answers: that call goes on, the other is asked for once more.
  const [key = ""] = Object.keys(first.inputRequests ?? {});
  const partly = {
    requestState: first.requestState,
    inputResponses: { [key]: yes(), unknown: yes(), ["__proto__"]: yes() },
  };
  const second = await ask(client, "count", { names: ["write", "look", "wipe"] }, partly);
  expect(messages(second)).toEqual(["May the tool wipe (of this host) run, called by another tool or a script?"]);
  expect(second.requestState).not.toBe(first.requestState);
  expect(second.requestState).toMatch(/^[\w-]{43}$/);
  const last = await ask(client, "count", { names: ["write", "look", "wipe"] }, answers(second, { action: "decline" }));
  expect(answerText(last)).toBe("ok ok error");
  expect(ran).toEqual(["count", "look", "write"]);
});

test("8.1: modern: calls that begin a little apart are asked about together; one that is taken back is not asked about", async () => {
  const { ran, tools } = counted();
  const [takeBack, taken] = [createGate(), createGate()];
  const apart = tool("apart", async (_args, ctx) => {
    const own = new AbortController();
    const first = ctx.executeTool("wipe", {}, { signal: own.signal });
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = ctx.executeTool("write");
    await takeBack.promise;
    own.abort();
    await first;
    taken.open();
    return `${(await first).status} ${(await second).status}`;
  });
  const { executor, approvals } = guarded([...tools, apart], {}, { allow: ["apart"] });
  const { serving } = await served(executor, { era: "modern", approvals });
  const client = await byHand(serving);
  const first = await ask(client, "apart");
  expect(messages(first)).toHaveLength(2);
  takeBack.open();
  await taken.promise;
  const second = await ask(client, "apart", {}, { requestState: first.requestState });
  expect(messages(second)).toEqual(["May the tool write (of this host) run, called by another tool or a script?"]);
  expect(answerText(await ask(client, "apart", {}, answers(second)))).toBe("aborted ok");
  expect(ran).toEqual(["write"]);
});

test("8.1: modern: an answer by another connection finds the call; one without answers is asked again", async () => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools);
  const { serving } = await served(executor, { era: "modern", approvals });
  const asked = await ask(await byHand(serving), "wipe");
  const other = await byHand(serving);
  const again = await ask(other, "wipe", {}, { requestState: asked.requestState });
  expect(messages(again)).toEqual(messages(asked));
  expect(answerText(await ask(other, "wipe", {}, answers(again)))).toBe("wipe ran");
  expect(ran).toEqual(["wipe"]);
});

test("8.1: modern: a state that is forged, used or for something else is a clear error and harms no call", async () => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools);
  const { serving } = await served(executor, { era: "modern", approvals });
  const client = await byHand(serving);
  const args = { calls: [["wipe"]] };
  const asked = await ask(client, "conduct", args);
  const state = at([asked.requestState], 0) ?? "";
  const altered = `${state.slice(0, -1)}${state.endsWith("A") ? "B" : "A"}`;
  const tries: [string, string, object, unknown][] = [
    ["is not known here. Call the tool again.", "conduct", args, altered],
    ["is not known here. Call the tool again.", "conduct", args, ""],
    ["is not known here. Call the tool again.", "conduct", args, "constructor"],
    ['belongs to a call of the tool "conduct" with other arguments', "conduct", { calls: [["look"]] }, state],
    ['belongs to a call of the tool "conduct" with other arguments', "wipe", args, state],
  ];
  for (const [message, name, given, requestState] of tries) {
    await expect(ask(client, name, given, { ...answers(asked), requestState })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
      data: { reason: "invalid_request_state" },
    });
  }
  expect(ran).toEqual([]);
  const [won, lost] = await Promise.allSettled([
    ask(client, "conduct", args, answers(asked)),
    ask(client, "conduct", args, answers(asked)),
  ]);
  expect(won).toMatchObject({ status: "fulfilled", value: { content: [{ text: "ok: wipe ran" }] } });
  expect(lost).toMatchObject({ status: "rejected", reason: { code: -32602 } });
  await expect(ask(client, "conduct", args, answers(asked))).rejects.toThrow("has been answered already");
  expect(ran).toEqual(["wipe"]);
});

test("8.1: modern: a call that nobody answers is aborted after the stated time, and the answer then is an error", async () => {
  const ended = createGate<string>();
  const waits = tool("waits", async (_args, ctx) => {
    const outcome = await ctx.executeTool("wipe");
    ended.open(`${outcome.status} ${(ctx.signal.reason as Error | undefined)?.message}`);
    return "too late";
  });
  const { ran, tools } = counted();
  const { executor, approvals } = guarded([...tools, waits], { answerWithinMs: 50 }, { allow: ["waits"] });
  const lines: string[] = [];
  const { serving } = await served(executor, { era: "modern", approvals, log: (line) => lines.push(line) });
  const client = await byHand(serving);
  const asked = await ask(client, "waits");
  expect(await ended.promise).toBe("aborted nobody answered within 0.05 s whether a tool may run");
  await expect(ask(client, "waits", {}, answers(asked))).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("has expired: the answer has to come within 0.05 s. Call the tool again."),
  });
  expect(lines).toEqual(["A call of waits was given up: nobody answered within 0.05 s whether a tool may run."]);
  expect(ran).toEqual([]);
});

test("8.1: legacy: a form that nobody answers in the stated time is taken back, and is no consent", async () => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools, { answerWithinMs: 50 });
  const takenBack = createGate();
  const onElicit: Answerer = async (_form, signal) => {
    await untilAborted(signal).catch(() => takenBack.open());
    return yes();
  };
  const { client } = await served(executor, { approvals, onElicit });
  const answer = await client.call("conduct", { calls: [["wipe"], ["look"]] });
  expect(answerText(answer)).toContain("error: wipe was not approved");
  await takenBack.promise;
  expect(ran).toEqual(["look"]);
});

test("8.1: modern: what has come to its end while it was parked is kept for the answer", async () => {
  const asked = createGate();
  const { tools } = counted();
  const hasty = tool("hasty", async (_args, ctx) => {
    void ctx.executeTool("wipe");
    await asked.promise;
    return "done without it";
  });
  const { executor, approvals } = guarded([...tools, hasty], {}, { allow: ["hasty"] });
  const ended = createGate();
  executor.on("tool_execution_end", ({ depth }) => (depth === 0 ? ended.open() : undefined));
  const { serving } = await served(executor, { era: "modern", approvals });
  const client = await byHand(serving);
  const first = await ask(client, "hasty");
  asked.open();
  await ended.promise;
  expect(answerText(await ask(client, "hasty", {}, answers(first)))).toBe("done without it");
});

test("8.1: modern: no more calls are parked than the host allows; the one too many fails and says why", async () => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools, { maxParked: 1 });
  const { serving } = await served(executor, { era: "modern", approvals });
  const client = await byHand(serving);
  const first = await ask(client, "wipe");
  const second = await ask(client, "write");
  expect(second.isError).toBe(true);
  expect(answerText(second)).toContain("1 calls wait for approval already (maxParked of mcpApprovals)");
  expect(answerText(await ask(client, "wipe", {}, answers(first)))).toBe("wipe ran");
  expect(messages(await ask(client, "write"))).toHaveLength(1);
  expect(ran).toEqual(["wipe"]);
});

test("8.1: modern: a client that goes away with the answer in its hand ends the call", async () => {
  const started = createGate();
  const signals: AbortSignal[] = [];
  const { tools } = counted();
  const slow = tool("slow", async (_args, ctx: ToolContext) => {
    await ctx.executeTool("wipe");
    started.open();
    signals.push(ctx.signal);
    return untilAborted(ctx.signal);
  });
  const { executor, approvals } = guarded([...tools, slow], {}, { allow: ["slow"] });
  const { serving } = await served(executor, { era: "modern", approvals });
  const client = await byHand(serving);
  const asked = await ask(client, "slow");
  const gone = new AbortController();
  const second = client.callTool({ name: "slow", arguments: {}, ...answers(asked) } as never, { signal: gone.signal });
  await started.promise;
  gone.abort();
  await expect(second).rejects.toThrow();
  await expect(untilAborted(at(signals, 0))).rejects.toBeDefined();
});

test("8.1: what is parked when the server is closed is aborted; closing waits for it", async () => {
  const ended: string[] = [];
  const { tools } = counted();
  const waits = tool("waits", async (_args, ctx) => {
    const { status } = await ctx.executeTool("wipe");
    await new Promise((resolve) => setImmediate(resolve));
    ended.push(`${status}: ${(ctx.signal.reason as Error).message}`);
  });
  const { executor, approvals } = guarded([...tools, waits], {}, { allow: ["waits"] });
  const { serving } = await served(executor, { era: "modern", approvals });
  const client = await byHand(serving);
  await ask(client, "waits");
  await serving.close();
  await serving.closed;
  expect(ended).toEqual(["aborted: the MCP server was closed"]);
});
