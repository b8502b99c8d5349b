// Small plugins for tests of the door `nestcall/elowen`. It keeps no state.
import { createExecutor, type Executor } from "nestcall";
import {
  type AnyToolDefinition,
  type LoadedPlugin,
  type LoadPluginOptions,
  loadPlugin,
  type Plugin,
  type PluginContext,
  type PluginLogger,
  type PluginManifest,
  type PluginToolResult,
  Type,
} from "nestcall/elowen";
import type { Data } from "./engine.js";

export type PluginExecute = AnyToolDefinition["execute"];

export function answer(text: string): PluginToolResult {
  return { content: [{ type: "text", text }], details: {} };
}

/** A tool with an open empty schema; `more` overrides any part of the definition. */
export function pluginTool(name: string, execute?: PluginExecute, more: Data = {}): AnyToolDefinition {
  const run: PluginExecute = execute ?? (() => answer("ran"));
  const definition = { name, label: name, description: `The test tool ${name}.`, parameters: Type.Object({}) };
  return { ...definition, execute: run, ...more } as AnyToolDefinition; // put together at run time here
}

/** A plugin `p` with these tools, and whatever else its manifest says. */
export function pluginOf(tools: readonly AnyToolDefinition[], manifest: Partial<PluginManifest> = {}): Plugin {
  const register = (ctx: PluginContext) => {
    for (const tool of tools) ctx.registerTool(tool);
  };
  return { manifest: { name: "p", ...manifest }, register };
}

/** Loads it into an executor of its own, unless one is given. */
export async function load(
  plugin: Plugin,
  options: Partial<LoadPluginOptions> = {},
): Promise<{ readonly executor: Executor; readonly loaded: LoadedPlugin; readonly logged: readonly string[] }> {
  const executor = options.executor ?? createExecutor();
  const { logger, logged } = listLogger();
  const loaded = await loadPlugin(plugin, { executor, logger, ...options });
  return { executor, loaded, logged };
}

/** Keeps what is logged, as `info [p] text`. */
export function listLogger(): { readonly logger: PluginLogger; readonly logged: string[] } {
  const logged: string[] = [];
  const method = (level: string) => (text: string) => void logged.push(`${level} ${text}`);
  const logger = { debug: method("debug"), info: method("info"), warn: method("warn"), error: method("error") };
  return { logger, logged };
}

/** What a promise was rejected with; fails the test when it was not. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("the promise was not rejected");
}
