// Rows of features.md about who asks a plugin's tool and what it may do: E39 to E41, E43, E46, E47, E49.
import { type Access, type AccessRestriction, createExecutor, type Identity, type SessionOptions } from "nestcall";
import { loadPlugin, type Plugin, type PluginContext, Type } from "nestcall/elowen";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { answer, load, type PluginExecute, pluginOf, pluginTool } from "../helpers/elowen.js";
import { at, caller, endOf, textOf } from "../helpers/engine.js";

/** What the accessors tell inside a tool, in a session whose live policy may be changed. */
function watched(session: SessionOptions, between: (ctx: PluginContext) => unknown = () => {}) {
  const seen: { identity: Identity; access: Access; account: string | null }[] = [];
  const policy: { now: AccessRestriction | undefined } = { now: {} };
  const plugin: Plugin = {
    manifest: { name: "watcher" },
    register(ctx) {
      const look = () => {
        const [identity, access, account] = [ctx.currentIdentity(), ctx.currentAccess(), ctx.currentAccountUserId()];
        seen.push({ identity, access, account });
      };
      const run: PluginExecute = async () => {
        look();
        await between(ctx);
        look();
        return answer("seen");
      };
      ctx.registerTool(pluginTool("Look", run));
    },
  };
  const executor = createExecutor();
  const run = async () => {
    await loadPlugin(plugin, { executor });
    const own = executor.registry.forSession({ ...session, live: () => policy.now });
    return executor.executeTool("Look", {}, { session: own });
  };
  return { seen, policy, run };
}

test("E39: the accessors answer for the call that asks, and a value that changes between two reads is seen", async () => {
  const { seen, policy, run } = watched(
    { userId: "u1", platform: "web", admin: true, projectIds: ["p1", "p2"] },
    () => {
      policy.now = { projectIds: ["p2"], admin: false };
    },
  );
  await run();
  expect(seen).toEqual([
    {
      identity: { userId: "u1", platform: "web", admin: true },
      access: { admin: true, projectIds: ["p1", "p2"], readOnly: false, planMode: false },
      account: "u1",
    },
    {
      identity: { userId: "u1", platform: "web", admin: false },
      access: { admin: false, projectIds: ["p2"], readOnly: false, planMode: false },
      account: "u1",
    },
  ]);
});

test("E39: two calls at the same time are told of their own sessions, in whatever order they run", async () => {
  const meet = createGate();
  const told: string[] = [];
  let waiting = 0;
  const plugin: Plugin = {
    manifest: { name: "p" },
    register(ctx) {
      const run: PluginExecute = async () => {
        const before = ctx.currentAccountUserId();
        waiting += 1;
        if (waiting === 2) meet.open();
        await meet.promise;
        told.push(`${before} ${ctx.currentAccountUserId()}`);
        return answer("ran");
      };
      ctx.registerTool(pluginTool("Who", run));
    },
  };
  const { executor } = await load(plugin);
  const calls = ["u1", "u2"].map((userId) =>
    executor.executeTool("Who", {}, { session: executor.registry.forSession({ userId }) }),
  );
  await Promise.all(calls);
  expect(told.sort()).toEqual(["u1 u1", "u2 u2"]);
});

test("E39: a call without an account has none, which is null", async () => {
  const { seen, run } = watched({});
  await run();
  expect(at(seen, 0)).toMatchObject({ account: null, identity: { userId: undefined } });
});

const ACCESSORS = ["currentIdentity", "currentAccess", "currentAccountUserId"] as const;

test.each(ACCESSORS)("E40: %s outside of a running tool throws and says where to call it", async (accessor) => {
  let kept: PluginContext | undefined;
  const thrown: unknown[] = [];
  const ask = () => {
    try {
      thrown.push(`answered ${JSON.stringify(kept?.[accessor]())}`);
    } catch (error) {
      thrown.push(error);
    }
  };
  const late = createGate();
  const asked = createGate();
  const run: PluginExecute = () => {
    void late.promise.then(ask).then(() => asked.open()); // goes on when the call has ended
    return answer("ran");
  };
  const plugin: Plugin = {
    manifest: { name: "p" },
    register(ctx) {
      kept = ctx;
      ask();
      ctx.registerTool(pluginTool("T", run));
    },
  };
  const { executor } = await load(plugin);
  ask();
  await executor.executeTool("T");
  late.open();
  await asked.promise;
  const outside = {
    code: "INVALID_ARGUMENTS",
    message: expect.stringMatching(`ctx\\.${accessor}\\(\\) was called outside of a running tool`),
  };
  expect(thrown).toMatchObject([outside, outside, { code: "CALLER_FINISHED" }]);
});

/** Plugin tools `a`, `b`, … each of which calls the next with these options and tells its access. */
async function chain(narrow: readonly (AccessRestriction | undefined)[], seen: Access[]) {
  const names = ["A", "B", "C", "D"];
  const plugin: Plugin = {
    manifest: { name: "chain", planSafe: names },
    register(ctx) {
      for (const [index, name] of names.entries()) {
        const run: PluginExecute = async (_id, _params, _signal, _onUpdate, toolCtx) => {
          seen.push(ctx.currentAccess());
          const [next, access] = [names[index + 1], narrow[index]];
          if (next !== undefined) await toolCtx.executeTool(next, {}, access === undefined ? {} : { access });
          seen.push(ctx.currentAccess()); // its own again, whatever was called meanwhile
          return answer("ran");
        };
        ctx.registerTool(pluginTool(name, run));
      }
    },
  };
  return load(plugin);
}

test("E41: what a read-only call calls is read-only at any depth, and the caller itself stays what it was", async () => {
  const seen: Access[] = [];
  const { executor } = await chain([undefined, { readOnly: true }], seen);
  await executor.executeTool("A");
  expect(seen.map(({ readOnly }) => readOnly)).toEqual([false, false, true, true, true, true, false, false]);
});

test("E41: a session that is read-only is so for every call below", async () => {
  const seen: Access[] = [];
  const { executor } = await chain([], seen);
  await executor.executeTool("A", {}, { session: executor.registry.forSession({ planMode: true }) });
  expect(seen).toHaveLength(8);
  for (const access of seen) expect(access).toMatchObject({ readOnly: true, planMode: true });
});

test("E43: a plugin cannot clear a restriction for what it calls; the try is ignored and recorded", async () => {
  const seen: Access[] = [];
  const wide = { admin: true, projectIds: ["p9"], readOnly: false, planMode: false };
  const { executor } = await chain([wide], seen);
  const session = executor.registry.forSession({ planMode: true });
  const { nestedCalls } = await executor.executeTool("A", {}, { session });
  expect(at(seen, 1)).toEqual({ admin: false, projectIds: [], readOnly: true, planMode: true });
  expect(nestedCalls?.calls.map(({ ignoredAccess }) => ignoredAccess)).toEqual([
    Object.keys(wide),
    undefined,
    undefined,
  ]);
});

test("E41: where one plugin's tool runs inside another's, both plugins are told of the inner call", async () => {
  const told: boolean[] = [];
  let outerCtx: PluginContext | undefined;
  const executor = createExecutor();
  const run: PluginExecute = async (_id, _params, _signal, _onUpdate, ctx) => {
    await ctx.executeTool("Inner", {}, { access: { readOnly: true } });
    return answer("ran");
  };
  const first: Plugin = {
    manifest: { name: "first" },
    register(ctx) {
      outerCtx = ctx;
      ctx.registerTool(pluginTool("Outer", run));
    },
  };
  const second: Plugin = {
    manifest: { name: "second", planSafe: ["Inner"] },
    register(ctx) {
      const look = () => {
        told.push(ctx.currentAccess().readOnly, outerCtx?.currentAccess().readOnly ?? false);
        return answer("ran");
      };
      ctx.registerTool(pluginTool("Inner", look));
    },
  };
  for (const plugin of [first, second]) await loadPlugin(plugin, { executor });
  await executor.executeTool("Outer");
  expect(told).toEqual([true, true]);
});

test.each([
  ["drops what is revoked", true, { admin: false }, [true, false]],
  ["drops everything when nothing is allowed any more", true, undefined, [true, false]],
  ["never promotes", false, { admin: true, projectIds: ["p1"] }, [false, false]],
] as const)("E46: currentIdentity %s", async (_what, admin, now, expected) => {
  const { seen, policy, run } = watched({ userId: "u1", admin }, () => {
    policy.now = now;
  });
  await run();
  expect(seen.map(({ identity }) => identity.admin)).toEqual(expected);
  if (now === undefined) expect(seen[1]).toMatchObject({ account: null, access: { readOnly: true, projectIds: [] } });
});

test("E47: a tool that waits between two reads sees what was revoked meanwhile", async () => {
  const [started, go] = [createGate(), createGate()];
  const { seen, policy, run } = watched({ admin: true, projectIds: ["p1"] }, async () => {
    started.open();
    await go.promise;
  });
  const running = run();
  await started.promise;
  policy.now = { projectIds: [], admin: false, readOnly: true };
  go.open();
  await running;
  expect(seen.map(({ access }) => access)).toEqual([
    { admin: true, projectIds: ["p1"], readOnly: false, planMode: false },
    { admin: false, projectIds: [], readOnly: true, planMode: false },
  ]);
});

test.each(["directly", "by another tool"])(
  "E49: of a tool called %s, scope is asked first, then plan mode, then the plugin's grant, then the hooks",
  async (how) => {
    const order: string[] = [];
    const nested: never[] = [];
    const executor = createExecutor({ tools: [caller("outer", [["Act"]], nested, { effect: "read" })] });
    const plugin: Plugin = {
      manifest: { name: "actor" },
      register: (ctx) =>
        ctx.registerTool(
          pluginTool("Act", () => {
            order.push("tool");
            return answer("ran");
          }),
          { projectId: 7 },
        ),
    };
    await loadPlugin(plugin, { executor });
    const open = { scope: false, plan: false, grant: false, hook: false };
    executor.on("tool_call", ({ toolName }) => {
      if (toolName !== "Act") return undefined;
      order.push("hook");
      return open.hook ? undefined : { block: true, reason: "refused by the hook" };
    });
    /** With a fresh session, since plan mode is for good. */
    const refusal = async () => {
      const session = executor.registry.forSession({
        projectIds: open.scope ? ["7"] : [],
        planMode: !open.plan,
        isGranted: (owner) => {
          order.push(`grant of ${owner}`);
          return open.grant;
        },
      });
      order.length = nested.length = 0;
      if (how === "directly") return textOf(await executor.executeTool("Act", {}, { session }));
      await executor.executeTool("outer", {}, { session });
      return textOf(at(nested, 0));
    };
    expect(await refusal()).toMatch(/There is no tool "Act"/);
    expect(order).toEqual([]);
    open.scope = true;
    expect(await refusal()).toMatch(/not available in plan mode/);
    expect(order).toEqual([]);
    open.plan = true;
    expect(await refusal()).toMatch(/is not granted to this session/);
    expect(order).toEqual(["grant of actor"]);
    open.grant = true;
    expect(await refusal()).toBe("refused by the hook");
    expect(order).toEqual(["grant of actor", "hook"]);
    open.hook = true;
    expect(await refusal()).toBe("ran");
    // What allowed the call is asked once more when the tool is about to run (E45).
    expect(order).toEqual(["grant of actor", "hook", "grant of actor", "tool"]);
  },
);

test("E49: a refused call never reaches the tool, also when its arguments are wrong", async () => {
  const ran: string[] = [];
  const run: PluginExecute = () => {
    ran.push("ran");
    return answer("ran");
  };
  const parameters = Type.Object({ path: Type.String() });
  const executor = createExecutor();
  await load(pluginOf([pluginTool("Act", run, { parameters })]), { executor });
  const session = executor.registry.forSession({ isGranted: () => false });
  expect(endOf(await executor.executeTool("Act", {}, { session }))).toBe("BLOCKED");
  expect(ran).toEqual([]);
});
