import { getEventListeners } from "node:events";
import { createExecutor, type Tool, type ToolAnnotations, type ToolExecutionWaitEvent } from "nestcall";
import { type ApprovalRequest, approvalGuard, needsApproval } from "nestcall/guards";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { resolveHints } from "../../src/tools/annotations.js";
import { brief, caller, type Data, endOf, eventsOf, textOf, tool } from "../helpers/engine.js";

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
const VALUES = [undefined, true, false];

/** Every combination of the four hints, each true, false or missing. */
const ROWS: ToolAnnotations[] = HINTS.reduce<Data[]>(
  (rows, hint) => rows.flatMap((row) => VALUES.map((value) => (value === undefined ? row : { ...row, [hint]: value }))),
  [{}],
);

/** By hand: the only tools that nobody is asked about. */
function isHarmless({ readOnlyHint, destructiveHint, openWorldHint }: ToolAnnotations): boolean {
  if (readOnlyHint === true) return destructiveHint !== true;
  return destructiveHint === false && openWorldHint === false;
}

test.each(ROWS)("P17: a tool with the hints %j is asked about exactly when it may do harm", async (annotations) => {
  const asked: string[] = [];
  const executor = createExecutor({ tools: [tool("x", () => "ran", { annotations })] });
  executor.on("tool_call", approvalGuard({ confirm: ({ toolName }) => asked.push(toolName) > 0 }));
  expect(textOf(await executor.executeTool("x"))).toBe("ran");
  expect(asked).toEqual(isHarmless(annotations) ? [] : ["x"]);
  expect(needsApproval({ annotations })).toBe(!isHarmless(annotations));
});

test("P17: the table has 81 rows, of which 24 are harmless; P18: without hints a tool needs approval", () => {
  expect([ROWS.length, ROWS.filter(isHarmless).length]).toEqual([81, 24]);
  expect([needsApproval({ annotations: {} }), needsApproval({} as Tool)]).toEqual([true, true]);
});

const guarded = (ran: unknown[]) => tool("del", (args) => void ran.push(args), { effect: "destructive" });

test("P19: without a confirm the call is blocked before it runs, and the reason says why", async () => {
  const ran: unknown[] = [];
  const executor = createExecutor({ tools: [guarded(ran), tool("look", () => "seen", { effect: "read" })] });
  executor.on("tool_call", approvalGuard());
  const outcome = await executor.executeTool("del");
  expect([endOf(outcome), textOf(outcome), ran]).toEqual([
    "BLOCKED",
    "del requires approval, but no UI is available",
    [],
  ]);
  expect(textOf(await executor.executeTool("look"))).toBe("seen");
});

test.each([false, undefined, null, 1, "yes", {}, [true]])("P20: only true is consent, %j is not", async (answer) => {
  for (const confirm of [() => answer, async () => answer]) {
    const ran: unknown[] = [];
    const executor = createExecutor({ tools: [guarded(ran)] });
    executor.on("tool_call", approvalGuard({ confirm: confirm as () => boolean }));
    const outcome = await executor.executeTool("del");
    expect([endOf(outcome), textOf(outcome), ran]).toEqual(["BLOCKED", "del was not approved", []]);
  }
});

test("P17: each call is asked about once, by its id, with the arguments as they will run", async () => {
  const [ran, asked] = [[] as unknown[], [] as ApprovalRequest[]];
  const executor = createExecutor({
    tools: [
      guarded(ran),
      caller(
        "top",
        [
          ["del", { path: "a" }],
          ["del", { path: "a" }],
        ],
        [],
        { effect: "read" },
      ),
    ],
  });
  executor.on("tool_call", ({ input, toolName }) => {
    if (toolName === "del") (input as Data).path = "b";
  });
  executor.on(
    "tool_call",
    approvalGuard({
      confirm: (request) => {
        asked.push(request);
        return true;
      },
    }),
  );
  await executor.executeTool("top", {}, { toolCallId: "T" });
  expect(
    asked.map((request) => [request.toolCallId, request.parentToolCallId, request.toolName, request.arguments]),
  ).toEqual([
    ["T/1", "T", "del", { path: "b" }],
    ["T/2", "T", "del", { path: "b" }],
  ]);
  expect(asked[0]?.tool).toBe(executor.registry.get("del"));
  expect(ran).toEqual([{ path: "b" }, { path: "b" }]);
});

test("A1: what confirm does to the arguments changes nothing", async () => {
  const ran: unknown[] = [];
  const executor = createExecutor({ tools: [guarded(ran)] });
  const confirm = ({ arguments: args }: ApprovalRequest) => delete (args as Data).path;
  executor.on("tool_call", approvalGuard({ confirm }));
  await executor.executeTool("del", { path: "a" });
  expect(ran).toEqual([{ path: "a" }]);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("no terminal");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no terminal"))],
])("H3: a confirm that %s blocks the call", async (_how, confirm) => {
  const ran: unknown[] = [];
  const executor = createExecutor({ tools: [guarded(ran)] });
  executor.on("tool_call", approvalGuard({ confirm }));
  const outcome = await executor.executeTool("del");
  expect([endOf(outcome), ran]).toEqual(["HOOK_FAILED", []]);
  expect(textOf(outcome)).toContain("no terminal");
});

test("T2: a call that is aborted while it is asked about settles at once, and does not run when consent comes", async () => {
  const [ran, asking, answer] = [[] as unknown[], createGate(), createGate<boolean>()];
  let heardAbort = false;
  const executor = createExecutor({ tools: [guarded(ran)] });
  executor.on(
    "tool_call",
    approvalGuard({
      confirm: ({ signal }) => {
        signal.addEventListener("abort", () => {
          heardAbort = true;
        });
        asking.open();
        return answer.promise;
      },
    }),
  );
  const events = eventsOf(executor);
  const controller = new AbortController();
  const call = executor.executeTool("del", {}, { toolCallId: "T", signal: controller.signal });
  await asking.promise;
  controller.abort();
  const outcome = await call; // the person has not answered
  expect([outcome.status, outcome.durationMs, heardAbort]).toEqual(["aborted", undefined, true]);
  answer.open(true);
  await executor.close();
  expect([brief(events), ran]).toEqual([["start T", "end T"], []]);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("4.2: a call that waits for a person is announced to those who draw, and nothing else is", async () => {
  const waits: ToolExecutionWaitEvent[] = [];
  const executor = createExecutor({
    tools: [guarded([]), caller("top", [["del"]], [], { effect: "read" })],
    clock: { now: () => 7, monotonic: () => 0 },
  });
  executor.on("tool_execution_wait", (event) => void waits.push(event));
  executor.on("tool_call", approvalGuard({ confirm: () => waits.length === 1 }));
  const events = eventsOf(executor);
  expect(endOf(await executor.executeTool("top", {}, { toolCallId: "T" }))).toBe("ok");
  const common = { toolCallId: "T/1", parentToolCallId: "T", toolName: "del", depth: 1, ordinal: 1, timestamp: 7 };
  const rootOrdinal: unknown = expect.any(Number);
  expect(waits).toEqual([{ type: "tool_execution_wait", ...common, rootOrdinal, reason: "approval" }]);
  expect(brief(events)).toEqual(["start T", "start T/1", "end T/1", "end T"]);
});

test("B1: a parallel batch is asked about call by call, before any of it runs", async () => {
  const log: string[] = [];
  const del = tool("del", (_args, ctx) => void log.push(`run ${ctx.toolCallId}`), { effect: "destructive" });
  const executor = createExecutor({ tools: [del] });
  const confirm = async ({ toolCallId }: ApprovalRequest) => {
    log.push(`ask ${toolCallId}`);
    await Promise.resolve();
    log.push(`answer ${toolCallId}`);
    return toolCallId !== "b";
  };
  executor.on("tool_call", approvalGuard({ confirm }));
  await executor.executeBatch(["a", "b", "c"].map((id) => ({ id, name: "del" })));
  expect(log).toEqual(["ask a", "answer a", "ask b", "answer b", "ask c", "answer c", "run a", "run c"]);
});

test("P16: a host that does not trust hints decides for itself", async () => {
  const asked: string[] = [];
  const executor = createExecutor({ tools: [tool("claims_to_read", () => "ran", { effect: "read" }), guarded([])] });
  executor.on(
    "tool_call",
    approvalGuard({
      needsApproval: ({ toolName }) => toolName.startsWith("claims"),
      confirm: ({ toolName }) => asked.push(toolName) > 0,
    }),
  );
  await executor.executeTool("claims_to_read");
  await executor.executeTool("del");
  expect(asked).toEqual(["claims_to_read"]);
});

test("P15: missing hints have MCP's defaults: not read-only, destructive, not idempotent, open world", () => {
  expect(resolveHints({})).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
});
