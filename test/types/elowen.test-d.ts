// Inference through the door `nestcall/elowen`, checked by `npm run types`; nothing here runs.
import {
  defineTool,
  type Identity,
  type Plugin,
  type PluginContext,
  type PluginManifest,
  type PluginToolMetadata,
  Type,
} from "nestcall/elowen";
import { expectTypeOf, test } from "vitest";

declare const ctx: PluginContext;

test("parameters give execute its types, and a tool of any parameters can be registered", () => {
  const tool = defineTool({
    name: "T",
    label: "T",
    description: "T.",
    parameters: Type.Object({ path: Type.String(), lines: Type.Optional(Type.Integer()) }),
    execute: async (callId, params, signal) => {
      expectTypeOf(callId).toEqualTypeOf<string>();
      expectTypeOf(params).toEqualTypeOf<{ path: string; lines?: number }>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      return { content: [{ type: "text", text: params.path }], details: { lines: params.lines } };
    },
  });
  ctx.registerTool(tool);
  ctx.registerTool({
    ...tool,
    execute(_callId, params) {
      expectTypeOf(params).toEqualTypeOf<{ path: string; lines?: number }>();
      return { content: [], details: {} };
    },
  });
  ctx.registerTool(tool, { external: true, ownerUserId: 7, projectId: "p", platform: "web" });
  // @ts-expect-error external is a boolean
  ctx.registerTool(tool, { external: "yes" });
  // @ts-expect-error there is no such option
  ctx.registerTool(tool, { owner: "me" });
});

test("a result has content and details", () => {
  const base = { name: "T", label: "T", description: "T.", parameters: Type.Object({}) };
  // @ts-expect-error details are missing
  defineTool({ ...base, execute: async () => ({ content: [] }) });
  // @ts-expect-error content is a list of blocks
  defineTool({ ...base, execute: async () => ({ content: "text", details: {} }) });
  // @ts-expect-error there is no such block
  defineTool({ ...base, execute: async () => ({ content: [{ type: "video" }], details: {} }) });
});

test("accessors are functions with answers of their own", () => {
  expectTypeOf(ctx.currentAccountUserId()).toEqualTypeOf<string | null>();
  expectTypeOf(ctx.currentIdentity()).toEqualTypeOf<Identity>();
});

test("register may be asynchronous; a manifest's misspelt field does not compile", () => {
  expectTypeOf<Plugin["register"]>().returns.toEqualTypeOf<void | Promise<void>>();
  // @ts-expect-error a misspelt field
  const manifest: PluginManifest = { name: "p", plansafe: ["T"] };
  void manifest;
});

test("E16: the host-side metadata leaves nothing open", () => {
  expectTypeOf<PluginToolMetadata["external"]>().toEqualTypeOf<boolean>();
  // @ts-expect-error external is not optional
  const metadata: Pick<PluginToolMetadata, "external"> = {};
  void metadata;
});
