// What a client is shown, and what comes of its calls, in both protocols.
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { createExecutor, type Executor, type Tool, Type } from "nestcall";
import { serveMcp } from "nestcall/mcp";
import { createGate, turn } from "nestcall/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { at, closed, tool } from "../../../helpers/engine.js";
import { answerText, conductor, ERAS, keep, served } from "./served.js";

const RECORD = "dev.nestcall/record";

function executorOf(...tools: readonly Tool[]): Executor {
  const executor = createExecutor({ tools });
  onTestFinished(() => executor.close());
  return executor;
}

test.each(ERAS)(
  "8: %s: the active tools are listed with title, hints and output schema, the others are not",
  async (era) => {
    const executor = executorOf(
      tool("weigh", () => ({ structuredContent: { grams: 5 } }), {
        title: "Weigh",
        description: "Weighs a thing.",
        inputSchema: closed({ thing: Type.String() }),
        outputSchema: closed({ grams: Type.Integer() }),
        effect: "read",
      }),
      tool("asleep", () => "", { exposure: "codemode" }),
      tool("gone", () => "", { exposure: "hidden" }),
      tool("only_model", () => "", { exposure: "model-only" }),
    );
    const { client } = await served(executor, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["weigh", "only_model"]);
    expect(tools[0]).toEqual({
      name: "weigh",
      title: "Weigh",
      description: "Weighs a thing.",
      inputSchema: {
        type: "object",
        properties: { thing: { type: "string" } },
        required: ["thing"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: { grams: { type: "integer" } },
        required: ["grams"],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    });
    expect(await client.call("weigh", { thing: "feather" })).toMatchObject({ structuredContent: { grams: 5 } });
  },
);

test.each(ERAS)(
  "8: %s: an unknown tool is a protocol error, also one that is there and cannot be reached",
  async (era) => {
    const executor = executorOf(
      conductor(),
      tool("secret", () => "", { exposure: "hidden" }),
    );
    executor.registry.register(tool("asleep", () => "", { exposure: "codemode" }));
    const { client } = await served(executor, { era });
    for (const name of ["nowhere", "secret", "asleep"]) {
      await expect(client.call(name)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`There is no tool "${name}" that can be called here.`),
      });
    }
    await expect(client.call("condukt")).rejects.toThrow("Close names: conduct");
    // A tool that calls an unknown one is no unknown tool.
    const answer = await client.call("conduct", { calls: [["nowhere"]] });
    expect(answerText(answer)).toContain('error: There is no tool "nowhere"');
  },
);

test.each(ERAS)("8: %s: bad arguments and failures are results that the model reads", async (era) => {
  const executor = executorOf(
    tool("square", (args) => String((args.n as number) ** 2), { inputSchema: closed({ n: Type.Number() }) }),
    tool("fails", () => {
      throw new Error("the disk is full");
    }),
  );
  const { client } = await served(executor, { era });
  const bad = await client.call("square", { n: "many" });
  expect(bad).toMatchObject({ isError: true });
  expect(answerText(bad)).toContain('The arguments of tool "square" do not fit its input schema:');
  expect(answerText(await client.call("square", { n: "4" }))).toBe("16"); // repaired, as everywhere
  expect(await client.call("fails")).toMatchObject({
    isError: true,
    content: [{ type: "text", text: "the disk is full" }],
  });
});

test.each(ERAS)("8.1: %s: the record is in _meta, in the form of NestedCalls, and nowhere in the text", async (era) => {
  const executor = executorOf(
    conductor(),
    tool("leaf", () => "leaf's text", { effect: "read" }),
    tool("plain", () => "plain's text"),
  );
  const { client } = await served(executor, { era });
  const calls = [["conduct", { calls: [["leaf", { x: 1 }]] }], ["nowhere"]];
  const answer = await client.call("conduct", { calls });
  const record = answer._meta?.[RECORD] as { calls: { id: string }[]; complete: boolean };
  expect(record.complete).toBe(true);
  const root = record.calls[0]?.id.split("/")[0] ?? "";
  expect(record.calls).toMatchObject([
    { id: `${root}/1`, name: "conduct", arguments: calls[0]?.[1], status: "ok", durationMs: expect.any(Number) },
    { id: `${root}/1/1`, name: "leaf", arguments: { x: 1 }, status: "ok" },
    { id: `${root}/2`, name: "nowhere", status: "error", code: "UNKNOWN_TOOL" },
  ]);
  expect(answerText(answer)).not.toContain(root);
  expect((await client.call("plain"))._meta?.[RECORD]).toBeUndefined();
});

test.each(ERAS)("8: %s: a root call's id is of its connection and its request, and unique", async (era) => {
  const ids: string[] = [];
  const executor = executorOf(tool("who", (_args, ctx) => (ids.push(ctx.toolCallId), "")));
  const { client } = await served(executor, { era });
  await client.call("who");
  await client.call("who");
  const other = await served(executor, { era });
  await other.client.call("who");
  const parts = ids.map((id) => /^mcp_([\w-]{10})_(\d+)$/.exec(id)?.slice(1) ?? ["no", id]);
  expect(new Set(ids).size).toBe(3);
  expect(Number(parts[1]?.[1])).toBeGreaterThan(Number(parts[0]?.[1]));
  expect(parts[2]?.[0]).not.toBe(parts[0]?.[0]);
});

test.each(ERAS)("8: %s: images, audio and resources stay; what MCP has no form for is said in words", async (era) => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const blocks = [
    { type: "text", text: "hello", annotations: { audience: ["user"], priority: 1 } },
    { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
    { type: "audio", data: "aGVsbG8=", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a", text: "a", mimeType: "text/plain" } },
    { type: "resource_link", uri: "file:///b", name: "b", title: "B", size: 3 },
  ];
  const executor = executorOf(
    tool("show", () => ({ content: blocks })),
    tool("odd", () => ({
      content: [
        { type: "image", data: "no base64!", mimeType: "image/png" },
        { type: "resource", resource: { uri: "file:///a" } },
        { type: "text", text: "kept", _meta: circle },
        { type: "resource_link", uri: "file:///c", name: "c", annotations: { priority: 9 } },
      ],
    })),
  );
  const { client } = await served(executor, { era });
  expect((await client.call("show")).content).toEqual(blocks);
  const odd = (await client.call("odd")).content;
  expect(odd.map(({ type }) => type)).toEqual(["text", "text", "text", "resource_link"]);
  expect(odd[0]?.text).toBe("[A block of type image is left out: it has no form that MCP allows.]");
  expect(odd[3]).not.toHaveProperty("annotations");
});

test.each(ERAS)(
  "H7: %s: structured content that nobody has checked is not given where a client would check it",
  async (era) => {
    const executor = executorOf(
      tool("wrong", () => ({ structuredContent: { grams: "five" } }), {
        outputSchema: closed({ grams: Type.Integer() }),
      }),
      tool(
        "failed",
        () => ({ isError: true, content: [{ type: "text", text: "why" }], structuredContent: { odd: true } }),
        {
          outputSchema: closed({ grams: Type.Integer() }),
        },
      ),
      tool("free", () => ({ structuredContent: { any: [1, 2] } })),
      tool("unholdable", () => ({ content: [{ type: "text", text: "there" }], structuredContent: { big: 1n } })),
    );
    const { client } = await served(executor, { era });
    await client.listTools();
    const wrong = await client.call("wrong");
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.structuredContent).toBeUndefined();
    const failed = await client.call("failed");
    expect(failed).toMatchObject({ isError: true, content: [{ type: "text", text: "why" }] });
    expect(failed.structuredContent).toBeUndefined();
    expect((await client.call("free")).structuredContent).toEqual({ any: [1, 2] });
    const unholdable = await client.call("unholdable");
    expect([answerText(unholdable), unholdable.structuredContent]).toEqual(["there", undefined]);
  },
);

test.each(ERAS)("8: %s: an output schema that would cost some client its whole list is not shown", async (era) => {
  const output = (schema: object) => ({ outputSchema: { type: "object", ...schema }, strict: false });
  const give = () => ({ structuredContent: { code: "a-b" } });
  const executor = executorOf(
    tool("fine", give, output({ properties: { code: { $ref: "#/$defs/code" } }, $defs: { code: { type: "string" } } })),
    tool("named", give, output({ $id: "https://example.org/code" })),
    tool("typed", give, output({ properties: { n: { type: "number", minimum: "3" } } })),
    tool("listed", give, output({ properties: { l: { type: "array", items: [{ type: "string" }] } } })),
    tool("nested", give, output({ properties: { o: { anyOf: [{ type: "string" }, { not: { maxItems: -1 } }] } } })),
    tool("zodded", () => ({ structuredContent: { n: 1 } }), { outputSchema: z.object({ n: z.number() }) }),
  );
  const { client } = await served(executor, { era });
  const { tools } = await client.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name)).toEqual([
    "fine",
    "zodded",
  ]);
  for (const { name } of tools) expect(await client.call(name)).toHaveProperty("structuredContent");
});

test.each(ERAS)("E22: %s: an external tool's output schema counts in its cap", async (era) => {
  const executor = executorOf();
  const big = { type: "object", properties: { a: { type: "string", description: "x".repeat(7_900) } } };
  const small = { type: "object", properties: { a: { type: "string" } } };
  for (const [name, outputSchema] of Object.entries({ big, small })) {
    const given = tool(name, () => ({ structuredContent: { a: "b" } }), { outputSchema, strict: false });
    executor.registry.register(given, { external: true, owner: "server" });
  }
  const { client } = await served(executor, { era });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, outputSchema }) => [name, outputSchema !== undefined])).toEqual([
    ["big", false],
    ["small", true],
  ]);
});

test.each(ERAS)("8: %s: the tools of the session are shown and called, no others", async (era) => {
  const executor = executorOf();
  executor.registry.register(
    tool("mine", () => "mine"),
    { projectId: "p1" },
  );
  executor.registry.register(
    tool("theirs", () => "theirs"),
    { projectId: "p2" },
  );
  const session = executor.registry.forSession({ projectIds: ["p1"] });
  const { client } = await served(executor, { era, session });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["mine"]);
  expect(answerText(await client.call("mine"))).toBe("mine");
  await expect(client.call("theirs")).rejects.toMatchObject({ code: -32602 });
});

test.each(ERAS)("8: %s: a client is told once when the tools that it is shown change", async (era) => {
  const executor = executorOf(tool("first", () => ""));
  const gate = createGate<string[]>();
  const told = vi.fn((_error: unknown, tools: { name: string }[] | null) =>
    gate.open((tools ?? []).map(({ name }) => name)),
  );
  const listChanged = { tools: { onChanged: told, debounceMs: 0 } };
  await served(executor, { era, client: { listChanged } as never });
  executor.registry.register(tool("second", () => ""));
  executor.registry.register(tool("third", () => ""));
  executor.registry.register(tool("sleeper", () => "", { exposure: "codemode" }));
  expect(await gate.promise).toEqual(["first", "second", "third"]);
  expect(told).toHaveBeenCalledTimes(1);
});

test("8: several changes at once are one notice, and a client that has not said that it is ready gets none", async () => {
  const executor = executorOf(tool("first", () => ""));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await keep(serveMcp(executor, { transport: far }));
  const got: string[] = [];
  const answered = [createGate(), createGate()];
  near.onmessage = (message) => {
    const { id, method } = message as { id?: number; method?: string };
    if (method !== undefined) got.push(method);
    else answered[id ?? 0]?.open();
  };
  await near.start();
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  await near.send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  await at(answered, 0).promise;
  executor.registry.register(tool("second", () => ""));
  await turn();
  await near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await turn();
  for (const name of ["third", "fourth", "fifth"]) executor.registry.register(tool(name, () => ""));
  await turn();
  await near.send({ jsonrpc: "2.0", id: 1, method: "ping" });
  await at(answered, 1).promise;
  expect(got).toEqual(["notifications/tools/list_changed"]);
});

test("8: what is no option is refused by name", async () => {
  const executor = executorOf();
  const other = executorOf();
  const wrong: [object, string][] = [
    [{}, "give one of stdio, transport and http; it got none"],
    [{ stdio: true, http: true }, "it got stdio and http"],
    [{ transport: {} }, "options.transport must be a transport of the MCP SDK"],
    [{ htpp: true }, 'options has no "htpp"; did you mean "http"?'],
    [{ http: { prot: 1 } }, 'options.http has no "prot"; did you mean "port"?'],
    [{ http: { port: -1 } }, "options.http.port must be 0 to 65,535, not -1"],
    [{ http: { path: "mcp" } }, "options.http.path must be a path that begins with /"],
    [{ http: { token: "short" } }, "options.http.token must be a text of 16 or more visible ASCII characters."],
    [{ http: { host: "0.0.0.0" } }, '"0.0.0.0" can be reached from other machines; give options.http.token as well'],
    [{ http: true, approvals: {} }, "options.approvals must be what mcpApprovals gave"],
    [{ http: true, session: other.registry.session }, "takes a session that this registry gave"],
    [{ http: true, log: "x" }, "options.log must be a function"],
  ];
  for (const [options, message] of wrong) {
    await expect(serveMcp(executor, options as never)).rejects.toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringContaining(message),
    });
  }
});
