// A script calls tools as if they were functions; the host turns `tools.x(args)` into nested calls of the engine.
// Checks the script's value, that errors reject inside it, and that hooks and the record see every call it made.
import assert from "node:assert/strict";
import { createExecutor, defineTool, type ToolCallOutcome, type ToolContext, Type } from "nestcall";

type Tools = Readonly<Record<string, (args?: unknown) => Promise<unknown>>>;
type Script = (tools: Tools) => unknown;

/** What a script gets of a call: data when the tool has some, else its text; a failed call rejects. */
function readOutcome(outcome: ToolCallOutcome): unknown {
  const text = outcome.result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  if (outcome.isError) throw Object.assign(new Error(text), { code: outcome.error?.code });
  return outcome.result.structuredContent ?? text;
}

/** The seam: a sandbox that runs scripts of the model needs nothing else from the engine. */
function toolsFor(ctx: ToolContext): Tools {
  const call = (name: string) => async (args?: unknown) => readOutcome(await ctx.executeTool(name, args));
  // `then` stays unknown, or `await tools` would take the object for a promise.
  return new Proxy({}, { get: (_, name) => (typeof name === "string" && name !== "then" ? call(name) : undefined) });
}

const closed = { additionalProperties: false };
const priceOf = defineTool({
  name: "price_of",
  description: "The price of one article, in cents.",
  inputSchema: Type.Object({ article: Type.Enum(["tea", "bread"]) }, closed),
  outputSchema: Type.Object({ cents: Type.Integer() }, closed),
  exposure: "codemode", // not shown to the model, only to its scripts
  effect: "read",
  execute: ({ article }) => ({ structuredContent: { cents: { tea: 350, bread: 420 }[article] } }),
});

// Trusted code of this file, chosen by name: a plain function is no sandbox for text that a model wrote.
const scripts: Readonly<Record<string, Script>> = {
  async shopping(tools) {
    const prices = await Promise.all(["tea", "bread"].map((article) => tools.price_of?.({ article })));
    const refused = await tools.price_of?.({ article: "car" }).catch((error: Error) => error);
    const cents = prices.reduce<number>((sum, price) => sum + (price as { cents: number }).cents, 0);
    return { cents, refused: (refused as Error & { code: string }).code };
  },
};
const runScript = defineTool({
  name: "run_script",
  description: "Runs one of the scripts of this host by its name.",
  inputSchema: Type.Object({ name: Type.Enum(["shopping"]) }, closed),
  exposure: "model-only", // a script cannot start another one
  effect: "write",
  execute: async ({ name }, ctx) => ({ structuredContent: await scripts[name]?.(toolsFor(ctx)) }),
});

const executor = createExecutor({ tools: [priceOf, runScript] });
const seen: string[] = [];
executor.on("tool_call", ({ toolCallId, toolName, source }) => {
  seen.push(`${source}: ${toolName} ${toolCallId}`);
});
const { outcomes } = await executor.executeBatch([{ id: "s", name: "run_script", arguments: { name: "shopping" } }]);
assert.deepEqual(outcomes[0]?.result.structuredContent, { cents: 770, refused: "INVALID_ARGUMENTS" });
assert.deepEqual(
  outcomes[0]?.nestedCalls?.calls.map(({ id, status }) => `${id} ${status}`),
  ["s/1 ok", "s/2 ok", "s/3 error"],
);
// Arguments that fail the check never reach a guard, so the third call is in the record only.
assert.deepEqual(seen, ["model: run_script s", "tool: price_of s/1", "tool: price_of s/2"]);
console.log(outcomes[0]?.result.structuredContent, seen);
await executor.close();
