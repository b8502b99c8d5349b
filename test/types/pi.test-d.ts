// Inference through the door `nestcall/pi`, checked by `npm run types`; nothing here runs.
import type { Tool } from "nestcall";
import {
  type AgentToolCallOutcome,
  defineTool,
  type ExtensionAPI,
  type ExtensionFactory,
  fromPiTool,
  isToolCallEventType,
  Type,
  type toPiTool,
} from "nestcall/pi";
import { expectTypeOf, test } from "vitest";

declare const pi: ExtensionAPI;
const parameters = Type.Object({ path: Type.String(), lines: Type.Optional(Type.Integer()) });

test("parameters give execute, prepareArguments and the renderers their types", () => {
  const tool = defineTool({
    name: "t",
    label: "T",
    description: "T.",
    parameters,
    prepareArguments: (raw) => {
      expectTypeOf(raw).toEqualTypeOf<unknown>();
      return { path: "a" };
    },
    async execute(id, params, signal, _onUpdate, ctx) {
      expectTypeOf(id).toEqualTypeOf<string>();
      expectTypeOf(params).toEqualTypeOf<{ path: string; lines?: number }>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal | undefined>();
      expectTypeOf(ctx.executeTool("x", {})).resolves.toEqualTypeOf<AgentToolCallOutcome>();
      return { content: [{ type: "text", text: params.path }], details: { count: 2 } };
    },
    renderCall: (args) => {
      expectTypeOf(args.path).toEqualTypeOf<string>();
      return { render: () => [args.path], invalidate: () => {} };
    },
  });
  pi.registerTool(tool);
  expectTypeOf(fromPiTool(tool)).toExtend<Tool>();
});

test("a renderer of results gets the details of the result", () => {
  pi.registerTool({
    name: "t",
    label: "T",
    description: "T.",
    parameters,
    execute: async (_id, { path }) => ({ content: [{ type: "text", text: path }], details: { count: 2 } }),
    renderResult: ({ details }) => {
      expectTypeOf(details).toEqualTypeOf<{ count: number }>();
      return { render: () => [String(details.count)], invalidate: () => {} };
    },
  });
});

test("a result needs details, a tool a label", () => {
  // @ts-expect-error details are missing
  pi.registerTool({ name: "t", label: "T", description: "T.", parameters, execute: async () => ({ content: [] }) });
  // @ts-expect-error the label is missing
  pi.registerTool({ name: "t", description: "T.", parameters, execute: async () => ({ content: [], details: {} }) });
});

test("handlers get the event of their name; what is not there is no member", () => {
  pi.on("tool_call", (event, ctx) => {
    expectTypeOf(event.input).toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal | undefined>();
    if (isToolCallEventType<"t", { path: string }>("t", event)) expectTypeOf(event.input.path).toEqualTypeOf<string>();
    return { block: true, reason: "no" };
  });
  pi.on("tool_result", () => ({ isError: true }));
  pi.on("tool_execution_end", ({ durationMs }) => void expectTypeOf(durationMs).toEqualTypeOf<number | undefined>());
  // @ts-expect-error a listener cannot block
  pi.on("tool_execution_start", () => ({ block: true }));
  // @ts-expect-error there is no agent loop
  pi.on("agent_end", () => {});
  // @ts-expect-error there is no session
  void pi.sendMessage;
});

test("extensions may be synchronous or not, and any tool of ours goes into Pi", () => {
  expectTypeOf((_pi: ExtensionAPI) => {}).toExtend<ExtensionFactory>();
  expectTypeOf(async (_pi: ExtensionAPI) => {}).toExtend<ExtensionFactory>();
  expectTypeOf<Tool<typeof parameters, typeof parameters>>().toExtend<Parameters<typeof toPiTool>[0]>();
});
