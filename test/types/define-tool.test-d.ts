// Inference of a tool's arguments and structured content, checked by `npm run types`; nothing here runs.
import { type } from "arktype";
import { createExecutor, defineTool, lazy, type Static, type Tool, type ToolContext, Type } from "nestcall";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

declare const ctx: ToolContext;
const executor = createExecutor();
const base = { name: "x", description: "X." } as const;

test("TypeBox: execute, mutates, executeTool and structuredContent have the schema's types", async () => {
  const tool = defineTool({
    ...base,
    inputSchema: Type.Object(
      { path: Type.String(), line: Type.Optional(Type.Integer()), mode: Type.Enum(["fast", "careful"]) },
      { additionalProperties: false },
    ),
    outputSchema: Type.Object({ count: Type.Integer() }, { additionalProperties: false }),
    mutates: (args) => {
      expectTypeOf(args).toEqualTypeOf<{ path: string; line?: number; mode: "fast" | "careful" }>();
      return [args.path];
    },
    execute(args, context) {
      expectTypeOf(args).toEqualTypeOf<{ path: string; line?: number; mode: "fast" | "careful" }>();
      expectTypeOf(context).toEqualTypeOf<ToolContext>();
      // @ts-expect-error there is no such argument
      void args.paths;
      return { structuredContent: { count: 1 } };
    },
  });
  const nested = await ctx.executeTool(tool, { path: "a", mode: "fast" });
  expectTypeOf(nested.result.structuredContent).toEqualTypeOf<{ count: number } | undefined>();
  const root = await executor.executeTool(tool, { path: "a", line: 1, mode: "careful" }, { toolCallId: "T" });
  expectTypeOf(root.result.structuredContent).toEqualTypeOf<{ count: number } | undefined>();

  // @ts-expect-error path is missing
  await ctx.executeTool(tool, { mode: "fast" });
  // @ts-expect-error line is a number
  await ctx.executeTool(tool, { path: "a", mode: "fast", line: "1" });
  // @ts-expect-error no such mode
  await ctx.executeTool(tool, { path: "a", mode: "slow" });
  // @ts-expect-error a misspelt key
  await ctx.executeTool(tool, { path: "a", mode: "fast", lines: 1 });
  // @ts-expect-error the arguments are missing
  await ctx.executeTool(tool);
  // @ts-expect-error there is no such option
  await ctx.executeTool(tool, { path: "a", mode: "fast" }, { timeout: 5 });
  // @ts-expect-error only a root call has an id of its own
  await ctx.executeTool(tool, { path: "a", mode: "fast" }, { toolCallId: "T" });
  // @ts-expect-error path is missing for the host too
  await executor.executeTool(tool, { mode: "fast" });
});

test("TypeBox: Static is the package's own", () => {
  const schema = Type.Object({ list: Type.Array(Type.String()) });
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<{ list: string[] }>();
});

test("JSON Schema literals are inferred without `as const`", async () => {
  const tool = defineTool({
    ...base,
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, depth: { type: "integer" }, mode: { enum: ["fast", "careful"] } },
      required: ["path"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { lines: { type: "array", items: { type: "string" } } },
      required: ["lines"],
      additionalProperties: false,
    },
    execute(args) {
      expectTypeOf(args.path).toEqualTypeOf<string>();
      expectTypeOf(args.depth).toEqualTypeOf<number | undefined>();
      expectTypeOf(args.mode).toEqualTypeOf<"fast" | "careful" | undefined>();
      return { structuredContent: { lines: [args.path] } };
    },
  });
  const { result } = await ctx.executeTool(tool, { path: "a", depth: 2 });
  expectTypeOf(result.structuredContent?.lines).toEqualTypeOf<string[] | undefined>();
  // @ts-expect-error path is a text
  await ctx.executeTool(tool, { path: 5 });
  // @ts-expect-error path is missing
  await ctx.executeTool(tool, {});
});

test("zod: the tool gets the output type", async () => {
  const tool = defineTool({
    ...base,
    inputSchema: z.object({ n: z.number(), tag: z.string().optional() }),
    outputSchema: z.object({ doubled: z.number() }),
    execute(args) {
      expectTypeOf(args).toEqualTypeOf<{ n: number; tag?: string | undefined }>();
      return { structuredContent: { doubled: args.n * 2 } };
    },
  });
  const { result } = await ctx.executeTool(tool, { n: 1 });
  expectTypeOf(result.structuredContent).toEqualTypeOf<{ doubled: number } | undefined>();
  // @ts-expect-error n is a number
  await ctx.executeTool(tool, { n: "1" });
});

test("valibot: the tool gets the output type", async () => {
  const tool = defineTool({
    ...base,
    inputSchema: v.object({ n: v.number(), mode: v.picklist(["fast", "careful"]) }),
    execute(args) {
      expectTypeOf(args).toEqualTypeOf<{ n: number; mode: "fast" | "careful" }>();
    },
  });
  const { result } = await ctx.executeTool(tool, { n: 1, mode: "fast" });
  expectTypeOf(result.structuredContent).toEqualTypeOf<unknown>();
  // @ts-expect-error no such mode
  await ctx.executeTool(tool, { n: 1, mode: "slow" });
});

test("arktype: the tool gets the output type, also of a type that is a function", async () => {
  const tool = defineTool({
    ...base,
    inputSchema: type({ n: "number", "tag?": "string" }),
    outputSchema: type({ doubled: "number" }),
    execute(args) {
      expectTypeOf(args).toEqualTypeOf<{ n: number; tag?: string }>();
      return { structuredContent: { doubled: args.n * 2 } };
    },
  });
  const { result } = await ctx.executeTool(tool, { n: 1 });
  expectTypeOf(result.structuredContent).toEqualTypeOf<{ doubled: number } | undefined>();
  // @ts-expect-error n is a number
  await ctx.executeTool(tool, { n: "1" });
});

test("a tool without outputSchema has structuredContent of an unknown type", async () => {
  const tool = defineTool({ ...base, inputSchema: Type.Object({}), execute: () => "text" });
  const { result } = await ctx.executeTool(tool, {});
  expectTypeOf(result.structuredContent).toEqualTypeOf<unknown>();
});

test("a name takes any arguments, or none", async () => {
  await ctx.executeTool("x");
  const { result } = await ctx.executeTool("x", { anything: 1 }, { timeoutMs: 5 });
  expectTypeOf(result.structuredContent).toEqualTypeOf<unknown>();
  await executor.executeTool("x");
});

test("lazy keeps the types of the function that is loaded", () => {
  const load = async () => ({ execute: (args: { readonly n: number }) => `${args.n}` });
  defineTool({ ...base, inputSchema: Type.Object({ n: Type.Number() }), execute: lazy(load) });
  // @ts-expect-error the loaded function wants a number, the schema gives a text
  defineTool({ ...base, inputSchema: Type.Object({ n: Type.String() }), execute: lazy(load) });
});

test("what a definition may not say does not compile", () => {
  const inputSchema = Type.Object({});
  const execute = () => "text";
  defineTool({ ...base, inputSchema, execute });
  // @ts-expect-error execute is missing
  defineTool({ ...base, inputSchema });
  // @ts-expect-error the schema is missing
  defineTool({ ...base, execute });
  // @ts-expect-error no such exposure
  defineTool({ ...base, inputSchema, execute, exposure: "public" });
  // @ts-expect-error no such effect
  defineTool({ ...base, inputSchema, execute, effect: "reads" });
  // @ts-expect-error a number is no result
  defineTool({ ...base, inputSchema, execute: () => 5 });
  // @ts-expect-error no such kind of content
  defineTool({ ...base, inputSchema, execute: () => ({ content: [{ type: "video", text: "x" }] }) });
  // @ts-expect-error a misspelt key
  defineTool({ ...base, inputSchema, execute, mutate: () => [] });
});

test("every tool fits the list that an executor takes", () => {
  const typebox = defineTool({ ...base, inputSchema: Type.Object({ a: Type.String() }), execute: () => "x" });
  const zod = defineTool({ ...base, inputSchema: z.object({ b: z.number() }), execute: () => "x" });
  createExecutor({ tools: [typebox, zod] });
  createExecutor().registry.register(typebox);
  createExecutor().registry.register(zod);
  const plain: readonly Tool[] = [];
  createExecutor({ tools: plain });
});

test("lazy takes a function, and a module only with one", () => {
  lazy(async () => ({ execute: (_args: { readonly n: number }) => "x", other: 1 }));
  // @ts-expect-error neither default nor execute
  lazy(async () => ({ run: () => "x" }));
  // @ts-expect-error execute is no function
  lazy(async () => ({ execute: 1 }));
  // @ts-expect-error not a function
  lazy(5);
});
