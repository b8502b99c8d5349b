// The live page's server: who gets an answer, and what pages are told.
import { request } from "node:http";
import { createExecutor } from "nestcall";
import { createGate, type Gate } from "nestcall/testing";
import {
  createInspectServer,
  createTraceCollector,
  type InspectServer,
  type InspectServerOptions,
} from "nestcall/trace";
import { afterEach, expect, test } from "vitest";
import type { PagePatch } from "../../../src/trace/page/page-data.js";
import { at, caller, tool } from "../../helpers/engine.js";

const servers: InspectServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const gates = new Map<string, Gate>();
const waits = tool("waits", async ({ gate }) => {
  await gates.get(String(gate))?.promise;
  return "done";
});
const leaf = tool("leaf", () => "text");

async function world(options: Partial<InspectServerOptions> = {}) {
  const executor = createExecutor({ tools: [leaf, waits, caller("outer", [["leaf"], ["waits", { gate: "a" }]])] });
  const collector = createTraceCollector(executor, { maxRoots: 3 });
  const server = await createInspectServer({ collector, ...options });
  servers.push(server);
  return { executor, collector, server };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

function get(
  { port }: InspectServer,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers, method }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    sent.on("error", reject).end();
  });
}

/** The patches that a page gets, as they come. */
async function streamOf({ url }: InspectServer): Promise<{ next(): Promise<PagePatch>; stop(): Promise<void> }> {
  const response = await fetch(new URL("events", url));
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<PagePatch> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const message = text.slice(0, end);
        text = text.slice(end + 2);
        if (message.startsWith("event: patch\ndata: ")) return JSON.parse(message.slice(19)) as PagePatch;
        continue;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error("the stream has ended");
      text += value;
    }
  };
  return { next, stop: () => reader.cancel() };
}

test("the page comes from this machine's names only, with a policy that lets it talk to its own server", async () => {
  const { server } = await world({ title: "my <gateway>" });
  expect(server.url).toBe(`http://127.0.0.1:${server.port}/`);
  for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
    const { status, text, headers } = await get(server, "/", { host: `${host}:${server.port}` });
    expect([status, text.includes("connect-src &#39;self&#39;"), text.includes("my &lt;gateway&gt;")]).toEqual([
      200,
      true,
      true,
    ]);
    expect(headers).toMatchObject({
      "content-security-policy": "frame-ancestors 'none'",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  }
});

test.each([
  ["a name that leads here", { host: "evil.example.com" }, 403],
  ["the name without the port", { host: "127.0.0.1" }, 403],
  ["a page of another origin", { origin: "http://evil.example.com" }, 403],
  ["a page from a file", { origin: "null" }, 403],
  ["another port of this machine", { origin: "http://127.0.0.1:1" }, 403],
])("%s gets no answer", async (_who, headers, status) => {
  const { server } = await world();
  const own = { host: `127.0.0.1:${server.port}`, ...headers };
  for (const path of ["/", "/events"]) expect((await get(server, path, own)).status).toBe(status);
});

test("the page's own origin is fine; other methods and places are not there, and no target stops the server", async () => {
  const { server } = await world();
  const own = { host: `127.0.0.1:${server.port}`, origin: `http://127.0.0.1:${server.port}` };
  expect((await get(server, "/", own)).status).toBe(200);
  expect((await get(server, "/", own, "POST")).status).toBe(405);
  expect((await get(server, "/etc/passwd", own)).status).toBe(404);
  expect((await get(server, "//", own)).status).toBe(404);
});

test("with a token, only who has it gets an answer", async () => {
  const token = "0123456789abcdef";
  const { server } = await world({ token });
  expect(server.url).toBe(`http://127.0.0.1:${server.port}/?token=${token}`);
  const statuses = await Promise.all(
    ["/", "/?token=0123456789abcdeX", "/?token=x", `/?token=${token}`].map((path) => get(server, path)),
  );
  expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 200]);
});

test.each([
  [{ host: "0.0.0.0" }, "options.host must be an address of this machine alone"],
  [{ token: "short" }, "a text of at least 16 characters, not"],
  [{ port: 1.5 }, "options.port must be a number of a port"],
  [{ collector: {} }, "options.collector must be what createTraceCollector gives"],
])("a wrong option is refused: %j", async (options, message) => {
  const collector = createTraceCollector(createExecutor());
  await expect(createInspectServer({ collector, ...options } as InspectServerOptions)).rejects.toThrow(message);
});

test("a port that is taken is told, and nothing stays behind", async () => {
  const { server, collector } = await world();
  await expect(createInspectServer({ collector, port: server.port })).rejects.toThrow("EADDRINUSE");
});

test("a page that comes late gets all of it at once, then what is new, call by call", async () => {
  gates.set("a", createGate());
  const { executor, server } = await world({ savedTokens: () => 42 });
  const run = executor.executeTool("outer", {}, { toolCallId: "T" });
  const page = await streamOf(server);
  const whole = await page.next();
  expect(whole).toMatchObject({ isWhole: true, keys: [1], savedTokens: 42, dropped: 0 });
  expect(at(whole.changes, 0).calls.map(([place, { id, status }]) => [place, id, status])).toEqual([
    [0, "T", "unfinished"],
    [1, "T/1", "ok"],
    [2, "T/2", "unfinished"],
  ]);
  gates.get("a")?.open();
  await run;
  const news = await page.next();
  expect(news).toMatchObject({ isWhole: false, keys: [1] });
  expect(at(news.changes, 0).calls.map(([place, { status }]) => [place, status])).toEqual([
    [0, "ok"],
    [2, "ok"],
  ]);
  await page.stop();
});

test("pages are told which root calls are left, and two pages are told the same", async () => {
  const { executor, server } = await world();
  for (const toolCallId of ["A", "B", "C"]) await executor.executeTool("leaf", {}, { toolCallId });
  const pages = [await streamOf(server), await streamOf(server)];
  for (const page of pages) expect((await page.next()).keys).toEqual([1, 2, 3]);
  await executor.executeTool("leaf", {}, { toolCallId: "D" });
  for (const page of pages) {
    const news = await page.next();
    expect([news.keys, news.changes.map(({ key }) => key)]).toEqual([[2, 3, 4], [4]]);
    await page.stop();
  }
});

test("a host that cannot count saved tokens does not stop the page", async () => {
  const { server } = await world({
    savedTokens: () => {
      throw new Error("no");
    },
  });
  const page = await streamOf(server);
  expect((await page.next()).savedTokens).toBe(undefined);
  await page.stop();
});

test("close ends the streams", async () => {
  const { server } = await world();
  const page = await streamOf(server);
  await page.next();
  await server.close();
  await expect(page.next()).rejects.toThrow();
});
