// Rows of features.md about guards and handlers, through the door: P15, P17 to P22, P33, P47, P50, P63 to P65.
import { type BatchCall, needsApproval, approvalGuard as ourGuard } from "nestcall";
import type { ExtensionUIContext, ToolAnnotations } from "nestcall/pi";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { at, type Data, textOf } from "../../helpers/engine.js";
import { endOf, openDoor, piCaller, piTool } from "./door.js";
import approvalGuard from "./samples/approval-guard.js";
import loaderExtension from "./samples/loader-extension.js";
import reviewExtension from "./samples/review-extension.js";

const SAFE = { readOnlyHint: true, openWorldHint: false };
const NO_UI = (name: string) => `BLOCKED: ${name} needs approval, and there is no UI to ask`;

/** A person who gives these answers, and what was asked. */
function person(...answers: readonly boolean[]) {
  const asked: string[] = [];
  const rest = [...answers];
  const confirm: ExtensionUIContext["confirm"] = async (title, message) => {
    asked.push(`${title} ${message}`);
    return rest.shift() === true;
  };
  return { asked, ui: { confirm } };
}

/** Whether the sample's guard would ask about a tool with these hints. */
async function asks(annotations: ToolAnnotations): Promise<boolean> {
  const { executor, pi } = await openDoor([approvalGuard]);
  pi.registerTool(piTool("x", () => "ran", { annotations }));
  return endOf(await executor.executeTool("x")) === NO_UI("x");
}

test("P15, P18: a tool without hints is taken for the worst: it is asked about", async () => {
  expect(await asks({})).toBe(true);
  const { executor, pi } = await openDoor([approvalGuard]);
  pi.registerTool(piTool("x", () => "ran"));
  expect(endOf(await executor.executeTool("x"))).toBe(NO_UI("x"));
});

test("P17: the guard written for Pi decides for all 81 combinations of hints as ours does", async () => {
  const values = [undefined, true, false];
  for (const readOnlyHint of values) {
    for (const destructiveHint of values) {
      for (const openWorldHint of values) {
        for (const idempotentHint of values) {
          const hints = { readOnlyHint, destructiveHint, openWorldHint, idempotentHint };
          const annotations = JSON.parse(JSON.stringify(hints)) as ToolAnnotations; // without what is undefined
          expect([annotations, await asks(annotations)]).toEqual([annotations, needsApproval({ annotations })]);
        }
      }
    }
  }
});

test("P19, P20, P22: without a UI the call is blocked, with one a person is asked, and a no is a no", async () => {
  const ran: unknown[] = [];
  const wipe = piTool("wipe", (params) => ran.push(params) && "gone", { annotations: { destructiveHint: true } });
  const alone = await openDoor([approvalGuard]);
  alone.pi.registerTool(wipe);
  expect(endOf(await alone.executor.executeTool("wipe", { disk: 1 }))).toBe(NO_UI("wipe"));

  const { asked, ui } = person(false, true);
  const { executor, pi } = await openDoor([approvalGuard], { ui });
  pi.registerTool(wipe);
  expect(endOf(await executor.executeTool("wipe", { disk: 2 }))).toBe("BLOCKED: wipe was not approved");
  expect(ran).toEqual([]);
  expect(endOf(await executor.executeTool("wipe", { disk: 3 }))).toBe("ok");
  expect(ran).toEqual([{ disk: 3 }]);
  expect(asked).toEqual(['Allow this call? wipe {"disk":2}', 'Allow this call? wipe {"disk":3}']);
});

test("P21: handlers change event.input in place or replace it, later ones see it, and what runs is checked again", async () => {
  const { executor, pi } = await openDoor();
  const seen: unknown[] = [];
  const parameters = { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false };
  pi.registerTool(piTool("x", (params) => seen.push(params) && "ran", { parameters }));
  const removers = [
    pi.on("tool_call", (event) => void (event.input.n = 2)),
    pi.on("tool_call", (event) => {
      seen.push({ ...event.input });
      event.input = { n: 3 };
    }),
  ];
  const outcome = await executor.executeTool("x", { n: 1 });
  expect(seen).toEqual([{ n: 2 }, { n: 3 }]);
  expect(outcome.toolCall.arguments).toEqual({ n: 3 });
  for (const remove of removers) remove();
  pi.on("tool_call", (event) => void (event.input.n = "two"));
  expect(endOf(await executor.executeTool("x", { n: 1 }))).toMatch(/^INVALID_ARGUMENTS/);
});

test("P33: nested calls are checked first, then shown to tool_call and tool_result handlers, with their parent's id", async () => {
  const { executor, pi } = await openDoor();
  const log: string[] = [];
  pi.on("tool_call", ({ type, toolCallId, toolName, parentToolCallId }) => {
    log.push(`${type} ${toolCallId} ${toolName} ${parentToolCallId}`);
  });
  pi.on("tool_result", ({ type, toolCallId, toolName, parentToolCallId, isError }) => {
    log.push(`${type} ${toolCallId} ${toolName} ${parentToolCallId} ${isError}`);
  });
  const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  pi.registerTool(piTool("leaf", () => "ran", { parameters }));
  pi.registerTool(
    piCaller("top", [
      ["leaf", {}],
      ["leaf", { n: 1 }],
    ]),
  );
  await executor.executeTool("top", {}, { toolCallId: "T" });
  expect(log).toEqual([
    "tool_call T top undefined",
    "tool_call T/2 leaf T",
    "tool_result T/2 leaf T false",
    "tool_result T top undefined false",
  ]);
});

test("P47: an orchestrator inherits the guard: parent and children pass it in order", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  const seen: string[] = [];
  pi.on("tool_call", ({ toolName }) => void seen.push(toolName));
  await executor.executeTool("review_diff");
  expect(seen.slice(0, 3)).toEqual(["review_diff", "run_checks", "collect_diff"]);
});

test("P63: read-only in a closed world is not asked about, no hints and no UI is blocked", async () => {
  const { asked, ui } = person();
  const { executor, pi } = await openDoor([approvalGuard, reviewExtension], { ui });
  pi.registerTool(piTool("bare", () => "ran"));
  expect((await executor.executeTool("dangerous_commands", { command: "ls" })).isError).toBe(false);
  expect(asked).toEqual([]);
  expect(endOf(await executor.executeTool("bare"))).toBe("BLOCKED: bare was not approved");
  expect(asked).toHaveLength(1);
});

test("P63: a deferred tool is inactive, can be loaded, and is callable in either state", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  pi.registerTool(piCaller("top", [["dangerous_commands", { command: "ls" }]]));
  expect(pi.getActiveTools()).not.toContain("dangerous_commands");
  expect(textOf(await executor.executeTool("top"))).toBe("No known danger.");
  pi.setActiveTools([...pi.getActiveTools(), "dangerous_commands"]);
  expect(pi.getActiveTools()).toContain("dangerous_commands");
  expect(textOf(await executor.executeTool("top"))).toBe("No known danger.");
});

test("P64: a guard is tried with calls that would do nothing: whether a call is blocked is known before anything runs", async () => {
  const { executor, pi } = await openDoor([approvalGuard]);
  const ran: string[] = [];
  for (const [name, annotations] of Object.entries({ wipe: { destructiveHint: true }, look: SAFE })) {
    pi.registerTool(piTool(name, () => ran.push(name) && "ran", { annotations }));
  }
  // Behind the guard under test stands one that lets nothing run.
  pi.on("tool_call", () => ({ block: true, reason: "would have run" }));
  const verdicts = [];
  for (const name of ["wipe", "look"]) verdicts.push(endOf(await executor.executeTool(name)));
  expect(verdicts).toEqual([NO_UI("wipe"), "BLOCKED: would have run"]);
  expect(ran).toEqual([]);
});

test("P65: besides the description a tool has a line and guidelines that say when it is to be chosen", async () => {
  const { executor, pi } = await openDoor([loaderExtension]);
  expect(executor.registry.get("load_tools")).toMatchObject({
    snippet: "Find more tools",
    guidelines: ["Use load_tools when no tool at hand fits."],
  });
  const info = pi.getAllTools().find(({ name }) => name === "load_tools");
  expect(info?.promptGuidelines).toEqual(["Use load_tools when no tool at hand fits."]);
});

test("a handler that throws or answers too late with a block keeps the tool from running", async () => {
  const { executor, pi } = await openDoor();
  const ran: string[] = [];
  pi.registerTool(piTool("x", () => ran.push("x") && "ran"));
  const remove = pi.on("tool_call", () => {
    throw new Error("cannot decide");
  });
  expect(endOf(await executor.executeTool("x"))).toMatch(/^HOOK_FAILED: .*cannot decide/);
  remove();
  pi.on("tool_call", async () => {
    await Promise.resolve();
    return { block: true, reason: "no", terminate: true };
  });
  const { messages, outcomes, terminate } = await executor.executeBatch([{ id: "a", name: "x" } satisfies BatchCall]);
  expect([at(outcomes, 0).error?.message, at(messages, 0).isError, terminate]).toEqual(["no", true, true]);
  expect(ran).toEqual([]);
});

test("a tool_result handler sees the result and changes parts of it; new content drops the structured content", async () => {
  const { executor, pi } = await openDoor();
  const data: Data = { content: [{ type: "text", text: "secret" }], details: { d: 1 }, structuredContent: { s: 1 } };
  pi.registerTool(piTool("x", () => ({ ...data, usage: { input: 2 } })));
  const seen: unknown[] = [];
  const patches = [
    { details: { d: 2 } },
    { content: [{ type: "text", text: "***" }] },
    { isError: true },
    { usage: { input: 5, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 5 } },
  ];
  for (const patch of patches) {
    pi.on("tool_result", (event) => {
      seen.push([event.content, event.details, event.structuredContent, event.isError, event.usage?.input]);
      return patch as never;
    });
  }
  const { result, isError, usage } = await executor.executeTool("x", { a: 1 });
  const [secret, stars] = ["secret", "***"].map((text) => [{ type: "text", text }]);
  expect(seen).toEqual([
    [secret, { d: 1 }, { s: 1 }, false, 2],
    [secret, { d: 2 }, { s: 1 }, false, 2],
    [stars, { d: 2 }, undefined, false, 2],
    [stars, { d: 2 }, undefined, true, 2],
  ]);
  expect([result.content, result.structuredContent, isError, usage?.input]).toEqual([stars, undefined, true, 5]);
});

test("a tool_result handler that edits the content in place has replaced it: the structured content goes with it", async () => {
  const { executor, pi } = await openDoor();
  const shared = {
    content: [{ type: "text", text: "secret" }],
    details: undefined,
    structuredContent: { s: "secret" },
  };
  pi.registerTool(piTool("x", () => shared));
  pi.on("tool_result", ({ content }) => {
    for (const block of content) if (block.type === "text") Object.assign(block, { text: "***" });
  });
  const { result } = await executor.executeTool("x");
  expect([result.content, result.structuredContent]).toEqual([[{ type: "text", text: "***" }], undefined]);
  expect(at(shared.content, 0).text).toBe("secret");
});

test("a tool_result handler that throws hides the result, unlike in Pi", async () => {
  const { executor, pi } = await openDoor();
  executor.on("observer_error", () => {});
  pi.registerTool(piTool("x", () => "secret"));
  pi.on("tool_result", () => {
    throw new Error("redaction failed");
  });
  const outcome = await executor.executeTool("x");
  expect(outcome.error?.code).toBe("HOOK_FAILED");
  expect(JSON.stringify(outcome)).not.toContain("secret");
});

test("Pi's handlers and ours stand in one line, in the order of registration", async () => {
  const { executor, pi } = await openDoor();
  const log: string[] = [];
  pi.registerTool(piTool("x", () => "ran", { annotations: SAFE }));
  executor.on("tool_call", () => void log.push("ours"));
  pi.on("tool_call", () => void log.push("Pi's"));
  executor.on("tool_call", ourGuard());
  await executor.executeTool("x");
  expect(log).toEqual(["ours", "Pi's"]);
});

test("a question that a guard asks is told to those who draw, and taken back with the call", async () => {
  const waits: string[] = [];
  const asked = createGate<AbortSignal | undefined>();
  const ui = {
    confirm: (_title: string, _message: string, opts?: { signal?: AbortSignal }) => {
      asked.open(opts?.signal);
      return new Promise<boolean>(() => {}); // nobody answers
    },
  };
  const { executor, pi } = await openDoor([approvalGuard], { ui });
  executor.on("tool_execution_wait", ({ reason }) => void waits.push(reason));
  pi.registerTool(piTool("x", () => "ran"));
  const controller = new AbortController();
  const call = executor.executeTool("x", {}, { signal: controller.signal });
  const signal = await asked.promise;
  controller.abort();
  expect((await call).status).toBe("aborted");
  expect([waits, signal?.aborted]).toEqual([["approval"], true]);
});

test("P50: a tool_call handler may change the active set", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  pi.on("tool_call", ({ toolName }) => {
    if (toolName === "run_checks") pi.setActiveTools([...pi.getActiveTools(), "dangerous_commands"]);
  });
  const call = (id: string): BatchCall => ({ id, name: "dangerous_commands", arguments: { command: "ls" } });
  const before = await executor.executeBatch([call("a")]);
  await executor.executeTool("run_checks", { skipTests: true });
  const after = await executor.executeBatch([call("b")]);
  expect([endOf(at(before.outcomes, 0)).slice(0, 12), endOf(at(after.outcomes, 0))]).toEqual(["UNKNOWN_TOOL", "ok"]);
});
