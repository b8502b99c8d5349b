// Ways around a session that somebody tried: each stays closed.
import {
  type AccessRestriction,
  createExecutor,
  type SessionOptions,
  type ToolContext,
  type ToolSession,
  Type,
} from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { caller, endOf, tool } from "../helpers/engine.js";

const READS = { effect: "read" };

test("E41: what a call finds as ctx.session is narrowed as the call is, and so is what it delegates", async () => {
  const executor = createExecutor({ tools: [tool("core_write", () => "ran", { effect: "write" })] });
  executor.registry.register(
    tool("shop", () => "ran", { namespace: { name: "shop" } }),
    { projectId: "shop" },
  );
  const seen: unknown[] = [];
  const look = async (_args: unknown, ctx: ToolContext) => {
    const child = ctx.session.delegate();
    seen.push(
      ctx.session.access(),
      child.access(),
      ctx.session.getAllTools().map(({ name }) => name),
    );
    seen.push(
      ctx.session.describeNamespace("shop"),
      ctx.session.searchTools("shop write"),
      ctx.session.activate(["shop"]),
    );
    seen.push(endOf(await executor.executeTool("core_write", {}, { session: child })));
  };
  executor.registry.register(tool("look", look, READS));
  const access = { readOnly: true, projectIds: [] };
  executor.registry.register(
    tool("top", (_args, ctx) => ctx.executeTool("look", {}, { access }).then(() => {}), READS),
  );
  await executor.executeTool("top", {}, { session: executor.registry.forSession({ projectIds: ["shop"] }) });
  expect(seen).toEqual([
    { admin: false, projectIds: [], readOnly: true, planMode: false },
    { admin: false, projectIds: [], readOnly: true, planMode: true },
    ["look", "top"],
    undefined,
    [],
    { activated: [], ignored: ["shop"] },
    "BLOCKED",
  ]);
});

test.each([
  ["w", { readOnly: true }, "BLOCKED"],
  ["scoped", { projectIds: [] }, "UNKNOWN_TOOL"],
] as const)("E41: a hook that narrows the access of a call to %s with %j ends it", async (name, access, code) => {
  const executor = createExecutor({ tools: [tool("w", () => "ran", { effect: "write" })] });
  executor.registry.register(
    tool("scoped", () => "ran"),
    { projectId: "p" },
  );
  const asked: string[] = [];
  executor.on("tool_call", () => ({ access }));
  executor.on("tool_call", ({ toolName }) => void asked.push(toolName));
  const session = executor.registry.forSession({ projectIds: ["p"] });
  expect(endOf(await executor.executeTool(name, {}, { session }))).toBe(code);
  expect(asked).toEqual([]); // nobody is asked about a call that may not run
});

/** Runs `name` in a session whose policy is taken away while the call waits as `wait` makes it. */
async function revokedWhile(name: string, wait: "hook" | "files" | "lane", after: AccessRestriction | undefined) {
  const policy: { now: AccessRestriction | undefined } = { now: {} };
  const [held, waiting, go] = [createGate(), createGate(), createGate()];
  const hold = async () => {
    held.open();
    await go.promise;
  };
  const mode = wait === "lane" ? { executionMode: "sequential" } : { mutates: () => ["a"] };
  const executor = createExecutor({ tools: [tool("holder", hold, { ...READS, ...mode })] });
  const ran: string[] = [];
  const target = tool(name, () => void ran.push(name), { effect: "destructive", ...(wait === "hook" ? {} : mode) });
  executor.registry.register(target, { projectId: "shop" });
  const session = executor.registry.forSession({ userId: "u", projectIds: ["shop"], live: () => policy.now });
  if (wait === "hook") {
    executor.on("tool_call", async ({ toolName }) => {
      if (toolName !== name) return;
      waiting.open();
      await go.promise;
    });
  } else executor.on("tool_execution_wait", () => waiting.open());
  const holder = wait === "hook" ? undefined : executor.executeTool("holder");
  if (holder !== undefined) await held.promise;
  const call = executor.executeTool(name, {}, { session });
  await waiting.promise;
  policy.now = after;
  go.open();
  await holder;
  return [endOf(await call), ran];
}

test.each(["hook", "files", "lane"] as const)(
  "E45: what is revoked while a call waits for its %s does not run",
  async (wait) => {
    expect(await revokedWhile("shop_drop", wait, undefined)).toEqual(["UNKNOWN_TOOL", []]);
    expect(await revokedWhile("shop_drop", wait, { readOnly: true })).toEqual(["BLOCKED", []]);
    expect(await revokedWhile("shop_drop", wait, {})).toEqual(["ok", ["shop_drop"]]);
  },
);

test("P6: a tool that is withdrawn while a hook decides does not run", async () => {
  const executor = createExecutor({ tools: [tool("x", () => "ran")] });
  executor.on("tool_call", async () => {
    executor.registry.register(tool("x", () => "ran", { exposure: "hidden" }));
  });
  expect(endOf(await executor.executeTool("x"))).toBe("UNKNOWN_TOOL");
});

test("E46: a session keeps who it was made for, whatever becomes of the options", () => {
  const { registry } = createExecutor();
  registry.register(
    tool("bobs", () => {}),
    { ownerUserId: "bob" },
  );
  const options: { userId: string; projectIds: string[] } = { userId: "al", projectIds: [] };
  const session = registry.forSession(options);
  options.userId = "bob";
  options.projectIds.push("p");
  expect(session.identity().userId).toBe("al");
  expect(session.access().projectIds).toEqual([]);
  expect(session.isActive("bobs")).toBe(false);
});

test("E40: an answer that is a promise allows nothing, says so, and harms nobody when it rejects", async () => {
  const executor = createExecutor({ tools: [tool("t", () => "ran")] });
  const { registry } = executor;
  registry.register(
    tool("plugin_tool", () => "ran"),
    { owner: "plugin" },
  );
  const errors: unknown[] = [];
  executor.on("observer_error", ({ error }) => errors.push(error));
  const session = registry.forSession({ isGranted: (async () => Promise.reject(new Error("no"))) as never });
  expect(endOf(await executor.executeTool("plugin_tool", {}, { session }))).toBe("HOOK_FAILED");
  expect(() => session.getAllTools()).toThrow(/its isGranted failed\), so nothing is/);
  expect(String(errors[0])).toMatch(/it returned a promise/);
  expect(() => registry.session.searchTools("t", { filter: (async () => true) as never })).toThrow(/promise/);
});

test.each([null, {}, "session", 5])("E38: %j is no session, and no licence", async (session) => {
  const executor = createExecutor();
  executor.registry.register(
    tool("bobs", () => "ran"),
    { ownerUserId: "bob" },
  );
  expect(endOf(await executor.executeTool("bobs", {}, { session: session as never }))).toBe("INVALID_ARGUMENTS");
  await expect(executor.executeBatch([], { session: session as never })).rejects.toThrow(/forSession/);
});

test("E35: a name that one scope has is not given to another, until it is withdrawn", () => {
  const { registry } = createExecutor();
  registry.register(
    tool("notes", () => {}),
    { ownerUserId: "a" },
  );
  const taken = registry.register(
    tool("notes", () => {}),
    { ownerUserId: "b" },
  );
  expect(taken).toMatchObject({ accepted: false });
  expect(registry.getCollisions()).toHaveLength(1);
  expect(registry.forSession({ userId: "a" }).isActive("notes")).toBe(true);
  registry.register(tool("notes", () => {}, { exposure: "hidden" }));
  expect(
    registry.register(
      tool("notes", () => {}),
      { ownerUserId: "b" },
    ),
  ).toEqual({ accepted: true });
});

test("P49: what activate gives back as ignored stays out, also when it comes into sight", () => {
  const { registry } = createExecutor({
    tools: [tool("h", () => {}, { exposure: "hidden" }), tool("d", () => {}, { exposure: "deferred" })],
  });
  let planMode = true;
  const session = registry.forSession({ live: () => ({ planMode }) });
  expect(session.activate(["h", "d", "unknown"])).toEqual({ activated: [], ignored: ["h", "d", "unknown"] });
  planMode = false;
  registry.register(tool("h", () => {}, { exposure: "deferred" }));
  expect(session.getActiveTools()).toEqual([]);
});

test("E45: who is revoked has no platform either, and what was delegated then never comes to more", () => {
  const { registry } = createExecutor();
  registry.register(
    tool("slack_read", () => {}, READS),
    { platform: "slack" },
  );
  registry.register(
    tool("mine", () => {}, READS),
    { ownerUserId: "u" },
  );
  const policy: { now: AccessRestriction | undefined } = { now: undefined };
  const session = registry.forSession({ userId: "u", platform: "slack", live: () => policy.now });
  const child = session.delegate();
  const names = (of: ToolSession) => of.getAllTools().map(({ name }) => name);
  expect([names(session), names(child)]).toEqual([[], []]);
  policy.now = {};
  expect([names(session), names(child)]).toEqual([["slack_read", "mine"], []]);
});

test("A5: what is not granted is no close name, and a refusal tells nothing of its plugin", async () => {
  const executor = createExecutor({ tools: [caller("top", [["secret_plugintol"]])] });
  executor.registry.register(
    tool("secret_plugintool", () => "ran"),
    { owner: "acme-secret" },
  );
  const session = executor.registry.forSession({ isGranted: () => false });
  const near = await executor.executeTool("secret_plugintol", {}, { session });
  const exact = await executor.executeTool("secret_plugintool", {}, { session });
  expect(near.error?.message).not.toContain("secret_plugintool");
  expect(exact.error?.message).toBe('Tool "secret_plugintool" is not granted to this session.');
});

test("E37: from ctx.session and a hook's session there is no way to the rest of the registry", async () => {
  const found: unknown[] = [];
  const executor = createExecutor({ tools: [tool("t", (_args, ctx) => void found.push(ctx.session))] });
  executor.on("tool_call", ({ session }) => void found.push(session));
  await executor.executeTool("t");
  for (const session of found) expect(session).not.toHaveProperty("registry");
});

test("A30: a name from outside is told in quotes and on one line", async () => {
  const executor = createExecutor({ limits: { maxDepth: 0 }, tools: [caller("top", [["a\nb\u001b[31m"]], [])] });
  const { error } = await executor.executeTool("no\nEVIL\u001b[31m");
  expect(error?.message).toBe('There is no tool "no\\nEVIL\\u001b[31m" that can be called here.');
  await executor.close();
  expect((await executor.executeTool("x\ny")).error?.message).toContain('"x\\ny"');
});

test("E47: why a policy fails is told to the host, not to the model", async () => {
  const executor = createExecutor({ tools: [tool("t", () => "ran", { inputSchema: Type.Object({}) })] });
  const errors: unknown[] = [];
  executor.on("observer_error", ({ error }) => errors.push(error));
  const live: SessionOptions["live"] = () => {
    throw new Error("db password=hunter2");
  };
  const { error } = await executor.executeTool("t", {}, { session: executor.registry.forSession({ live }) });
  expect(error).toMatchObject({ code: "HOOK_FAILED", message: expect.not.stringContaining("hunter2") });
  expect(String(errors[0])).toContain("hunter2");
});
