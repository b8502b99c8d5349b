// Rows of features.md about scopes and live access: E35 to E47.

import fc from "fast-check";
import {
  type Access,
  type AccessRestriction,
  createExecutor,
  type Executor,
  type Identity,
  type SessionOptions,
  type ToolContext,
  type ToolSession,
} from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { caller, endOf, tool } from "../helpers/engine.js";

const SCOPES = { mine: { ownerUserId: "u1" }, ours: { projectId: "p1" }, here: { platform: "web" }, all: {} };
type ScopeName = keyof typeof SCOPES;

/** A tool for each scope, and a probe that looks around and calls every one of them. */
function scoped(): {
  readonly executor: Executor;
  look(session?: ToolSession): Promise<Record<string, readonly string[]>>;
} {
  const executor = createExecutor();
  for (const [name, scope] of Object.entries(SCOPES))
    executor.registry.register(
      tool(`tool_${name}`, () => "ran"),
      scope,
    );
  const names = Object.keys(SCOPES).map((name) => `tool_${name}`);
  let seen: readonly string[] = [];
  let called: string[] = [];
  const probe = tool("probe", async (_args, ctx) => {
    seen = ctx.tools.map(({ name }) => name).filter((name) => names.includes(name));
    called = [];
    for (const name of names) if (!(await ctx.executeTool(name)).isError) called.push(name);
  });
  executor.registry.register(probe);
  return {
    executor,
    async look(session) {
      const options = session === undefined ? {} : { session };
      await executor.executeBatch([{ id: "m", name: "probe" }], options);
      const batch = await executor.executeBatch(
        names.map((name) => ({ id: name, name })),
        options,
      );
      const view = session ?? executor.registry.session;
      return {
        listed: view
          .getAllTools()
          .map(({ name }) => name)
          .filter((name) => names.includes(name)),
        active: view.getActiveTools().filter((name) => names.includes(name)),
        declared: executor.registry
          .declarations(view)
          .map(({ name }) => name)
          .filter((name) => names.includes(name)),
        found: view
          .searchTools("tool mine ours here all", { limit: 50 })
          .map(({ name }) => name)
          .filter((name) => names.includes(name))
          .sort((a, b) => names.indexOf(a) - names.indexOf(b)),
        seen,
        called,
        model: batch.outcomes.filter(({ isError }) => !isError).map(({ toolCall }) => toolCall.name),
      };
    },
  };
}

const everywhere = (...names: readonly ScopeName[]) => {
  const list = names.map((name) => `tool_${name}`);
  return { listed: list, active: list, declared: list, found: list, seen: list, called: list, model: list };
};

test.each([
  ["E35: a session of the account", { userId: "u1" }, ["mine", "all"]],
  ["E35: a session of the project", { projectIds: ["p0", "p1"] }, ["ours", "all"]],
  ["E35: a session of the platform", { platform: "web" }, ["here", "all"]],
  ["E36: a session of nobody, nothing and nowhere", {}, ["all"]],
  [
    "E37: a session of another account, project and platform",
    { userId: "u2", projectIds: ["p2"], platform: "cli" },
    ["all"],
  ],
  [
    "E35: a session of all three",
    { userId: "u1", projectIds: ["p1"], platform: "web" },
    ["mine", "ours", "here", "all"],
  ],
] as const)("%s lists, finds, declares and calls what is in scope, and nothing else", async (_row, options, names) => {
  const { executor, look } = scoped();
  expect(await look(executor.registry.forSession(options as SessionOptions))).toEqual(everywhere(...names));
});

test("E36: calls without a session have what is not scoped; the host's own call reaches all", async () => {
  const { executor, look } = scoped();
  expect(await look()).toEqual(everywhere("all"));
  expect(endOf(await executor.executeTool("tool_mine"))).toBe("ok");
});

test("E38: a call by name from the wrong session is refused, in the words of an unknown tool, and suggests no name", async () => {
  const { executor } = scoped();
  const session = executor.registry.forSession({ userId: "u2" });
  const scopedOut = await executor.executeTool("tool_mine", {}, { session });
  const unknown = await executor.executeTool("tool_mind", {}, { session });
  expect(endOf(scopedOut)).toBe("UNKNOWN_TOOL");
  expect(scopedOut.error?.message.replace("tool_mine", "tool_mind")).toBe(unknown.error?.message);
  expect(scopedOut.error?.message).not.toMatch(/Close names:.*(mine|ours|here)/);
});

test("E38: all parts of a scope must fit", () => {
  const { registry } = createExecutor();
  registry.register(
    tool("both", () => {}),
    { ownerUserId: "u1", platform: "web" },
  );
  const sees = (options: SessionOptions) => registry.forSession(options).isActive("both");
  expect([sees({ userId: "u1" }), sees({ platform: "web" }), sees({ userId: "u1", platform: "web" })]).toEqual([
    false,
    false,
    true,
  ]);
});

test("E38: a session of another executor is refused, by calls and by listings", async () => {
  const [one, other] = [createExecutor({ tools: [tool("t", () => {})] }), createExecutor()];
  const session = other.registry.forSession();
  expect(await one.executeTool("t", {}, { session })).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
  await expect(one.executeBatch([{ id: "m", name: "t" }], { session })).rejects.toThrow(/belongs to another executor/);
  expect(() => one.registry.declarations(session)).toThrow(/takes a session that this registry gave/);
});

/** An executor with a tool that runs `look`, and a session whose policy the test changes. */
function live(start: AccessRestriction | undefined, options: SessionOptions, look: (ctx: ToolContext) => unknown) {
  const policy = { now: start };
  const executor = createExecutor({ tools: [tool("look", (_args, ctx) => look(ctx))] });
  const session = executor.registry.forSession({ ...options, live: () => policy.now });
  return { policy, session, run: () => executor.executeTool("look", {}, { session }) };
}

test("E39: identity and access are asked at each use: the second call sees what changed between the two", async () => {
  const seen: [Identity, Access][] = [];
  const { policy, run } = live({}, { userId: "u1", admin: true, projectIds: ["p1"] }, (ctx) =>
    seen.push([ctx.identity(), ctx.access()]),
  );
  await run();
  policy.now = { admin: false, projectIds: [] };
  await run();
  expect(seen.map(([identity, access]) => [identity.userId, identity.admin, access.admin, access.projectIds])).toEqual([
    ["u1", true, true, ["p1"]],
    ["u1", false, false, []],
  ]);
});

test("E40: an accessor that outlives its call throws, and says where to read it", async () => {
  let kept: ToolContext | undefined;
  const executor = createExecutor({ tools: [tool("keep", (_args, ctx) => void (kept = ctx))] });
  await executor.executeTool("keep");
  expect(() => kept?.access()).toThrow(/ctx\.access\(\) was read after the call of tool "keep" had ended/);
  expect(() => kept?.identity()).toThrow(expect.objectContaining({ code: "CALLER_FINISHED" }));
});

/** A chain of calls of this depth that tells the access of its last one; `narrow` goes with each call. */
function chain(depth: number, narrow: readonly (AccessRestriction | undefined)[], seen: Access[]): Executor {
  const execute = async (args: Record<string, unknown>, ctx: ToolContext) => {
    seen.push(ctx.access());
    const level = Number(args.level ?? 0);
    const access = narrow[level];
    if (level < depth) await ctx.executeTool("step", { level: level + 1 }, access === undefined ? {} : { access });
  };
  return createExecutor({ tools: [tool("step", execute, { effect: "read" })] });
}

test("E41: below a read-only call every call is read-only, at any depth, and what changes things is refused there", async () => {
  const seen: Access[] = [];
  const executor = chain(6, [undefined, { readOnly: true }], seen);
  await executor.executeTool("step");
  expect(seen.map(({ readOnly }) => readOnly)).toEqual([false, false, true, true, true, true, true]);

  const refused: unknown[] = [];
  executor.registry.register(tool("writer", () => refused.push("ran"), { effect: "write" }));
  executor.registry.register(caller("inner", [["writer"]], refused as never, { effect: "read" }));
  executor.registry.register(
    tool("outer", (_args, ctx) => ctx.executeTool("inner", {}, { access: { readOnly: true } }).then(() => {}), {
      effect: "read",
    }),
  );
  await executor.executeTool("outer");
  expect(refused).toMatchObject([
    { error: { code: "BLOCKED", message: expect.stringMatching(/"writer".*read-only/) } },
  ]);
});

test("E42: what a planning session delegates is read-only and reports plan mode, also to its grandchildren", () => {
  const { registry } = createExecutor();
  const child = registry.forSession({ planMode: true }).delegate({ planMode: false, readOnly: false });
  const grandchild = child.delegate({ planMode: false });
  for (const session of [child, grandchild]) expect(session.access()).toMatchObject({ readOnly: true, planMode: true });
  const origin = registry.forSession({ readOnly: true });
  expect(origin.access()).toMatchObject({ readOnly: true, planMode: false });
  expect(origin.delegate().access()).toMatchObject({ readOnly: true, planMode: true });
});

test("E43: options that would widen the access of a nested call are ignored, and the record names them", async () => {
  const seen: Access[] = [];
  const wide = { admin: true, projectIds: ["p9"], readOnly: false, planMode: false };
  const executor = chain(2, [{ planMode: true }, wide], seen);
  const { nestedCalls } = await executor.executeTool("step");
  expect(seen.at(-1)).toEqual({ admin: false, projectIds: [], readOnly: true, planMode: true });
  expect(nestedCalls?.calls.map(({ ignoredAccess }) => ignoredAccess)).toEqual([undefined, Object.keys(wide)]);
});

const flag = () => fc.option(fc.boolean(), { nil: undefined });
const ids = () => fc.option(fc.uniqueArray(fc.constantFrom("p1", "p2", "p3")), { nil: undefined });
const restriction = () =>
  fc.record(
    { admin: flag(), projectIds: ids(), readOnly: flag(), planMode: flag() },
    { requiredKeys: [] },
  ) as fc.Arbitrary<AccessRestriction>;

test("E44: access is what was captured and the live policy together, whatever the policy does", () => {
  fc.assert(
    fc.property(restriction(), fc.array(restriction(), { minLength: 1, maxLength: 5 }), (captured, policies) => {
      const policy = { now: {} as AccessRestriction };
      const session = createExecutor().registry.forSession({ ...captured, live: () => policy.now });
      for (const now of policies) {
        policy.now = now;
        const access = session.access();
        const mine = captured.projectIds ?? [];
        expect(access.admin).toBe(captured.admin === true && now.admin !== false);
        expect(access.projectIds).toEqual(mine.filter((id) => now.projectIds?.includes(id) ?? true));
        expect(access.planMode).toBe(captured.planMode === true || now.planMode === true);
        expect(access.readOnly).toBe(access.planMode || captured.readOnly === true || now.readOnly === true);
      }
    }),
  );
});

test("E45: a project that is taken away is gone at once, from the listing and in a call; one that is given later never comes", async () => {
  const executor = createExecutor();
  for (const projectId of ["p1", "p2"])
    executor.registry.register(
      tool(`of_${projectId}`, () => "ran"),
      { projectId },
    );
  const policy = { now: { projectIds: ["p1"] } };
  const session = executor.registry.forSession({ projectIds: ["p1"], live: () => policy.now });
  expect(session.getActiveTools()).toEqual(["of_p1"]);
  policy.now = { projectIds: ["p2"] };
  expect(session.getActiveTools()).toEqual([]);
  for (const name of ["of_p1", "of_p2"]) {
    expect(endOf(await executor.executeTool(name, {}, { session }))).toBe("UNKNOWN_TOOL");
  }
});

test("E46: identity drops the privilege that is revoked, and never gains one", () => {
  const { registry } = createExecutor();
  const policy: { now: AccessRestriction | undefined } = { now: { admin: true } };
  const adminOf = (admin: boolean) => registry.forSession({ userId: "u1", admin, live: () => policy.now });
  const [admin, user] = [adminOf(true), adminOf(false)];
  expect([admin.identity().admin, user.identity().admin]).toEqual([true, false]);
  policy.now = { admin: false };
  expect([admin.identity().admin, user.identity().admin]).toEqual([false, false]);
  policy.now = undefined;
  expect(admin.identity()).toEqual({ userId: undefined, platform: undefined, admin: false });
  expect(admin.access()).toEqual({ admin: false, projectIds: [], readOnly: true, planMode: false });
});

test("E47: a tool that waits between two reads sees what was revoked meanwhile", async () => {
  const gate = createGate();
  const seen: boolean[] = [];
  const started = createGate();
  const { policy, run } = live({}, { admin: true }, async (ctx) => {
    seen.push(ctx.access().admin);
    started.open();
    await gate.promise;
    seen.push(ctx.access().admin);
  });
  const running = run();
  await started.promise;
  policy.now = { admin: false };
  gate.open();
  await running;
  expect(seen).toEqual([true, false]);
});

test("E47: a policy that throws, or answers with a promise or with nonsense, allows nothing", async () => {
  const bad = [
    () => {
      throw new Error("directory down");
    },
    async () => ({}),
    () => ({ admin: "yes" }),
    () => ({ readonly: true }),
  ];
  for (const answer of bad) {
    const executor = createExecutor({ tools: [tool("t", () => "ran")] });
    executor.registry.register(
      tool("p", () => "ran"),
      { projectId: "p1" },
    );
    const session = executor.registry.forSession({ projectIds: ["p1"], live: answer as never });
    for (const name of ["t", "p"])
      expect(endOf(await executor.executeTool(name, {}, { session }))).toMatch(/HOOK_FAILED/);
    expect(() => session.getActiveTools()).toThrow();
  }
});

test("E47: options of a session are checked, so that a misspelt restriction is no open door", () => {
  const { registry } = createExecutor();
  const refuse = (options: unknown) => expect(() => registry.forSession(options as never));
  refuse({ readonly: true }).toThrow(/no part .*readonly.*readOnly/);
  refuse({ readOnly: "yes" }).toThrow(/readOnly must be true or false/);
  refuse({ projectIds: "p1" }).toThrow(/projectIds must be a list of ids/);
  refuse({ userId: 5 }).toThrow(/userId must be a text/);
  refuse({ live: {} }).toThrow(/live must be a function/);
  refuse(null).toThrow(/must be an object/);
});
