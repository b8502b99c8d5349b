// When servers start, what they are given, what is told when they do not, and that they end.
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { StartBudget } from "../../../src/hosts/mcp/start-budget.js";
import { endOf, textOf } from "../../helpers/engine.js";
import { freshFolder } from "../../helpers/process.js";
import { connect, isAlive, linesOf, raw } from "./connect.js";

vi.setConfig({ testTimeout: 30_000 }); // processes are slow to start where others work too

test("8.1: nothing starts by itself; ready starts every server once, whoever asks", async () => {
  const log = join(freshFolder(), "log");
  const { connection, state } = connect({ a: raw({ log }), b: raw({ log }), off: raw({ log }, { disabled: true }) });
  expect(connection.servers.map(({ status }) => status)).toEqual(["idle", "idle", "disabled"]);
  await Promise.all([connection.ready(), connection.ready(), connection.connect("a")]);
  expect(connection.servers.map(({ status }) => status)).toEqual(["connected", "connected", "disabled"]);
  expect(linesOf(log).filter((line) => line === "started")).toHaveLength(2);
  expect(state("a")).toMatchObject({
    protocolVersion: "2025-11-25",
    startMs: expect.any(Number),
    pid: expect.any(Number),
  });
});

test("8.1: the entry's variables, PATH and HOME, and nothing else of this process", async () => {
  process.env.NESTCALL_TEST_SECRET = "s3cret";
  const { executor, connection } = connect({ s: raw({}, { env: { GIVEN: `\${NESTCALL_TEST_SECRET}!` } }) });
  delete process.env.NESTCALL_TEST_SECRET;
  await connection.ready();
  const given = JSON.parse(textOf(await executor.executeTool("mcp__s__env"))) as Record<string, string>;
  expect(Object.keys(given).sort()).toEqual(["GIVEN", "HOME", "PATH"]);
  expect([given.GIVEN, given.PATH]).toEqual(["s3cret!", process.env.PATH]);
});

test("8.1: a server that cannot start is told with its reason and its last words; the others are there", async () => {
  const { executor, connection, lines } = connect({
    good: raw(),
    ends: raw({ start: "exit" }),
    nowhere: { command: "no-such-program-anywhere" },
    folder: raw({}, { cwd: "/no/such/folder" }),
    silent: raw({ start: "silent" }, { timeoutMs: 300 }),
    talks: raw({ start: "garbage" }, { timeoutMs: 3_000 }),
    lists: raw({ listError: "database is locked" }),
    bad: { command: 5 },
  });
  const states = await connection.ready();
  expect(states.map(({ name, status, error }) => [name, status, error])).toEqual([
    ["good", "connected", undefined],
    [
      "ends",
      "failed",
      "its process ended with exit code 3; its last line on stderr: raw-server: cannot find its licence",
    ],
    [
      "nowhere",
      "failed",
      expect.stringContaining('its command "no-such-program-anywhere" is not to be found on the PATH; install it'),
    ],
    ["folder", "failed", expect.stringContaining('or its cwd "/no/such/folder" does not exist')],
    ["silent", "failed", "it did not answer within 300 ms (timeoutMs of its entry)"],
    [
      "talks",
      "failed",
      "it did not answer within 3000 ms (timeoutMs of its entry); its stdout has what is no JSON-RPC message: Welcome to the server!",
    ],
    ["lists", "failed", "database is locked"],
    ["bad", "skipped", expect.stringContaining('server "bad": command must be a text; it is 5.')],
  ]);
  expect(lines).toContain(
    'MCP server "ends": its process ended with exit code 3; its last line on stderr: raw-server: cannot find its licence',
  );
  expect(textOf(await executor.executeTool("mcp__good__echo", { text: "x" }))).toBe("x");
  expect(connection.stderrOf("ends")).toBe("raw-server: cannot find its licence\n");
});

test("8.1: a call that has to start its server says so, and one that cannot fails with the reason", async () => {
  const first = connect({ s: raw() });
  await first.connection.ready();
  const snapshot = first.connection.snapshot();
  const { executor, connection } = connect({ s: raw() }, { snapshot });
  const updates: string[] = [];
  const onUpdate = (update: object) => updates.push(JSON.stringify(update));
  expect(textOf(await executor.executeTool("mcp__s__echo", { text: "hi" }, { onUpdate }))).toBe("hi");
  expect(updates.map((update) => /"text":"([^}]*)"}/.exec(update)?.[1])).toEqual([
    'Starting the MCP server \\"s\\".',
    'The MCP server \\"s\\" has started.',
  ]);
  await connection.close();
  const late = await executor.executeTool("mcp__s__echo");
  expect(endOf(late)).toBe("UNKNOWN_TOOL"); // withdrawn

  const ends = connect({ s: raw({ start: "exit" }) }, { snapshot });
  const outcome = await ends.executor.executeTool("mcp__s__echo");
  expect([endOf(outcome), textOf(outcome)]).toEqual([
    "TRANSPORT_FAILED",
    'The MCP server "s" cannot be used: its process ended with exit code 3; its last line on stderr: raw-server: cannot find its licence.',
  ]);
});

test("8.1: a start that takes too long ends the call with that reason, and the server", async () => {
  const log = join(freshFolder(), "log");
  const known = connect({ s: raw() });
  await known.connection.ready();
  const plan = { start: "silent", log };
  const { executor } = connect({ s: raw(plan, { timeoutMs: 250 }) }, { snapshot: known.connection.snapshot() });
  const outcome = await executor.executeTool("mcp__s__echo");
  expect([endOf(outcome), textOf(outcome)]).toEqual([
    "TRANSPORT_FAILED",
    expect.stringContaining("did not answer within 250 ms"),
  ]);
});

test("8.1: an abort leaves a call that waits for its server at once; the server starts all the same", async () => {
  const known = connect({ s: raw() });
  await known.connection.ready();
  const { executor, connection, state } = connect({ s: raw() }, { snapshot: known.connection.snapshot() });
  const controller = new AbortController();
  const call = executor.executeTool("mcp__s__echo", {}, { signal: controller.signal });
  await vi.waitFor(() => expect(state().status).toBe("connecting"));
  controller.abort();
  expect(endOf(await call)).toBe("ABORTED");
  await connection.ready();
  expect(state().status).toBe("connected");
});

test("8.1: ready leaves at an abort, and does not reject for what servers do", async () => {
  const { connection } = connect({ s: raw({ start: "silent" }) });
  const controller = new AbortController();
  const ready = connection.ready({ signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(ready).rejects.toThrow("enough");
  await expect(connection.connect("nobody")).rejects.toThrow('there is no server "nobody"');
});

test("8.1: close ends servers with everything they started, also one that does not listen", async () => {
  const { executor, connection } = connect({ good: raw(), stubborn: raw({ start: "stubborn" }) });
  const states = await connection.ready();
  const helper = Number(textOf(await executor.executeTool("mcp__good__helper")));
  const pids = [...states.map(({ pid }) => pid ?? 0), helper];
  expect(pids.map(isAlive)).toEqual([true, true, true]);
  const running = executor.executeTool("mcp__good__hang");
  await connection.close();
  expect(pids.map(isAlive)).toEqual([false, false, false]);
  expect(endOf(await running)).toBe("TRANSPORT_FAILED");
  expect(connection.servers.map(({ status, pid }) => [status, pid])).toEqual([
    ["closed", undefined],
    ["closed", undefined],
  ]);
  await connection.close();
});

test("8.1: close ends a server that is still starting", async () => {
  const log = join(freshFolder(), "log");
  const known = { version: 1, servers: { s: { tools: [{ name: "a", inputSchema: { type: "object" } }] } } } as const;
  const { executor, connection } = connect({ s: raw({ start: "silent", log }) }, { snapshot: known });
  const ready = connection.ready();
  const call = executor.executeTool("mcp__s__a");
  await vi.waitFor(() => expect(linesOf(log)).toContain("initialize"));
  await connection.close();
  expect((await ready)[0]?.status).toBe("closed");
  expect(textOf(await call)).toBe('The MCP server "s" cannot be used: it was closed.');
});

test("8.1: what is told of stderr is that of the latest process", async () => {
  const { executor, connection, state } = connect({ s: raw() });
  await connection.ready();
  await executor.executeTool("mcp__s__crash");
  await executor.executeTool("mcp__s__exit-clean");
  expect([connection.stderrOf("s"), state().error]).toEqual(["", "its process ended with exit code 0"]);
});

test("8.1: the newer protocol over stdio only when it is asked for; auto gets along with a server that leaves when asked", async () => {
  const log = join(freshFolder(), "log");
  const { connection } = connect({
    plain: raw({ log }),
    auto: raw({ start: "leave-when-asked", log }, { protocol: "auto" }),
  });
  const states = await connection.ready();
  expect(states.map(({ status, protocolVersion }) => [status, protocolVersion])).toEqual([
    ["connected", "2025-11-25"],
    ["connected", "2025-11-25"],
  ]);
  expect(linesOf(log)).not.toContain("server/discover"); // the plain one was not asked, the other left before it wrote
});

test("8.1: three starts in any minute after the first, and the time until the next", () => {
  let now = 0;
  const budget = new StartBudget(() => now);
  const take = (at: number) => {
    now = at;
    return budget.take();
  };
  expect([take(0), take(1_000), take(2_000), take(3_000)]).toEqual([0, 0, 0, 0]);
  expect([take(4_000), take(60_999)]).toEqual([57_000, 1]);
  expect([take(61_000), take(61_000), take(62_000)]).toEqual([0, 1_000, 0]);
});
