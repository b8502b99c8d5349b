// Sessions that share one tool `codemode`: what they keep, what they are shown, and whom the host's functions hear of.
import { createExecutor, type Tool, type ToolCallOutcome } from "nestcall";
import { createCodemodeRuntime, createCodemodeTool } from "nestcall/codemode";
import { afterAll, describe, expect, test } from "vitest";
import { textOf, tool } from "../helpers/engine.js";

const runtime = createCodemodeRuntime();
afterAll(() => runtime.close());

type ToolOptions = Partial<Parameters<typeof createCodemodeTool>[0]>;
type Session = ReturnType<ReturnType<typeof createExecutor>["registry"]["forSession"]>;

function engine(tools: readonly Tool[], options: ToolOptions = {}) {
  const executor = createExecutor({ tools: [...tools] });
  executor.registry.register(createCodemodeTool({ runtime, executor, ...options }));
  const run = (code: string, session?: Session) =>
    executor.executeTool("codemode", { code }, { toolCallId: "T", ...(session === undefined ? {} : { session }) });
  return { registry: executor.registry, run };
}
const gave = ({ result }: ToolCallOutcome) => (result.details as { readonly value?: unknown }).value;
const LOAD = 'return load("secret") ?? "nothing";';

describe("7.1, stores", () => {
  test("7.1: what one session stores no other session loads, and calls without a session share a store", async () => {
    const { registry, run } = engine([]);
    const [alice, bob] = [registry.forSession({ userId: "alice" }), registry.forSession({ userId: "bob" })];
    await run('store("secret", "of alice");', alice);
    expect(gave(await run(LOAD, bob))).toBe("nothing");
    expect(gave(await run(LOAD))).toBe("nothing");
    expect(gave(await run(LOAD, alice))).toBe("of alice");
    await run('store("secret", "of nobody");');
    expect(gave(await run(LOAD))).toBe("of nobody");
    expect(gave(await run(LOAD, bob))).toBe("nothing");
  });

  test("E41: a call that a hook narrows keeps the store of its session, a delegate has one of its own", async () => {
    const executor = createExecutor();
    executor.registry.register(createCodemodeTool({ runtime, executor }), { planSafe: true });
    const alice = executor.registry.forSession({ userId: "alice" });
    const run = (code: string, more: object) => executor.executeTool("codemode", { code }, { session: alice, ...more });
    await run('store("secret", 1);', { access: { readOnly: true } });
    expect(gave(await run(LOAD, {}))).toBe(1);
    expect(gave(await run(LOAD, { access: { admin: false } }))).toBe(1);
    expect(gave(await run(LOAD, { session: alice.delegate() }))).toBe("nothing");
  });

  test("7.1: the host's functions for stores, journals and calls in doubt hear whose call it is", async () => {
    const heard: string[] = [];
    const cut = [
      { type: "start", protocol: "nestcall-codemode/1", seed: [1, 2, 3, 4], startedAt: 0 },
      { type: "call", id: 1, name: "pay", args: "{}" },
    ];
    const note =
      <T>(what: string, given: T) =>
      ({ session }: { readonly session: Pick<Session, "identity"> }) => {
        heard.push(`${what} ${String(session.identity().userId)}`);
        return given;
      };
    const { registry, run } = engine([tool("pay", () => "paid")], {
      store: note("store", new Map<string, unknown>()),
      journal: note("journal", cut),
      confirmInDoubt: note("doubt", true),
    });
    const outcome = await run("return await tools.pay({});", registry.forSession({ userId: "alice" }));
    expect([textOf(outcome), heard]).toEqual(["paid", ["store alice", "journal alice", "doubt alice"]]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("disk full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("disk full"))],
  ])("7.1: a store that %s hides nothing of what the script did", async (_how, set) => {
    const kept = new Map<string, unknown>();
    const store = {
      entries: () => kept.entries(),
      delete: (key: string) => kept.delete(key),
      set: (key: string, value: unknown) => (key === "bad" ? set() : kept.set(key, value)),
    };
    const { run } = engine([tool("pay", () => "paid")], { store });
    const outcome = await run(
      'text("shown"); await tools.pay(); store("bad", 1); store("good", 2); return "the value";',
    );
    expect([outcome.status, gave(outcome), kept.get("good")]).toEqual(["error", "the value", 2]);
    const text = textOf(outcome);
    for (const part of ["shown", "the value", "T/1 pay: ok", "disk full", '"bad"']) expect(text).toContain(part);
    expect((outcome.result.details as { readonly warnings: unknown }).warnings).toEqual([
      expect.stringContaining("disk full"),
    ]);
  });
});

describe("4.4, the description", () => {
  const tools = () => [tool("reader", () => "read"), tool("writer", () => "wrote")];

  test("4.4: a session is declared what its scripts can reach", () => {
    const { registry } = engine(tools());
    const session = registry.forSession({ userId: "alice" });
    session.setActiveTools(["codemode", "reader"]);
    const declared = () => registry.declarations(session).find(({ name }) => name === "codemode")?.description;
    const listed = () => session.getAllTools().find(({ name }) => name === "codemode")?.description;
    const found = () => session.searchTools("script").find(({ name }) => name === "codemode")?.description;
    for (const description of [declared(), listed(), found()]) {
      expect(description).toContain("reader");
      expect(description).not.toContain("writer");
    }
    session.activate(["writer"]);
    expect(declared()).toContain("writer");
    expect(registry.declarations().find(({ name }) => name === "codemode")?.description).toContain("writer");
  });

  test("E35: a session is declared the tools of its own scope, and a policy's change shows at once", () => {
    const { registry } = engine(tools());
    registry.register(
      tool("private_notes", () => "notes"),
      { ownerUserId: "alice" },
    );
    registry.register(
      tool("lent", () => "lent"),
      { owner: "plugin" },
    );
    let isAllowed = true;
    const alice = registry.forSession({ userId: "alice", isGranted: () => isAllowed });
    const bob = registry.forSession({ userId: "bob" });
    const declared = (session: Session) =>
      registry.declarations(session).find(({ name }) => name === "codemode")?.description ?? "";
    expect(declared(alice)).toContain("private_notes");
    expect(declared(bob)).not.toContain("private_notes");
    expect(declared(alice)).toContain("lent");
    isAllowed = false;
    expect(declared(alice)).not.toContain("lent");
  });
});

test("4.1, C2: a failed call's data reach its script as details, what is for the host does not", async () => {
  const broken = tool("broken", () => ({
    content: [{ type: "text", text: "out of paper" }],
    structuredContent: { tray: 2 },
    details: { password: "for the host" },
    isError: true,
  }));
  const silent = tool("silent", () => ({ content: [], details: { password: "for the host" }, isError: true }));
  const { run } = engine([broken, silent]);
  const code = `
    const seen = [];
    for (const name of ["broken", "silent"]) try { await tools[name](); } catch (error) { seen.push(error.details ?? null); }
    return seen;`;
  expect(gave(await run(code))).toEqual([{ tray: 2 }, null]);
});
