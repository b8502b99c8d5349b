// Approvals over MCP (8.1), the same in both protocols: by a form at once, or by a call that is parked until the answer comes.
import { createExecutor, Type } from "nestcall";
import { approvalGuard } from "nestcall/guards";
import { mcpApprovals } from "nestcall/mcp";
import { createGate } from "nestcall/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { at, closed, textOf, tool } from "../../../helpers/engine.js";
import { type Answerer, answerText, conductor, type Elicited, ERAS, guarded, no, served, yes } from "./served.js";

const RECORD = "dev.nestcall/record";

/** Tools that count how often they ran: one that is allowed, and two that are asked for. */
function counted() {
  const ran: string[] = [];
  const make = (name: string, effect: string) =>
    tool(name, (args) => (ran.push(`${name} ${JSON.stringify(args)}`), `${name} ran`), { effect });
  return { ran, tools: [conductor(), make("look", "read"), make("write", "write"), make("wipe", "destructive")] };
}

test.each(ERAS)("8.1: %s: two approvals in one script, and nothing of it runs twice", async (era) => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools);
  const asked: string[] = [];
  const onElicit: Answerer = ({ message }) => (asked.push(message), yes());
  const { client } = await served(executor, { era, approvals, onElicit });
  const calls = [["look"], ["write", { to: "a" }], ["look"], ["wipe", { what: "b" }], ["look"]];
  const answer = await client.call("conduct", { calls });
  expect(answerText(answer).split("\n")).toEqual([
    "ok: look ran",
    "ok: write ran",
    "ok: look ran",
    "ok: wipe ran",
    "ok: look ran",
  ]);
  expect(ran).toEqual(["look {}", 'write {"to":"a"}', "look {}", 'wipe {"what":"b"}', "look {}"]);
  expect(asked.map((message) => /tool (\w+)/.exec(message)?.[1])).toEqual(["write", "wipe"]);
  const record = answer._meta?.[RECORD] as { calls: unknown[]; complete: boolean };
  expect([record.calls.length, record.complete]).toEqual([5, true]);
});

test.each(ERAS)("8.1: %s: two approvals at the same time, one given and one not", async (era) => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools);
  let open = 0;
  const most = { open: 0 };
  const onElicit: Answerer = async ({ message }) => {
    open += 1;
    most.open = Math.max(most.open, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return message.includes("tool wipe") ? no() : yes();
  };
  const { client } = await served(executor, { era, approvals, onElicit });
  const calls = [["write"], ["look"], ["wipe"]];
  const answer = await client.call("conduct", { calls, together: true });
  expect(answerText(answer).split("\n")).toEqual([
    "ok: write ran",
    "ok: look ran",
    `error: wipe was not approved (no rule fits, and the tool does not claim to be read-only). To allow it without asking, add "wipe" to policy.allow.`,
  ]);
  expect(ran.toSorted()).toEqual(["look {}", "write {}"]);
  if (era === "legacy") expect(most.open).toBe(1); // a person answers one after the other
});

const REFUSALS: [string, Answerer][] = [
  ["approve: false", no],
  ["decline", () => ({ action: "decline" })],
  ["cancel", () => ({ action: "cancel" })],
  ["accept without a form", () => ({ action: "accept" })],
  ["accept with an empty form", () => ({ action: "accept", content: {} })],
  ["decline with a form", () => ({ action: "decline", content: { approve: true } })],
  ["another field", () => ({ action: "accept", content: { approved: true } })],
];
test.each(ERAS.flatMap((era) => REFUSALS.map(([how, onElicit]) => [era, how, onElicit] as const)))(
  "8.1: %s: %s is no consent, and the script goes on",
  async (era, _how, onElicit) => {
    const { ran, tools } = counted();
    const { executor, approvals } = guarded(tools);
    const { client } = await served(executor, { era, approvals, onElicit });
    const answer = await client.call("conduct", { calls: [["wipe"], ["look"]] });
    expect(answerText(answer)).toContain("error: wipe was not approved");
    expect(answer._meta?.[RECORD]).toMatchObject({ calls: [{ status: "error", code: "BLOCKED" }, { status: "ok" }] });
    expect(ran).toEqual(["look {}"]);
  },
);

test.each(ERAS)("8.1: %s: text that says true, or a client that fails, is no consent", async (era) => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools);
  const onElicit = vi.fn<Answerer>(() => ({ action: "accept", content: { approve: "true" } }));
  const { client } = await served(executor, { era, approvals, onElicit });
  expect(answerText(await client.call("conduct", { calls: [["wipe"]] }))).toContain("was not approved");
  onElicit.mockImplementation(() => {
    throw new Error("no dialog");
  });
  // In the newer protocol the client itself gives up then, and never comes back to the call.
  const last = client.call("conduct", { calls: [["wipe"]] });
  if (era === "modern") await expect(last).rejects.toThrow("no dialog");
  else expect(answerText(await last)).toContain("was not approved");
  expect(ran).toEqual([]);
});

test.each(ERAS)(
  "8.1: %s: a client that cannot ask gets the guard's refusal, which says how to allow the call",
  async (era) => {
    const { ran, tools } = counted();
    const { executor, approvals } = guarded(tools);
    const { client } = await served(executor, { era, approvals });
    expect(answerText(await client.call("conduct", { calls: [["wipe"]] }))).toBe(
      "error: wipe needs approval (no rule fits, and the tool does not claim to be read-only), and nobody can be asked here. " +
        'To allow it, add "wipe" to policy.allow.',
    );
    // Forms by an address only are none that this can be asked by.
    const urls = { client: { capabilities: { elicitation: { url: {} } } } };
    const { client: second } = await served(executor, { era, approvals, ...urls });
    expect(answerText(await second.call("conduct", { calls: [["wipe"]] }))).toContain("nobody can be asked here");
    expect(ran).toEqual([]);
  },
);

test.each(ERAS)("8.1: %s: without approvals, and in the host's own call, nobody is asked", async (era) => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools);
  const onElicit = vi.fn(yes);
  const { client } = await served(executor, { era, onElicit });
  expect(answerText(await client.call("conduct", { calls: [["wipe"]] }))).toContain("nobody can be asked here");
  await served(executor, { era, approvals, onElicit });
  expect(textOf(await executor.executeTool("conduct", { calls: [["wipe"]] }))).toContain("nobody can be asked here");
  expect([ran, onElicit.mock.calls]).toEqual([[], []]);
});

test.each(ERAS)("8.1: %s: what the client calls itself is asked for as well; a denied tool is not", async (era) => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools, {}, { deny: ["wipe"] });
  const onElicit = vi.fn<Answerer>(yes);
  const { client } = await served(executor, { era, approvals, onElicit });
  expect(answerText(await client.call("write", { to: "a" }))).toBe("write ran");
  expect(at(onElicit.mock.calls, 0)[0].message).toContain("May the tool write (of this host) run?");
  expect(answerText(await client.call("wipe"))).toContain("wipe is denied");
  expect([ran, onElicit.mock.calls.length]).toEqual([['write {"to":"a"}'], 1]);
});

test.each(ERAS)("8.1: %s: the approval guard asks the same way", async (era) => {
  const { ran, tools } = counted();
  const executor = createExecutor({ tools });
  onTestFinished(() => executor.close());
  const approvals = mcpApprovals();
  const needsApproval = ({ toolName }: { readonly toolName: string }) => toolName === "wipe";
  executor.on("tool_call", approvalGuard({ confirm: approvals.confirm, needsApproval }));
  const answers = [yes(), no()];
  const { client } = await served(executor, { era, approvals, onElicit: () => answers.shift() });
  expect(answerText(await client.call("conduct", { calls: [["wipe"], ["wipe"]] }))).toBe(
    "ok: wipe ran\nerror: wipe was not approved",
  );
  const { client: mute } = await served(executor, { era, approvals });
  expect(answerText(await mute.call("wipe"))).toBe("wipe was not approved");
  expect(ran).toEqual(["wipe {}"]);
});

test.each(ERAS)(
  "8.1: %s: the form names the tool, where it is from, why, and the arguments as they would run",
  async (era) => {
    const { executor, approvals } = guarded(
      [conductor()],
      { originOf: (name) => (name === "mcp__git__push" ? { server: "git", tool: "push" } : undefined) },
      { ask: ["mcp__git__*"] },
    );
    const inputSchema = closed({ n: Type.Integer(), note: Type.Optional(Type.String()) });
    for (const name of ["mcp__git__push", "mcp__git__pull"]) {
      executor.registry.register(
        tool(name, (args) => JSON.stringify(args), { inputSchema }),
        { external: true, owner: "git" },
      );
    }
    const asked: Elicited[] = [];
    const { client } = await served(executor, { era, approvals, onElicit: (form) => (asked.push(form), yes()) });
    const note = `a\u202eb\u001b[2Jc\nIt may run.`;
    const calls = [
      ["mcp__git__push", { n: "5", note }],
      ["mcp__git__pull", { n: 1, note: `${"x".repeat(60_000)} and the end` }],
      ["mcp__git__pull", { n: 1, note: "x".repeat(65_536) }],
    ];
    const answer = await client.call("conduct", { calls });
    expect(asked[0]?.message).toBe(
      [
        'May the tool mcp__git__push (push of the MCP server "git") run, called by another tool or a script?',
        'Why this is asked: the rule ask[0] "mcp__git__*" says ask.',
        "It would run with these arguments:",
        '{\n  "n": 5,\n  "note": "a\\u202eb\\u001b[2Jc\\nIt may run."\n}',
      ].join("\n"),
    );
    expect(answerText(answer)).toContain(JSON.stringify({ n: 5, note })); // it ran as it was shown
    expect(asked[0]?.requestedSchema).toMatchObject({
      type: "object",
      properties: { approve: { type: "boolean" } },
      required: ["approve"],
    });
    expect(asked[1]?.message).toContain('mcp__git__pull (of the MCP server "git")');
    expect(asked[1]?.message).toMatch(/x and the end"\n\}$/);
    // Nobody consents to what is not shown.
    expect(asked).toHaveLength(2);
    expect(answerText(answer)).toContain(
      "its arguments are 65553 bytes of JSON, and a person can be shown 65536 at most",
    );
  },
);

test.each(ERAS)("8.1: %s: a call that is over takes its question with it", async (era) => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools, {}, { allow: ["conduct", "hasty"] });
  const waits = createGate();
  executor.on("tool_execution_wait", () => waits.open());
  const hasty = tool("hasty", async (_args, ctx) => {
    void ctx.executeTool("wipe");
    await waits.promise;
    if (era === "modern") await parked.promise;
    return "done without it";
  });
  const parked = createGate();
  executor.registry.register(hasty);
  const onElicit: Answerer = async (_form, signal) => {
    parked.open();
    if (era === "legacy") await new Promise((resolve) => signal.addEventListener("abort", resolve)); // taken back
    return yes();
  };
  const { client } = await served(executor, { era, approvals, onElicit });
  expect(answerText(await client.call("hasty"))).toBe("done without it");
  expect(ran).toEqual([]);
});

test("8.1: legacy: questions wait for their turn, and each has its whole time from when it is shown", async () => {
  const { ran, tools } = counted();
  const { executor, approvals } = guarded(tools, { answerWithinMs: 400 });
  let shown = 0;
  const onElicit: Answerer = async () => {
    shown += 1;
    await new Promise((resolve) => setTimeout(resolve, 150));
    return yes();
  };
  const { client } = await served(executor, { era: "legacy", approvals, onElicit });
  // The last is shown after 750 ms, when nearly twice the time has passed since it was asked for.
  const calls = Array.from({ length: 6 }, (_, n) => ["write", { n }]);
  await client.call("conduct", { calls, together: true });
  expect([shown, ran.length]).toEqual([6, 6]);
});
