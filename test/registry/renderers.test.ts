import { defineTool, NestcallError, type Tool, Type } from "nestcall";
import { afterEach, expect, test, vi } from "vitest";
import { type RendererFailure, Renderers, type RenderersOptions } from "../../src/registry/renderers.js";
import type { Drawing, ToolRenderers } from "../../src/tools/drawing.js";
import { at, define } from "../helpers/engine.js";

const VIEW = { toolName: "t" };
const text = (content: string): Drawing => ({ type: "text", text: content });
const calls = (content: string): ToolRenderers => ({ renderCall: () => text(content) });

/** Renderers over these tools, and what was reported. */
function world(tools: readonly Tool[] = [], options: Partial<RenderersOptions> = {}) {
  const failures: RendererFailure[] = [];
  const renderers = new Renderers({
    toolOf: (name) => tools.find((tool) => tool.name === name),
    onError: (failure) => void failures.push(failure),
    ...options,
  });
  return { renderers, failures };
}

afterEach(() => void vi.restoreAllMocks());

test("without any saying so, a call is its name and arguments and a result its text", () => {
  const { renderCall, renderResult } = world().renderers.of("mcp__x__y");
  expect(renderCall({ path: "a.md", limit: 5 }, VIEW)).toEqual(text('mcp__x__y path: "a.md", limit: 5'));
  expect(renderCall({}, VIEW)).toEqual(text("mcp__x__y"));
  expect(renderCall(undefined, VIEW)).toEqual(text("mcp__x__y"));
  expect(renderCall(["a"], VIEW)).toEqual(text('mcp__x__y ["a"]'));
  expect(renderResult({ content: [{ type: "text", text: "done" }] }, VIEW)).toEqual({ ...text("done"), tone: "plain" });
  expect(renderResult({ content: [] }, VIEW)).toMatchObject({ text: "(no output)" });
  expect(renderResult({ content: [] }, { ...VIEW, isPartial: true })).toMatchObject({ text: "(nothing yet)" });
  expect(renderResult({ structuredContent: { a: 1 } }, VIEW)).toMatchObject({ text: "{a: 1}" });
});

test("a failed result has the tone of errors, by the view or by itself", () => {
  const { renderResult } = world().renderers.of("t");
  const content = [{ type: "text" as const, text: "broken" }];
  expect(renderResult({ content, isError: true }, VIEW)).toMatchObject({ text: "broken", tone: "error" });
  expect(renderResult({ content }, { ...VIEW, isError: true })).toMatchObject({ text: "broken", tone: "error" });
});

test("a long result shows its first lines, of a running call the last ones, expanded all", () => {
  const { renderResult } = world().renderers.of("t");
  const lines = Array.from({ length: 25 }, (_, index) => `line ${index + 1}`);
  const result = { content: [{ type: "text" as const, text: `${lines.join("\n")}\n` }] };
  expect(renderResult(result, VIEW)).toEqual({
    type: "stack",
    items: [
      { ...text(lines.slice(0, 10).join("\n")), tone: "plain" },
      { ...text("… 15 more lines"), tone: "muted" },
    ],
  });
  expect(renderResult(result, { ...VIEW, isPartial: true })).toMatchObject({
    items: [text("… 15 earlier lines"), text(lines.slice(-10).join("\n"))],
  });
  expect(renderResult(result, { ...VIEW, isExpanded: true })).toMatchObject(text(`${lines.join("\n")}\n`));
});

test("every kind of content has a drawing, also content that is none", () => {
  const content: unknown = [
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "audio", data: "A".repeat(4096), mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a", text: "inside" } },
    { type: "resource_link", uri: "file:///b", name: "b" },
    { type: "video" },
    null,
  ];
  const drawn = world()
    .renderers.of("t")
    .renderResult({ content } as never, VIEW);
  expect(drawn).toMatchObject({
    items: [
      { type: "image", data: "AAAA", mimeType: "image/png", alternative: "image image/png, 3 bytes" },
      text("(audio audio/wav, 3.0 KiB)"),
      { items: [text("(resource file:///a)"), text("inside")] },
      text("(link to b: file:///b)"),
      text('(content of type "video")'),
      text("(content of type undefined)"),
    ],
  });
});

test("a tool's own parts are methods of the tool, and a missing part is the default", () => {
  const own = defineTool({
    name: "own",
    description: "Draws its calls.",
    inputSchema: Type.Object({ n: Type.Number() }, { additionalProperties: false }),
    renderCall({ n }, view) {
      return text(`${this.name} ${n} ${view.toolName} ${view.toolCallId}`);
    },
    execute: () => "",
  }) as unknown as Tool; // a list holds tools of every input
  const { renderCall, renderResult } = world([own]).renderers.of("own");
  expect(renderCall({ n: 5 }, { toolName: "another", toolCallId: "c" })).toEqual(text("own 5 own c"));
  expect(renderResult({ content: [] }, VIEW)).toMatchObject(text("(no output)"));
});

test("a resolver that gives only one part leaves the other to the next, and one that gives nothing leaves both", () => {
  const { renderers } = world([
    define({ name: "t", renderCall: () => text("call"), renderResult: () => text("result") }),
  ]);
  renderers.register(() => calls("other call"));
  renderers.register(() => undefined);
  const { renderCall, renderResult } = renderers.of("t");
  expect([renderCall({}, VIEW), renderResult({}, VIEW)]).toEqual([text("other call"), text("result")]);
});

test("what next() gives can be drawn at once, to be put into something else", () => {
  const { renderers } = world();
  renderers.register((_name, next) => ({
    renderCall: (args, view) => ({ type: "stack", items: [text("before"), next().renderCall(args, view)] }),
  }));
  expect(renderers.of("t").renderCall({}, VIEW)).toEqual({ type: "stack", items: [text("before"), text("t")] });
});

test("a resolver is gone once it is removed; one that was registered twice stays once", () => {
  const { renderers } = world();
  const resolver = () => calls("mine");
  const [remove] = [renderers.register(resolver), renderers.register(resolver)];
  remove();
  remove();
  expect(renderers.of("t").renderCall({}, VIEW)).toEqual(text("mine"));
});

test("a resolver that throws, or gives no renderers, is passed over and reported", () => {
  const thrown = new Error("resolver");
  const { renderers, failures } = world();
  renderers.register(() => calls("below"));
  renderers.register(() => {
    throw thrown;
  });
  renderers.register(() => "nonsense" as never);
  renderers.register(() => ({ renderCall: 5 }) as never);
  renderers.register((async () => Promise.reject(new Error("late"))) as never);
  expect(renderers.of("t").renderCall({}, VIEW)).toEqual(text("below"));
  expect(failures.map(({ part }) => part)).toEqual(["resolver", "resolver", "resolver", "resolver"]);
  expect(failures.map(({ error }) => (error as Error).message)).toEqual([
    "A renderer resolver gave an object of class Promise; wanted is an object { renderCall?, renderResult? }.",
    "A renderer resolver for renderCall gave 5; wanted is a function.",
    'A renderer resolver gave the string "nonsense"; wanted is an object { renderCall?, renderResult? }.',
    "resolver",
  ]);
});

test.each([
  ["throws", () => Promise.reject.call(undefined as never), "called on"],
  ["gives nothing", () => undefined, 'renderCall for the tool "t" gave no drawing: the drawing is undefined'],
  ["gives a promise", () => Promise.reject(new Error("late")), "gave no drawing: the drawing.type is undefined"],
  ["gives half a drawing", () => ({ type: "text" }), "the drawing.text is undefined, not a text"],
])("a renderer that %s is replaced by the default and reported", (_how, renderCall, message) => {
  const { renderers, failures } = world([define({ name: "t", renderCall })]);
  expect(renderers.of("t").renderCall({ a: 1 }, VIEW)).toEqual(text("t a: 1"));
  expect(failures).toMatchObject([{ toolName: "t", part: "renderCall" }]);
  expect((at(failures, 0).error as Error).message).toContain(message);
});

test("a tool's own renderer that fails below a resolver is reported as its own and drawn the default way", () => {
  const { renderers, failures } = world([define({ name: "t", renderResult: () => 7 })]);
  renderers.register((_name, next) => ({ renderResult: (result, view) => next().renderResult(result, view) }));
  expect(renderers.of("t").renderResult({ content: [] }, VIEW)).toMatchObject(text("(no output)"));
  expect(failures).toHaveLength(1);
  expect(failures[0]?.error).toBeInstanceOf(NestcallError);
  expect(failures[0]?.error).toMatchObject({ code: "INVALID_RESULT" });
});

test("a renderer that asks for its own tool again ends", () => {
  const { renderers, failures } = world();
  renderers.register(() => ({ renderCall: (args, view) => renderers.of("t").renderCall(args, view) }));
  expect(renderers.of("t").renderCall({}, VIEW)).toEqual(text("t"));
  expect(failures.length).toBeGreaterThan(0);
});

test("without onError the console is told, once for each tool and part; an onError that throws breaks nothing", () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const failing = () => ({
    renderCall: (): never => {
      throw new Error("no");
    },
  });
  const { renderers } = world([], { onError: undefined });
  renderers.register(failing);
  for (let run = 0; run < 3; run += 1) renderers.of("t").renderCall({}, VIEW);
  expect(told.mock.calls).toEqual([["nestcall: drawing failed (renderCall, tool t):", expect.any(Error)]]);

  const other = world([], { onError: failing().renderCall });
  other.renderers.register(failing);
  expect(other.renderers.of("t").renderCall({}, VIEW)).toEqual(text("t"));
});

test("a resolver or patterns of the wrong kind are refused by name", () => {
  const { renderers } = world();
  expect(() => renderers.register({} as never)).toThrow("registerToolRenderer takes a function");
  expect(() => renderers.showOutput("*" as never)).toThrow("showOutput takes a list of names");
  expect(() => renderers.showOutput([5] as never)).toThrow("A pattern of names is a text");
});
