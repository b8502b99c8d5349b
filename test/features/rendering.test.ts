import { createExecutor, type Drawing, defineTool, type NestedCalls, type ToolRenderers, Type } from "nestcall";
import { callDrawing, drawCallTree, drawingToHtml, drawingToText } from "nestcall/trace";
import { expect, test } from "vitest";
import { caller, tool } from "../helpers/engine.js";
import { readSource } from "../helpers/source-files.js";

const text = (content: string): Drawing => ({ type: "text", text: content });
const html = (drawing: Drawing) => drawingToHtml(drawing, { style: false });

/** A tool that draws its calls and its results itself. */
const countLines = defineTool({
  name: "count_lines",
  description: "Counts the lines of texts by name.",
  inputSchema: Type.Object({ names: Type.Array(Type.String()) }, { additionalProperties: false }),
  effect: "read",
  renderCall: ({ names }) => text(`count_lines of ${names.join(" and ")}`),
  renderResult: ({ details }) => ({ type: "table", columns: ["name", "lines"], rows: details as string[][] }),
  execute: ({ names }) => ({ content: [], details: names.map((name, index) => [name, String(index)]) }),
});

test("P55: renderCall and renderResult draw the terminal's text and the page's HTML from one definition", async () => {
  const executor = createExecutor({ tools: [countLines] });
  const outcome = await executor.executeTool(countLines, { names: ["<a>", "b"] });
  const drawing = callDrawing(outcome, { registry: executor.registry, isExpanded: true });
  expect(drawingToText(drawing).split("\n")).toEqual([
    "count_lines of <a> and b",
    "name  lines",
    "────  ─────",
    "<a>   0",
    "b     1",
  ]);
  expect(html(drawing)).toBe(
    '<div class="nestcall-drawing"><div class="nestcall-stack"><pre>count_lines of &lt;a&gt; and b</pre>' +
      "<table><thead><tr><th>name</th><th>lines</th></tr></thead><tbody>" +
      "<tr><td>&lt;a&gt;</td><td>0</td></tr><tr><td>b</td><td>1</td></tr></tbody></table></div></div>",
  );
});

test("P56: a resolver draws any name, also an mcp__ tool that only a loaded trace knows", () => {
  const { registry } = createExecutor();
  registry.registerToolRenderer((toolName, next) =>
    toolName.startsWith("mcp__") ? { renderCall: (args) => text(`${toolName} asks for ${args.q}`) } : next(),
  );
  const loaded = JSON.parse(
    '{ "calls": [{ "id": "r/1", "name": "mcp__web__search", "arguments": { "q": "tea" }, "status": "ok" }], "complete": true }',
  ) as NestedCalls;
  expect(registry.get("mcp__web__search")).toBeUndefined();
  expect(drawCallTree(loaded, { registry })).toContain("✓ mcp__web__search asks for tea  ok");
  expect(drawCallTree(loaded)).toContain('✓ mcp__web__search q: "tea"  ok');
});

test("P57: of three resolvers the latest is asked first, next() goes on to the others and then to the tool", () => {
  const { registry } = createExecutor({ tools: [countLines] });
  const asked: string[] = [];
  const passOn = (label: string) => (_name: string, next: () => ToolRenderers) => {
    asked.push(label);
    return next();
  };
  registry.registerToolRenderer(passOn("first"));
  registry.registerToolRenderer(passOn("second"));
  registry.registerToolRenderer(passOn("third"));
  const call = () => registry.renderersOf("count_lines").renderCall({ names: ["a"] }, { toolName: "count_lines" });
  expect(call()).toEqual(text("count_lines of a"));
  expect(asked).toEqual(["third", "second", "first"]);

  const remove = registry.registerToolRenderer(() => ({ renderCall: () => text("overridden") }));
  asked.length = 0;
  expect(call()).toEqual(text("overridden"));
  remove();
  expect(call()).toEqual(text("count_lines of a"));
});

test("P58: how a tool looks is data, and nothing below the trace knows a terminal or a page", async () => {
  const executor = createExecutor({ tools: [countLines] });
  const { renderCall } = executor.registry.renderersOf("count_lines");
  const drawing = renderCall({ names: ["a"] }, { toolName: "count_lines" });
  expect(JSON.parse(JSON.stringify(drawing))).toEqual(drawing);

  const below = readSource().filter(({ path }) => !/^(?:trace|hosts|cli)\//.test(path));
  expect(below.length).toBeGreaterThan(50);
  expect(below.filter(({ imports }) => imports.some(({ target }) => target.startsWith("trace/")))).toEqual([]);
  const terminal = /node:(?:tty|readline)|styleText|\\u001b\[|\\x1b\[\d/;
  const told = below.filter(({ path, text: source }) => path !== "errors/safe-text.ts" && terminal.test(source));
  expect(told.map(({ path }) => path)).toEqual([]);
});

test("P60: a hidden tool is drawn from a trace all the same; drawing needs neither reach nor consent", async () => {
  const leaf = tool("leaf", () => "ran", { renderCall: () => text("leaf, its own way") });
  const executor = createExecutor({ tools: [leaf, caller("top", [["leaf", {}]])] });
  const { nestedCalls } = await executor.executeTool("top", {}, { toolCallId: "T" });
  executor.registry.register(
    tool("leaf", () => "ran", { exposure: "hidden", renderCall: () => text("leaf, its own way") }),
  );
  executor.on("tool_call", () => ({ block: true }));
  expect(drawCallTree(nestedCalls as NestedCalls, { registry: executor.registry })).toContain(
    "✓ leaf, its own way  ok",
  );
  expect(await executor.executeTool("leaf", {})).toMatchObject({ error: { code: "UNKNOWN_TOOL" } });
});

test("E50: successful output is hidden unless showOutput matches; errors are always shown", async () => {
  const failing = tool("fails", () => {
    throw new Error("It broke.");
  });
  const executor = createExecutor({
    tools: [tool("file_read", () => "the output"), tool("say", () => "hello"), failing],
  });
  const { registry } = executor;
  const transcript = async (name: string, options = {}) =>
    drawingToText(callDrawing(await executor.executeTool(name, {}), { registry, ...options }));

  expect(await transcript("file_read")).toBe("file_read");
  expect(await transcript("fails")).toBe("fails\nIt broke.");
  expect(await transcript("file_read", { isExpanded: true })).toBe("file_read\nthe output");

  const remove = registry.showOutput(["file_*"]);
  expect(await transcript("file_read")).toBe("file_read\nthe output");
  expect(await transcript("say")).toBe("say");
  expect(await transcript("say", { showOutput: ["s*y"] })).toBe("say\nhello");
  remove();
  expect(await transcript("file_read")).toBe("file_read");
});

test("E50: the error of a tool that draws its failures as its successes is shown below", async () => {
  const proud = tool(
    "proud",
    () => {
      throw new Error("It broke.");
    },
    { renderResult: () => text("All is well.") },
  );
  const executor = createExecutor({ tools: [proud] });
  const drawing = callDrawing(await executor.executeTool("proud", {}), { registry: executor.registry });
  expect(drawingToText(drawing)).toBe("proud\nAll is well.\nTOOL_FAILED: It broke.");
});
