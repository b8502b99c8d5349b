// Rows of features.md about what a plugin's tools take and give: E6 to E13.
import { spawn } from "node:child_process";
import { createServer, get, type RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { createExecutor } from "nestcall";
import { Type } from "nestcall/elowen";
import { afterAll, beforeAll, expect, test } from "vitest";
import { load, type PluginExecute, pluginOf, pluginTool } from "../helpers/elowen.js";
import { at, caller, endOf, textOf } from "../helpers/engine.js";
import { type Fetch, fetchPage } from "../hosts/elowen/samples/fetch-page.js";

test("E6: each of TypeBox's constructors reaches the model as the JSON Schema that it declares", async () => {
  const parameters = Type.Object({
    object: Type.Object({ inner: Type.String() }),
    string: Type.String({ minLength: 1 }),
    number: Type.Number({ minimum: 0 }),
    boolean: Type.Boolean(),
    array: Type.Array(Type.Integer()),
    union: Type.Union([Type.Literal("fast"), Type.Literal("careful")]),
    optional: Type.Optional(Type.String({ description: "May be left out." })),
    literal: Type.Literal("on"),
  });
  const { executor } = await load(pluginOf([pluginTool("Typed", undefined, { parameters })]));
  const { inputSchema } = at(executor.registry.declarations(), 0);
  expect(JSON.parse(JSON.stringify(inputSchema))).toEqual({
    type: "object",
    required: ["object", "string", "number", "boolean", "array", "union", "literal"],
    properties: {
      object: { type: "object", required: ["inner"], properties: { inner: { type: "string" } } },
      string: { type: "string", minLength: 1 },
      number: { type: "number", minimum: 0 },
      boolean: { type: "boolean" },
      array: { type: "array", items: { type: "integer" } },
      union: {
        anyOf: [
          { type: "string", const: "fast" },
          { type: "string", const: "careful" },
        ],
      },
      optional: { type: "string", description: "May be left out." },
      literal: { type: "string", const: "on" },
    },
  });
  const args = {
    object: { inner: "x" },
    string: "s",
    number: 1,
    boolean: true,
    array: [1],
    union: "fast",
    literal: "on",
  };
  expect(endOf(await executor.executeTool("Typed", args))).toBe("ok");
  expect(endOf(await executor.executeTool("Typed", { ...args, union: "slow" }))).toBe("INVALID_ARGUMENTS");
});

const URL_OF_PAGE = "http://pages.test/a";
const loadFetch = (fetchUrl: Fetch) => load(pluginOf([fetchPage(fetchUrl, ["pages.test"])]));
const answering =
  (status: number, body: unknown): Fetch =>
  async () => ({ status, json: async () => body });

test.each([
  [{ title: "A", words: 3 }, "A: 3 words"],
  [{ title: "A", words: "3" }, /body is not \{ title, words \}/],
  [{ title: null }, /body is not/],
  [null, /body is not/],
  ["A: 3 words", /body is not/],
])("E7: a fetched body is checked again inside the handler: %j", async (body, told) => {
  const { executor } = await loadFetch(answering(200, body));
  const outcome = await executor.executeTool("FetchPage", { url: URL_OF_PAGE });
  expect(endOf(outcome)).toBe("ok"); // the text says what was wrong; nothing was taken on trust
  expect(textOf(outcome)).toMatch(told);
});

test("E8: what stands in details reaches nothing that a model reads", async () => {
  const secret = "s3cr3t-detail";
  const inner: PluginExecute = (_id, _params, _signal, onUpdate) => {
    onUpdate({ details: { secret } });
    return { content: [{ type: "text", text: "done" }], details: { secret } };
  };
  const outer: PluginExecute = async (_id, _params, _signal, _onUpdate, ctx) => {
    const { result } = await ctx.executeTool("Inner");
    return { content: result.content as never, details: { secret } };
  };
  const { executor } = await load(pluginOf([pluginTool("Inner", inner), pluginTool("Outer", outer)]));
  const { messages } = await executor.executeBatch([{ id: "m", name: "Outer" }]);
  const { registry } = executor;
  const shown = [
    messages.map(({ content, structuredContent, nestedCalls }) => ({ content, structuredContent, nestedCalls })),
    registry.declarations(),
    registry.getAllTools(),
  ];
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(at(messages, 0).details).toEqual({ secret }); // the host has it
});

test("E9: text and image blocks come through as they are, in their order", async () => {
  const content = [
    { type: "text", text: "before" },
    { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
    { type: "text", text: "after" },
  ] as const;
  const { executor } = await load(pluginOf([pluginTool("Draw", () => ({ content, details: {} }))]));
  const { messages } = await executor.executeBatch([{ id: "m", name: "Draw" }]);
  expect(at(messages, 0).content).toEqual(content);
});

test("E10: what a tool throws is an outcome that is flagged as an error, for the host and for another tool", async () => {
  const fail = () => {
    throw new Error("the disk is full");
  };
  const later = async () => Promise.reject(new Error("the disk is full"));
  const outcomes: never[] = [];
  const executor = createExecutor({ tools: [caller("outer", [["Now"], ["Later"]], outcomes)] });
  await load(pluginOf([pluginTool("Now", fail), pluginTool("Later", later)]), { executor });
  await executor.executeTool("outer");
  const all = [await executor.executeTool("Now"), await executor.executeTool("Later"), ...outcomes];
  for (const outcome of all) {
    expect([outcome.isError, outcome.result.isError, textOf(outcome)]).toEqual([true, true, "the disk is full"]);
  }
  expect(all).toHaveLength(4);
});

const server = createServer((request, response) => {
  if (request.url === "/reset") request.socket.destroy();
  else response.writeHead(request.url === "/broken" ? 503 : 404).end("{}");
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

/** The way to a page over a real connection that these options lead astray. */
const over =
  (options: RequestOptions): Fetch =>
  (_url, signal) =>
    new Promise((resolve, reject) => {
      const request = get({ host: "127.0.0.1", port, agent: false, signal, ...options }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, json: async () => ({}) });
      });
      request.on("error", reject);
    });

/** A port where nobody listens: it was free a moment ago. */
async function closedPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
  const { port: free } = other.address() as AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  return free;
}

const noSuchHost = (host: string) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND", syscall: "getaddrinfo" });

/** A server over pipes that ends without an answer. */
const overDeadServer: Fetch = () =>
  new Promise((_resolve, reject) => {
    const child = spawn(process.execPath, ["--eval", "process.exit(3)"], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.on("error", () => {}); // EPIPE: its end says more
    child.stdin.write('{"method":"read"}\n');
    child.on("exit", (code) => reject(new Error(`the server ended with code ${code} before it answered`)));
  });

test.each([
  ["the network", async () => over({ port: await closedPort() }), /ECONNREFUSED/],
  [
    "DNS",
    async () => over({ host: "no.such.host", lookup: (host, _options, done) => done(noSuchHost(host), []) }),
    /ENOTFOUND/,
  ],
  ["a socket", async () => over({ path: "/reset" }), /socket hang up|ECONNRESET/],
  ["the origin (5xx)", async () => over({ path: "/broken" }), /answered 503/],
  ["a dead transport", async () => overDeadServer, /ended with code 3/],
] as const)("E11: a failure of %s is thrown and flagged", async (_class, way, told) => {
  const { executor } = await loadFetch(await way());
  const outcome = await executor.executeTool("FetchPage", { url: URL_OF_PAGE });
  expect([endOf(outcome), outcome.result.isError]).toEqual(["TRANSPORT_FAILED", true]);
  expect(textOf(outcome)).toMatch(told);
});

test.each([
  ["a bad argument", "not an address", /is no address; give one/],
  ["a missing resource", URL_OF_PAGE, /There is no page at/],
  ["a refusal by policy", "http://elsewhere.test/", /elsewhere\.test may not be read; only pages\.test/],
])("E12: %s is a plain text that the model can act on", async (_class, url, told) => {
  const { executor } = await loadFetch(over({ path: "/missing" }));
  const outcome = await executor.executeTool("FetchPage", { url });
  expect([endOf(outcome), outcome.result.isError]).toEqual(["ok", undefined]);
  expect(textOf(outcome)).toMatch(told);
});

test("E13: a catch-all rethrows a marked error, which is flagged, and flattens an unmarked one to text", async () => {
  const unmarked: Fetch = async () => ({ status: 200, json: () => Promise.reject(new Error("odd")) });
  const told = await (await loadFetch(unmarked)).executor.executeTool("FetchPage", { url: URL_OF_PAGE });
  expect([endOf(told), textOf(told)]).toEqual(["ok", "The page could not be read: Error: odd"]);
  const marked: Fetch = () => Promise.reject(new Error("odd"));
  const thrown = await (await loadFetch(marked)).executor.executeTool("FetchPage", { url: URL_OF_PAGE });
  expect([endOf(thrown), textOf(thrown)]).toEqual(["TRANSPORT_FAILED", "odd"]);
});
