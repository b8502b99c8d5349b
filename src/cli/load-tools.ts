// The tools of a TypeScript or JavaScript file (8.1): every exported tool, and a default list. The file finds this very
// nestcall under its name, installed or not.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { shortenText, thrownText } from "../errors/text.js";
import { defineTool, isDefinedTool } from "../tools/define-tool.js";
import type { Tool } from "../tools/tool.js";
import { UsageError } from "./exit.js";

/** @throws UsageError for a file that cannot be loaded or has no tool, NestcallError `INVALID_TOOL` for a bad one. */
export async function loadTools(paths: readonly string[]): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  for (const path of paths) tools.push(...(await toolsOf(path)));
  return tools;
}

async function toolsOf(path: string): Promise<readonly Tool[]> {
  const exported = await load(path);
  const found = new Set<Tool>();
  for (const value of Object.values(exported)) {
    for (const one of Array.isArray(value) ? value : [value]) if (isTool(one)) found.add(one);
  }
  if (found.size > 0)
    return [...found].map((tool) => (isDefinedTool(tool) ? tool : (defineTool(tool) as unknown as Tool))); // checked by defineTool
  throw new UsageError(`${path} exports no tool. Export what defineTool gives, or a default list of it.`);
}

async function load(path: string): Promise<object> {
  const file = resolve(path);
  if (!existsSync(file)) throw new UsageError(`There is no file ${path} to take tools from.`);
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, { alias: ownEntries(), interopDefault: false, fsCache: false });
  try {
    return (await jiti.import(file)) as object;
  } catch (error) {
    throw new UsageError(`${path} cannot be loaded: ${shortenText(thrownText(error), 1_000)}`, { cause: error });
  }
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== "object" || value === null) return false;
  const { name, execute, inputSchema } = value as Partial<Tool>;
  return typeof name === "string" && typeof execute === "function" && inputSchema !== undefined;
}

function ownEntries(): Record<string, string> {
  const root = new URL("../../", import.meta.url);
  const { exports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const entries = Object.entries(exports).flatMap(([key, entry]) =>
    typeof entry === "string"
      ? []
      : [[`nestcall${key.slice(1)}`, fileURLToPath(new URL(entry.default, root))] as const],
  );
  return Object.fromEntries(entries);
}
