// What the types of nestcall/agntn infer and refuse. Read by `npm run types`; nothing runs.
import { createExecutor, type ToolContext } from "nestcall";
import { defineTool, lazy, type Static, type TObject, type ToolResult, Type } from "nestcall/agntn";
import { expectTypeOf } from "vitest";

const input = Type.Object(
  { path: Type.String(), mode: Type.Optional(Type.Enum(["fast", "careful"])) },
  { additionalProperties: false },
);
const done: ToolResult = { content: [{ type: "text", text: "done" }], details: { lines: 3 } };

export const fileCount = defineTool({
  name: "file_count",
  title: "Count lines",
  description: "Counts the lines of a file.",
  effect: "read",
  input,
  execute(args, options) {
    expectTypeOf(args).toEqualTypeOf<{ path: string; mode?: "fast" | "careful" }>();
    expectTypeOf(options.signal).toEqualTypeOf<AbortSignal>();
    return done;
  },
});

expectTypeOf(fileCount.input).toEqualTypeOf(input);
expectTypeOf(fileCount.idempotent).toEqualTypeOf<boolean>();
expectTypeOf<Static<typeof input>>().toEqualTypeOf<{ path: string; mode?: "fast" | "careful" }>();
expectTypeOf(input).toExtend<TObject>();

// It is one of our tools: an executor takes it, and calls of it are checked by its schema's type.
const executor = createExecutor({ tools: [fileCount] });
void executor.executeTool(fileCount, { path: "a" });
export const nested = (ctx: ToolContext) => ctx.executeTool(fileCount, { path: "a", mode: "fast" });
// @ts-expect-error: path is a text
export const wrong = (ctx: ToolContext) => ctx.executeTool(fileCount, { path: 1 });

const parts = { name: "t", title: "T", description: "d", input } as const;
// @ts-expect-error: effect has to be said
defineTool({ ...parts, execute: () => done });
// @ts-expect-error: effect is one of three
defineTool({ ...parts, effect: "delete", execute: () => done });
// @ts-expect-error: a result has details
defineTool({ ...parts, effect: "read", execute: () => ({ content: [] }) });
// @ts-expect-error: a result is no text
defineTool({ ...parts, effect: "read", execute: () => "done" });
// @ts-expect-error: content is text and images
defineTool({ ...parts, effect: "read", execute: () => ({ content: [{ type: "audio" }], details: {} }) });
defineTool({ ...parts, effect: "read", execute: async () => done });
defineTool({ ...parts, effect: "read", execute: lazy(async () => (_input: Static<typeof input>) => done) });
