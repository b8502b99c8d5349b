// A Pi that answers what Pi never would, names that are only Pi's, and options that are none.
import { createExecutor, type ToolCallOutcome } from "nestcall";
import { createPiExtensionHost, type ExtensionToolContext, fromPiTool, piExtension, Text, toPiTool } from "nestcall/pi";
import { expect, test } from "vitest";
import { textOf, tool, untilAborted } from "../../helpers/engine.js";
import { piTool, textOfPi } from "./door.js";

/** Calls these names inside a Pi that answers so. */
async function callsInPi(
  answer: (name: string, args: unknown, signal: AbortSignal) => unknown,
  names: readonly string[],
  options: object = {},
): Promise<readonly ToolCallOutcome[]> {
  const executeTool = async (name: string, args: unknown, { signal }: { signal: AbortSignal }) =>
    answer(name, args, signal);
  const ctx = { executeTool } as unknown as ExtensionToolContext;
  const outcomes: ToolCallOutcome[] = [];
  const top = tool("top", async (_args, own) => {
    outcomes.push(...(await Promise.all(names.map((name) => own.executeTool(name, { of: name }, options)))));
  });
  const result = await toPiTool(top).execute("c", {}, undefined, undefined, ctx);
  expect(result.isError).not.toBe(true);
  return outcomes;
}

const result = { content: [{ type: "text", text: "done" }], details: {} };
const toolCall = { type: "toolCall", id: "c/1", name: "leaf", arguments: {} };

test.each([
  [undefined, "undefined"],
  [null, "null"],
  ["text", 'the string "text"'],
  [{ result, isError: false }, "without toolCall"],
  [{ toolCall: { name: 1 }, result, isError: false }, "without toolCall"],
  [{ toolCall, isError: false }, "without result"],
])("a host that answers %j is said to, in the outcome of the call", async (given, told) => {
  const [outcome] = await callsInPi(() => given, ["leaf"]);
  expect(outcome?.error?.code).toBe("TOOL_FAILED");
  expect(outcome?.error?.message).toMatch(/^The host's executeTool answered the call of "leaf" with /);
  expect(outcome?.error?.message).toContain(told);
});

test("tools whose names only Pi allows are asked of Pi under their own names", async () => {
  const names = [
    "server.tool/with.dots",
    "server_tool_with_dots",
    "server:tool/with.dots",
    "ünï",
    "1st",
    "x".repeat(200),
    "",
  ];
  const asked: unknown[] = [];
  const outcomes = await callsInPi(
    (name, args) => {
      asked.push([name, args]);
      return { toolCall: { ...toolCall, id: `c/${asked.length}`, name }, result, isError: false };
    },
    [...names, ...names],
  );
  expect(outcomes.map((outcome) => [outcome.toolCall.name, textOf(outcome)])).toEqual(
    [...names, ...names].map((name) => [name, "done"]),
  );
  expect(asked).toEqual([...names, ...names].map((name) => [name, { of: name }]));
});

test("what our engine says of such a call names it as the tool did", async () => {
  const [outcome] = await callsInPi((_name, _args, signal) => untilAborted(signal), ["server.tool/x"], {
    timeoutMs: 5,
  });
  expect(outcome).toMatchObject({
    toolCall: { name: "server.tool/x" },
    error: { code: "TIMEOUT", message: expect.stringContaining('"server.tool/x"') },
  });
  expect(JSON.stringify(outcome)).not.toContain("server_tool_x");
});

test("a hidden tool that is called directly runs, and can still not be reached by name", async () => {
  const seen: string[] = [];
  const hidden = tool(
    "hidden",
    async (_args, own) => {
      seen.push(...own.tools.map(({ name }) => name), String((await own.executeTool("hidden")).error?.code));
      return "ran";
    },
    { exposure: "hidden" },
  );
  const given = await toPiTool(hidden).execute("c", {}, undefined, undefined, undefined as never);
  expect([textOfPi({ result: given }), seen]).toEqual(["ran", ["UNKNOWN_TOOL"]]);
});

test("options that are no options, or have a part that is unknown, are refused by name", async () => {
  const leaf = tool("leaf", () => "ran");
  const executor = createExecutor();
  const host = createPiExtensionHost(executor);
  const messages: string[] = [];
  for (const use of [
    () => toPiTool(leaf, null as never),
    () => toPiTool(leaf, { executer: executor } as never),
    () => toPiTool(leaf, { executor: {} } as never),
    () => toPiTool(leaf, { Text: "Text" } as never),
    () =>
      fromPiTool(
        piTool("x", () => ""),
        null as never,
      ),
    () =>
      fromPiTool(
        piTool("x", () => ""),
        { cdw: "/" } as never,
      ),
    () => piExtension(null as never),
    () => piExtension({ tools: [], rendrer: () => undefined } as never),
    () => createPiExtensionHost(executor, null as never),
    () => host.load(() => {}, null as never),
    () => host.load(() => {}, { nam: "x" } as never),
  ]) {
    try {
      await use();
    } catch (error) {
      expect(error).toMatchObject({ code: "INVALID_ARGUMENTS" });
      messages.push((error as Error).message);
    }
  }
  expect(messages).toEqual([
    "toPiTool takes an object as its options; it got null.",
    'toPiTool has no option "executer". Did you mean "executor"?',
    "toPiTool: options.executor must be an executor, not an object.",
    'toPiTool: options.Text must be a class, not the string "Text".',
    "fromPiTool takes an object as its options; it got null.",
    'fromPiTool has no option "cdw". Did you mean "cwd"?',
    "piExtension takes an object as its options; it got null.",
    'piExtension has no option "rendrer". Did you mean "renderer"?',
    "createPiExtensionHost takes an object as its options; it got null.",
    "host.load takes an object as its options; it got null.",
    'host.load has no option "nam". Did you mean "name"?',
  ]);
  expect(toPiTool(leaf, { executor, Text }).name).toBe("leaf");
});
