// An executor with Pi extensions on it, for tests of the door.
import { createExecutor, type Executor, type ToolCallOutcome } from "nestcall";
import {
  type AgentToolResult,
  createPiExtensionHost,
  defineTool,
  type ExtensionAPI,
  type ExtensionFactory,
  type ExtensionToolContext,
  type PiExtensionHost,
  type PiExtensionHostOptions,
  Type,
} from "nestcall/pi";
import type { Data } from "../../helpers/engine.js";

export interface Door {
  readonly executor: Executor;
  readonly host: PiExtensionHost;
  /** The `pi` of an extension of its own. */
  readonly pi: ExtensionAPI;
}

export async function openDoor(
  extensions: readonly ExtensionFactory[] = [],
  options: PiExtensionHostOptions = {},
): Promise<Door> {
  const executor = createExecutor();
  const host = createPiExtensionHost(executor, options);
  let pi: ExtensionAPI | undefined;
  await host.load(
    (given) => {
      pi = given;
    },
    { name: "of_the_test" },
  );
  for (const extension of extensions) await host.load(extension);
  return { executor, host, pi: pi as ExtensionAPI }; // set by `load`
}

export type PiExecute = (params: Data, ctx: ExtensionToolContext, id: string) => unknown;

/** A Pi tool with an open schema; what `execute` gives may be a text. */
export function piTool(name: string, execute: PiExecute, more: Data = {}) {
  return defineTool({
    name,
    label: name,
    description: `The test tool ${name}.`,
    parameters: Type.Object({}) as object,
    async execute(id, params, _signal, _onUpdate, ctx) {
      const given = await execute(params as Data, ctx, id);
      if (typeof given !== "string") return given as AgentToolResult;
      return { content: [{ type: "text", text: given }], details: undefined };
    },
    ...more,
  });
}

/** A Pi tool that makes these calls one after another and gives their texts. */
export function piCaller(name: string, calls: readonly (readonly [name: string, args?: unknown])[], more: Data = {}) {
  const execute: PiExecute = async (_params, ctx) => {
    const texts: string[] = [];
    for (const [called, args] of calls) texts.push(textOfPi(await ctx.executeTool(called, args)));
    return texts.join("\n");
  };
  return piTool(name, execute, more);
}

export function textOfPi({ result }: { readonly result: Pick<AgentToolResult, "content"> }): string {
  return result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** `ok`, or the code and the text of what went wrong. */
export function endOf({ isError, error }: ToolCallOutcome): string {
  return isError ? `${error?.code}: ${error?.message}` : "ok";
}
