import type { PluginContext } from "nestcall/elowen";

export function register(ctx: PluginContext): void;
