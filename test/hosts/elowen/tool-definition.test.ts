// A plugin's tool and ours: which field becomes which, what is refused in whose words, and what execute gets.
import { defineTool, type PluginToolResult, Type } from "nestcall/elowen";
import { expect, test } from "vitest";
import { answer, load, pluginOf, pluginTool } from "../../helpers/elowen.js";
import { endOf, eventsOf, textOf } from "../../helpers/engine.js";

const GOOD = {
  name: "T",
  label: "T",
  description: "A tool.",
  parameters: Type.Object({}),
  execute: () => answer("ran"),
};
const define = (fields: Record<string, unknown>) => () => defineTool({ ...GOOD, ...fields } as never);

test("defineTool gives the definition back", () => {
  expect(defineTool(GOOD)).toBe(GOOD);
});

test("every field has its place", async () => {
  const namespace = { name: "n", description: "N.", instructions: "Do." };
  const annotations = { readOnlyHint: true };
  const { executor } = await load(
    pluginOf([
      pluginTool("T", undefined, {
        label: "Title",
        annotations,
        namespace,
        exposure: "codemode",
        executionMode: "sequential",
        promptSnippet: "One line.",
        promptGuidelines: ["Be brief."],
        outputSchema: Type.Object({ n: Type.Integer() }),
      }),
    ]),
  );
  expect(executor.registry.get("T")).toMatchObject({
    title: "Title",
    annotations,
    namespace,
    exposure: "codemode",
    executionMode: "sequential",
    snippet: "One line.",
    guidelines: ["Be brief."],
    outputSchema: { type: "object" },
  });
});

test("fields of the screen that the tools were first written for are left out", async () => {
  const screen = { renderCall: () => {}, renderResult: () => {}, renderShell: "self", constrainedSampling: false };
  const { executor } = await load(pluginOf([pluginTool("T", undefined, screen)]));
  expect(executor.registry.get("T")).not.toHaveProperty("renderCall");
});

test.each([
  [{ name: "a b" }, /^Tool "a b": name must match/],
  [{ name: 'a"b', parameters: 5 }, /^Tool "a\\"b": name must match/],
  [{ label: "" }, /^Tool "T": label must be a text/],
  [{ description: "" }, /^Tool "T": description must be a text/],
  [{ parameters: undefined }, /^Tool "T": parameters must be a schema/],
  [{ parameters: Type.String() }, /^Tool "T": parameters must/],
  [{ parameters: () => {} }, /^Tool "T": parameters must be a schema; it is a function/],
  [{ promptGuidelines: "x" }, /^Tool "T": promptGuidelines must be a list/],
  [{ promptSnippet: 5 }, /^Tool "T": promptSnippet must be a text/],
  [{ execute: undefined }, /^Tool "T": execute must be a function/],
  [{ prepareArguments: 5 }, /^Tool "T": prepareArguments must be a function/],
  [{ inputSchema: {} }, /^Tool "T": "inputSchema" is no key that is known here; did you mean "parameters"\?$/],
  [{ zzzzzzzz: 1 }, /^Tool "T": "zzzzzzzz" is no key that is known here; the known keys are name, label,.*execute\.$/],
  [{ paramters: {} }, /^Tool "T": "paramters" is no key that is known here; did you mean "parameters"\?/],
  [{ name: undefined }, /^A tool: name must match/],
])("a definition with %o is refused in the plugin's words", (fields, told) => {
  expect(define(fields)).toThrow(
    expect.objectContaining({ code: "INVALID_TOOL", message: expect.stringMatching(told) }),
  );
});

test.each([null, undefined, 5, "T"])("what is no definition (%j) is refused", (definition) => {
  expect(() => defineTool(definition as never)).toThrow(/^A tool: a definition must be an object; it is /);
});

test("open objects and unions of literals are as plugins write them", () => {
  const parameters = Type.Object({ mode: Type.Union([Type.Literal("a"), Type.Literal("b")]) });
  expect(define({ parameters })).not.toThrow();
});

test("execute is called on its definition, with a signal, a way to tell progress, and the context of the call", async () => {
  const seen: unknown[] = [];
  const definition = {
    ...GOOD,
    mine: undefined,
    execute(
      this: unknown,
      callId: string,
      params: unknown,
      signal: AbortSignal,
      onUpdate: (p: Partial<PluginToolResult>) => void,
    ) {
      seen.push(this === definition, callId, params, signal.aborted);
      onUpdate({ content: [{ type: "text", text: "half" }] });
      return answer("whole");
    },
  };
  delete (definition as { mine?: unknown }).mine;
  const { executor } = await load(pluginOf([definition]));
  const events = eventsOf(executor);
  expect(textOf(await executor.executeTool("T", { _: "" }, { toolCallId: "c" }))).toBe("whole");
  expect(seen).toEqual([true, "c", { _: "" }, false]);
  expect(events.map(({ type }) => type)).toContain("tool_execution_update");
});

test("an abort reaches the tool by its signal", async () => {
  const controller = new AbortController();
  const { executor } = await load(
    pluginOf([
      pluginTool("T", (_id, _params, signal) => {
        controller.abort();
        return signal.aborted ? Promise.reject(signal.reason as Error) : answer("ran");
      }),
    ]),
  );
  const outcome = await executor.executeTool("T", {}, { signal: controller.signal });
  expect(outcome.status).toBe("aborted");
});

test("prepareArguments turns old shapes into the present one", async () => {
  const parameters = Type.Object({ value: Type.String() });
  const prepareArguments = (raw: unknown) => ({ value: (raw as { old: string }).old });
  const { executor } = await load(
    pluginOf([
      pluginTool("T", (_id, params) => answer((params as { value: string }).value), { parameters, prepareArguments }),
    ]),
  );
  expect(textOf(await executor.executeTool("T", { old: "x" }))).toBe("x");
});

test("structured content, isError and usage are handed on", async () => {
  const result = { ...answer("half"), structuredContent: { n: 1 }, isError: true, usage: { input: 3 } };
  const { executor } = await load(pluginOf([pluginTool("T", () => result)]));
  const outcome = await executor.executeTool("T");
  expect([endOf(outcome), outcome.result.structuredContent, outcome.usage]).toEqual([
    "TOOL_FAILED",
    { n: 1 },
    { input: 3 },
  ]);
});
