// Rows of features.md about how calls look, through the door: P55 to P61.
import { type Drawing, defineTool as defineOurs, Type } from "nestcall";
import {
  type Component,
  createPiExtensionHost,
  piExtension,
  Text,
  type Theme,
  type ToolDefinition,
  type ToolRendererResolver,
  type ToolRenderers,
  toPiTool,
} from "nestcall/pi";
import { expect, test } from "vitest";
import { at } from "../../helpers/engine.js";
import { openDoor, piTool } from "./door.js";
import todoExtension from "./samples/todo.js";

const THEME: Theme = {
  fg: (color, text) => `<${color}>${text}`,
  bg: (color, text) => `[${color}]${text}`,
  bold: (text) => `*${text}*`,
  italic: (text) => text,
  underline: (text) => text,
};
const line = (text: string) => new Text(text, 0, 0);
const linesOf = (component: Component | undefined) => component?.render(80);
const textOfDrawing = (drawing: Drawing) => (drawing.type === "text" ? drawing.text : JSON.stringify(drawing));

const ours = defineOurs({
  name: "ours",
  title: "Ours",
  description: "Is drawn.",
  inputSchema: Type.Object({ n: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
  execute: () => "ran",
  renderCall: ({ n }) => ({ type: "text", text: `call ${n}`, tone: "accent" }),
  renderResult: (_result, { isExpanded }) => ({ type: "text", text: isExpanded ? "whole" : "short" }),
});

test("P55, P58: what a Pi tool draws with components is data here", async () => {
  const { executor } = await openDoor([todoExtension]);
  const { renderCall, renderResult } = executor.registry.renderersOf("todo");
  await executor.executeTool("todo", { add: "tea" });
  const { result } = await executor.executeTool("todo", { add: "cake" });
  expect(renderCall({ add: "cake" }, { toolName: "todo" })).toEqual({ type: "text", text: "todo cake" });
  expect(renderResult(result, { toolName: "todo" })).toEqual({ type: "text", text: "2 to do" });
  expect(renderResult(result, { toolName: "todo", isExpanded: true })).toEqual({
    type: "text",
    text: "2 to do\n- tea\n- cake",
  });
});

test("P56: a resolver draws any name, also one that is not registered", async () => {
  const { executor, pi } = await openDoor();
  pi.registerToolRenderer((name, next) => {
    if (!name.startsWith("mcp__")) return next();
    return next() ?? { renderCall: (args, theme) => line(theme.bold(`${name} ${args.q}`)) };
  });
  const drawn = (name: string) =>
    textOfDrawing(executor.registry.renderersOf(name).renderCall({ q: 1 }, { toolName: name }));
  expect(drawn("mcp__docs__find")).toBe("mcp__docs__find 1");
  expect(drawn("other")).toBe("other q: 1"); // the default
});

test("P57: resolvers are asked in load order, next() gives what the rest and the tool would use, own ones override", async () => {
  const { executor, pi } = await openDoor();
  const asked: string[] = [];
  const resolver =
    (own: string): ToolRendererResolver =>
    (name, next) => {
      asked.push(own);
      if (own === "overrides") return name === "taken" ? { renderCall: () => line("overridden") } : next();
      return next();
    };
  for (const own of ["first", "overrides", "last"]) pi.registerToolRenderer(resolver(own));
  pi.registerTool(piTool("free", () => "ran", { renderCall: () => line("own") }));
  pi.registerTool(piTool("taken", () => "ran", { renderCall: () => line("own") }));
  const drawn = (name: string) => textOfDrawing(executor.registry.renderersOf(name).renderCall({}, { toolName: name }));
  expect([drawn("free"), asked.splice(0)]).toEqual(["own", ["first", "overrides", "last"]]);
  expect([drawn("taken"), asked.splice(0)]).toEqual(["overridden", ["first", "overrides"]]);
});

test("P57: a resolver of ours is what next() gives, as Pi's components", async () => {
  const { executor, pi } = await openDoor();
  executor.registry.registerToolRenderer(() => ({
    renderCall: () => ({ type: "table", columns: ["a", "b"], rows: [["1", "22"]] }),
  }));
  const seen: unknown[] = [];
  const host = createPiExtensionHost(executor); // asked before the resolver above, since it came later
  await host.load((later) => {
    later.registerToolRenderer((_name, next) => {
      const renderers = next();
      seen.push(linesOf(renderers?.renderCall?.({}, THEME, {} as never)), renderers?.renderResult);
      return renderers;
    });
  });
  expect(executor.registry.renderersOf("x").renderCall({}, { toolName: "x" })).toMatchObject({ type: "table" });
  expect(seen).toEqual([["*a  b*", "1  22"], undefined]);
  expect(pi).toBeDefined();
});

test("P59: inside Pi a drawing is a component of the Text that the host gives; without one Pi draws the tool itself", () => {
  const { renderCall, renderResult } = toPiTool(ours, { Text });
  const call = renderCall?.({ n: 1 }, THEME, {} as never);
  expect([call instanceof Text, linesOf(call)]).toEqual([true, ["<accent>call 1"]]);
  const again = renderCall?.({ n: 2 }, THEME, { lastComponent: call } as never);
  expect([again === call, linesOf(again)]).toEqual([true, ["<accent>call 2"]]);
  const result = { content: [], details: undefined };
  const options = { expanded: true, isPartial: false };
  expect(linesOf(renderResult?.(result, options, THEME, {} as never))).toEqual(["whole"]);
  expect(toPiTool(ours)).not.toHaveProperty("renderCall");
});

test("P59: a Pi renderer that gives a plain object is no component: the default is drawn and the failure reported", async () => {
  const { executor, pi } = await openDoor();
  const errors: string[] = [];
  const original = console.error;
  console.error = (...parts: unknown[]) => void errors.push(parts.map(String).join(" "));
  try {
    pi.registerTool(piTool("x", () => "ran", { renderCall: () => ({ text: "plain" }) }));
    const drawing = executor.registry.renderersOf("x").renderCall({ n: 1 }, { toolName: "x" });
    expect(textOfDrawing(drawing)).toBe("x n: 1");
  } finally {
    console.error = original;
  }
  expect(errors.join()).toContain("A renderer must give a component such as new Text(…); it gave an object");
});

test("P59: every kind of drawing has lines in Pi, without what a terminal would obey", () => {
  const drawing: Drawing = {
    type: "stack",
    items: [
      { type: "markdown", text: "# Title" },
      { type: "diff", path: "a.ts", text: "@@ -1 +1 @@\n-old\n+new" },
      { type: "image", data: "", mimeType: "image/png", alternative: "a chart" },
      {
        type: "tree",
        label: "top",
        children: [
          { type: "tree", label: "leaf", children: [] },
          { type: "tree", label: "last", tone: "error", children: [] },
        ],
      },
      { type: "text", text: "\u001b[31mred\u001b[0m\u0007" },
    ],
  };
  const tool = toPiTool(defineOurs({ ...ours, renderCall: () => drawing }), { Text });
  expect(linesOf(tool.renderCall?.({}, THEME, {} as never))).toEqual([
    "# Title",
    "<accent>a.ts",
    "<muted>@@ -1 +1 @@",
    "<error>-old",
    "<success>+new",
    "<muted>[a chart]",
    "top",
    "├─ leaf",
    "└─ <error>last",
    "red\\x07",
  ]);
});

/** What an extension of ours registers with a Pi that has, or has not, a place for resolvers. */
function registered(canResolve: boolean) {
  const tools: ToolDefinition[] = [];
  const resolvers: ToolRendererResolver[] = [];
  const extension = piExtension({
    tools: [ours],
    Text,
    renderer: (name, next) =>
      name === "ours" ? { ...next(), renderCall: () => ({ type: "text", text: "resolved" }) } : undefined,
  });
  extension({
    registerTool: (tool: ToolDefinition) => void tools.push(tool),
    ...(canResolve ? { registerToolRenderer: (resolver: ToolRendererResolver) => void resolvers.push(resolver) } : {}),
  });
  return { tool: at(tools, 0), resolvers };
}

test("P61: our resolver goes where Pi takes one, and on the tool itself where Pi does not", () => {
  const now = registered(true);
  const own: ToolRenderers = { renderCall: () => line("own") };
  expect(linesOf(now.tool.renderCall?.({ n: 1 }, THEME, {} as never))).toEqual(["<accent>call 1"]);
  const resolve = (name: string, next?: ToolRenderers) => at(now.resolvers, 0)(name, () => next);
  expect(linesOf(resolve("ours", own)?.renderCall?.({}, THEME, {} as never))).toEqual(["resolved"]);
  expect(resolve("other", own)).toBe(own);
  expect(resolve("other")).toBeUndefined();

  const old = registered(false);
  expect(old.resolvers).toEqual([]);
  expect(linesOf(old.tool.renderCall?.({ n: 1 }, THEME, {} as never))).toEqual(["resolved"]);
  const options = { expanded: false, isPartial: false };
  const result = { content: [], details: undefined };
  expect(linesOf(old.tool.renderResult?.(result, options, THEME, {} as never))).toEqual(["short"]);
});

test("P61: a resolver without the host's Text is refused, since Pi could not draw what it says", () => {
  expect(() => piExtension({ tools: [ours], renderer: () => undefined })).toThrow(
    /options\.renderer needs options\.Text/,
  );
});

test("P60: a hidden tool is drawn all the same", async () => {
  const { executor, pi } = await openDoor();
  pi.registerTool(piTool("x", () => "ran", { exposure: "hidden", renderCall: () => line("drawn") }));
  expect(textOfDrawing(executor.registry.renderersOf("x").renderCall({}, { toolName: "x" }))).toBe("drawn");
});

test("Text breaks lines at spaces and never inside a character, and keeps its margins", () => {
  expect(new Text("one two three", 0, 0).render(8)).toEqual(["one two", "three"]);
  expect(new Text("abcdefgh", 2, 1).render(6)).toEqual(["", "  abcd", "  efgh", ""]);
  expect(new Text("x😀y", 0, 0).render(2).join("")).toBe("x😀y");
  expect(new Text("x😀y", 0, 0).render(2).every((part) => part.isWellFormed())).toBe(true);
  expect(new Text(" ").render(10)).toEqual([]);
});
