// Which configuration is read: the one that is named, else the first that is found.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { UsageError } from "./exit.js";

const HERE = ["nestcall.json", "mcp.json", ".mcp.json"];

export interface FoundConfig {
  readonly path: string;
  /** Whether the command line names it. */
  readonly isNamed: boolean;
}

/** Where a configuration is looked for, in this order. */
export function configPlaces(env: NodeJS.ProcessEnv, cwd = process.cwd()): readonly string[] {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config");
  return [...HERE.map((name) => join(cwd, name)), join(folder, "nestcall", "mcp.json")];
}

export function findConfig(named: string | undefined, env: NodeJS.ProcessEnv): FoundConfig | undefined {
  if (named !== undefined) return { path: named, isNamed: true };
  const path = configPlaces(env).find((place) => existsSync(place));
  if (path === undefined) return undefined;
  const near = relative(process.cwd(), path);
  return { path: near.startsWith("..") ? path : near, isNamed: false };
}

/** @throws UsageError when there is none. */
export function needConfig(named: string | undefined, env: NodeJS.ProcessEnv): FoundConfig {
  const found = findConfig(named, env);
  if (found !== undefined) return found;
  const example =
    '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] } } }';
  throw new UsageError(
    `There is no configuration: name one with --config FILE. None of these is there:\n${configPlaces(env)
      .map((place) => `  ${place}`)
      .join("\n")}\nOne looks like this: ${example}`,
  );
}
