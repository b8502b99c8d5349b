// A review in our own shape, small enough to run the same anywhere: one tool that calls others in every way there is.
// What it reviews is a fixture.
import { defineTool, type ToolCallOutcome, type ToolContext, Type } from "nestcall";

const closed = { additionalProperties: false };
const LINES = [
  ["deploy.sh", "rm -rf build"],
  ["deploy.sh", "npm run build"],
] as const;

const runChecks = defineTool({
  name: "run_checks",
  description: "The results of the type check and the tests.",
  inputSchema: Type.Object({ skipTests: Type.Optional(Type.Boolean()) }, closed),
  outputSchema: Type.Object({ exitCode: Type.Integer() }, closed),
  effect: "read",
  execute: ({ skipTests = false }) => ({
    structuredContent: { exitCode: skipTests ? 0 : 1 },
    usage: { input: 3, cost: 1 },
  }),
});

const failingTests = defineTool({
  name: "failing_tests",
  description: "The tests that fail. That there are some is a failure with data.",
  inputSchema: Type.Object({}),
  outputSchema: Type.Object({ names: Type.Array(Type.String()) }, closed),
  effect: "read",
  execute: () => ({
    content: [{ type: "text", text: "1 test fails: adds up an empty list" }],
    structuredContent: { names: ["adds up an empty list"] },
    isError: true,
  }),
});

const dangerousCommands = defineTool({
  name: "dangerous_commands",
  description: "Whether a command is known to be dangerous. Runs nothing.",
  inputSchema: Type.Object({ command: Type.String() }, closed),
  effect: "read",
  exposure: "deferred",
  execute: ({ command }) => (command.startsWith("rm ") ? "dangerous: removes folders" : "no known danger"),
});

/** Calls a tool itself: the second level. */
const inspectFile = defineTool({
  name: "inspect_file",
  description: "Looks each new line of a file up.",
  inputSchema: Type.Object({ path: Type.String(), note: Type.Optional(Type.String()) }, closed),
  effect: "read",
  exposure: "codemode",
  async execute({ path }, ctx) {
    const commands = LINES.filter(([file]) => file === path).map(([, command]) => command);
    const found = await Promise.all(commands.map((command) => ctx.executeTool(dangerousCommands, { command })));
    return found.map(textOf).join("; ");
  },
});

const cleanUp = defineTool({
  name: "clean_up",
  description: "Removes the build folder.",
  inputSchema: Type.Object({ folder: Type.String() }, closed),
  effect: "destructive",
  execute: () => "removed",
});

const readHistory = defineTool({
  name: "read_history",
  description: "Has nothing to give.",
  inputSchema: Type.Object({}),
  effect: "read",
  execute: () => {
    throw new Error("There is no history here.");
  },
});

export const reviewDiff = defineTool({
  name: "review_diff",
  title: "Review diff",
  description: "Reviews the change under review.",
  snippet: "Review the change under review",
  guidelines: ["Use review_diff before you say that a change is fine."],
  inputSchema: Type.Object({}),
  effect: "read",
  async execute(_args, ctx) {
    const [checks, file] = await Promise.all([
      ctx.executeTool(runChecks, { skipTests: false }),
      ctx.executeTool(inspectFile, { path: "deploy.sh", note: "ä".repeat(5000) }), // more than a record keeps
    ]);
    const rest: ToolCallOutcome[] = [];
    rest.push(await ctx.executeTool(failingTests, {}));
    rest.push(await ctx.executeTool(cleanUp, { folder: "build" }));
    rest.push(await ctx.executeTool(readHistory, {}));
    ctx.onUpdate({ content: [{ type: "text", text: "almost done" }] });
    return {
      content: [
        {
          type: "text",
          text: [`exit ${checks.result.structuredContent?.exitCode}`, textOf(file), ...rest.map(textOf)].join("\n"),
        },
      ],
      details: { ids: [checks, file, ...rest].map(({ toolCall }) => toolCall.id), whole: ctx.toolCallId },
      usage: { input: 1 },
    };
  },
  renderCall: (_args, view) => ({ type: "text", text: `review (${view.toolName})`, tone: "accent" }),
  renderResult: (result) => ({
    type: "stack",
    items: (result.content ?? []).map((block) => ({ type: "text", text: block.type === "text" ? block.text : "" })),
  }),
});

/** More calls than a record keeps. */
const fanOut = defineTool({
  name: "fan_out",
  description: "Makes 300 calls.",
  inputSchema: Type.Object({}),
  effect: "read",
  async execute(_args, ctx: ToolContext) {
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, index) => ctx.executeTool(dangerousCommands, { command: `echo ${index}` })),
    );
    return `${outcomes.filter(({ isError }) => !isError).length} of ${outcomes.length}`;
  },
});

export const nativeTools = [
  runChecks,
  failingTests,
  dangerousCommands,
  inspectFile,
  cleanUp,
  readHistory,
  reviewDiff,
  fanOut,
] as const;

function textOf({ result }: ToolCallOutcome): string {
  return result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
