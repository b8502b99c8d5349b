// What a plugin's `register` gets.
import type { Access, Identity } from "../../tools/access.js";
import type { ToolSchema } from "../../tools/tool.js";
import type { PluginLogger } from "./plugin-logger.js";
import type { PluginTools, RegisterToolOptions } from "./plugin-tools.js";
import { runningCall } from "./running-call.js";
import type { AnyToolDefinition, ToolDefinition } from "./tool-definition.js";

/**
 * The part of a plugin's context that is about tools. What else a host offers is given to `loadPlugin` as `context`, and
 * declared by augmenting this interface. Functions are bound, so they may be passed on.
 */
export interface PluginContext {
  /**
   * Adds a tool, also later on. The first owner of a name keeps it; the plugin may replace its own.
   *
   * @throws NestcallError `INVALID_TOOL` for a bad definition, `INVALID_ARGUMENTS` for a bad option.
   */
  registerTool<const Params extends ToolSchema, Details = unknown>(
    tool: ToolDefinition<Params, Details>,
    options?: RegisterToolOptions,
  ): void;
  readonly logger: PluginLogger;
  /**
   * Who acts at this moment. For use inside a running tool: ask right before each thing you do, and again after each wait.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` outside of a running tool, `CALLER_FINISHED` once its call has ended.
   */
  currentIdentity(): Identity;
  /** What may be done at this moment; as `currentIdentity`. */
  currentAccess(): Access;
  /** The account that acts at this moment, `null` for none; as `currentIdentity`. */
  currentAccountUserId(): string | null;
}

export function pluginContext(tools: PluginTools, logger: PluginLogger, more: object = {}): PluginContext {
  return Object.freeze({
    ...more,
    registerTool: (tool: AnyToolDefinition, options?: unknown) => tools.register(tool, options),
    logger,
    currentIdentity: () => runningCall("currentIdentity").identity(),
    currentAccess: () => runningCall("currentAccess").access(),
    currentAccountUserId: () => runningCall("currentAccountUserId").identity().userId ?? null,
  });
}
