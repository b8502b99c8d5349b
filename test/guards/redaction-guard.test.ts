import { type ContentBlock, createExecutor, type ToolCallOutcome } from "nestcall";
import { redactionGuard, redactor } from "nestcall/guards";
import { expect, test } from "vitest";
import { at, brief, caller, type Data, endOf, eventsOf, textOf, tool } from "../helpers/engine.js";

const patterns = ["hunter2", /sk-[a-z0-9]+/];

/** What a caller gets of this result behind the guard. */
async function guarded(result: unknown, options = { patterns }): Promise<ToolCallOutcome> {
  const executor = createExecutor({ tools: [tool("leaf", () => result)] });
  executor.on("tool_result", redactionGuard(options));
  return executor.executeTool("leaf");
}

test("7: texts lose every match, of a text and of an expression", async () => {
  expect(textOf(await guarded("hunter2, sk-abc1 and hunter2 sk-d"))).toBe(
    "[redacted], [redacted] and [redacted] [redacted]",
  );
});

test.each([
  ["a text taken as it is", ["a.b(c)"], "axb a.b(c)", "axb -"],
  ["an expression without the global flag", [/b/], "abab", "a-a-"],
  ["an expression with flags", [/B/gi], "abAB", "a-A-"],
  ["a sticky expression", [/b/y], "abab", "a-a-"],
  ["an expression that looks behind", [/(?<=key=)\S+/], "key=x y", "key=- y"],
  ["a replacement that is taken as it is", ["$1"], "cost $1", "cost -"],
  ["overlapping patterns, in their order", ["ab", "abc"], "abc", "-c"],
])("7: redactor finds %s", (_what, list, text, wanted) => {
  const redact = redactor({ patterns: list, replacement: "-" });
  expect([redact(text), redact(text)]).toEqual([wanted, wanted]); // no state between two texts
  expect(redactor({ patterns: ["x"], replacement: "$& $1" })("x")).toBe("$& $1");
});

test("7: structuredContent is searched with its keys, and keeps its shape", async () => {
  const structuredContent = {
    users: [{ "sk-key1": "hunter2", n: 1, ok: true, none: null }],
    __proto__: { a: "hunter2" },
  };
  const { result } = await guarded({ structuredContent });
  expect(result.structuredContent).toEqual({ users: [{ "[redacted]": "[redacted]", n: 1, ok: true, none: null }] });
  expect(JSON.stringify(result)).not.toMatch(/hunter2|sk-key1/);
});

test("7: every kind of block is searched, and data stays data", async () => {
  const content: ContentBlock[] = [
    { type: "image", data: "hunter2A", mimeType: "image/png" },
    { type: "resource", resource: { uri: "file:///hunter2", text: "is hunter2" } },
    { type: "resource_link", uri: "https://host/?key=sk-1", name: "hunter2", description: "hunter2" },
  ];
  const { result } = await guarded({ content });
  expect(result.content).toEqual([
    { type: "image", data: "hunter2A", mimeType: "image/png" },
    { type: "resource", resource: { uri: "file:///[redacted]", text: "is [redacted]" } },
    { type: "resource_link", uri: "https://host/?key=[redacted]", name: "[redacted]", description: "[redacted]" },
  ]);
});

test("7: the texts of errors are searched too, in the outcome and in the record", async () => {
  const outcomes: ToolCallOutcome[] = [];
  const thrower = tool("thrower", () => {
    throw new Error("password hunter2 was refused");
  });
  const executor = createExecutor({ tools: [thrower, caller("top", [["thrower"]], outcomes)] });
  executor.on("tool_result", redactionGuard({ patterns }));
  const top = await executor.executeTool("top");
  expect(at(outcomes, 0).error).toEqual({ code: "TOOL_FAILED", message: "password [redacted] was refused" });
  expect(at(top.nestedCalls?.calls, 0).error).toBe("password [redacted] was refused");
});

test("H3: structuredContent without a JSON form fails the call and reveals nothing", async () => {
  const structuredContent: Data = { secret: "hunter2" };
  structuredContent.self = structuredContent;
  const outcome = await guarded({ content: [{ type: "text", text: "hunter2" }], structuredContent });
  expect(endOf(outcome)).toBe("HOOK_FAILED");
  expect(textOf(outcome)).not.toContain("hunter2");
  expect(outcome.result.structuredContent).toBeUndefined();
});

test("4.2: the redact option is for events and records; the tool and the caller get the original", async () => {
  const [got, outcomes] = [[] as unknown[], [] as ToolCallOutcome[]];
  const leaf = tool("leaf", (args, ctx) => {
    got.push(args);
    ctx.onUpdate({ content: [{ type: "text", text: "half hunter2" }], details: { d: "sk-1" } });
    return {
      content: [{ type: "text", text: "whole hunter2" }],
      structuredContent: { s: "sk-1" },
      details: "sk-2",
      isError: true,
    };
  });
  const updates: unknown[] = [];
  const top = tool("top", async (_args, ctx) => {
    outcomes.push(
      await ctx.executeTool("leaf", { key: "hunter2" }, { onUpdate: (update) => void updates.push(update) }),
    );
  });
  const executor = createExecutor({ tools: [leaf, top], redact: redactor({ patterns }) });
  const events = eventsOf(executor);
  const { nestedCalls } = await executor.executeTool("top", {}, { toolCallId: "T" });

  expect(got).toEqual([{ key: "hunter2" }]);
  expect(at(outcomes, 0).toolCall.arguments).toEqual({ key: "hunter2" });
  expect([textOf(at(outcomes, 0)), at(outcomes, 0).result.structuredContent]).toEqual(["whole hunter2", { s: "sk-1" }]);
  expect(updates).toHaveLength(1);
  expect(brief(events)).toEqual(["start T", "start T/1", "update T/1", "end T/1", "end T"]);
  expect(JSON.stringify([events, nestedCalls])).not.toMatch(/hunter2|sk-/);
  expect(nestedCalls?.calls).toMatchObject([{ arguments: { key: "[redacted]" }, error: "whole [redacted]" }]);
  expect(at(events, 3)).toMatchObject({ result: { structuredContent: { s: "[redacted]" }, details: "[redacted]" } });
});

test.each([
  [
    "throws",
    () => {
      throw new Error("hunter2 broke it");
    },
  ],
  ["gives no text", () => undefined],
])("4.2: a redact that %s reveals nothing and changes no outcome", async (_how, redact) => {
  const executor = createExecutor({
    tools: [tool("leaf", ({ key }) => `told ${String(key)}`), caller("top", [["leaf", { key: "hunter2" }]])],
    redact: redact as unknown as () => string,
  });
  executor.on("observer_error", () => {});
  const events = eventsOf(executor);
  const outcome = await executor.executeTool("top");
  expect(endOf(outcome)).toBe("ok");
  expect(JSON.stringify([events, outcome.nestedCalls])).not.toContain("hunter2");
});

test("4.2: what observers see of something without a JSON form is hidden whole", async () => {
  const details: Data = { secret: "hunter2" };
  details.self = details;
  const executor = createExecutor({
    tools: [tool("leaf", () => ({ content: [], details }))],
    redact: redactor({ patterns }),
  });
  const events = eventsOf(executor);
  const outcome = await executor.executeTool("leaf");
  expect(outcome.result.details).toBe(details);
  expect(JSON.stringify(events)).not.toContain("hunter2");
});
