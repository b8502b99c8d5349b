// The servers of a configuration file, in the form of Claude, Cursor and Pi (`mcpServers`) or of VS Code (`servers`).
import { readFile } from "node:fs/promises";
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../../errors/text.js";
import { closestNames } from "../../tools/closest-names.js";
import { oneLine, quotedText } from "../../tools/place-text.js";
import { readEntry } from "./config-entry.js";
import type { Environment } from "./fill-variables.js";
import type { McpConfig, McpConfigProblem, McpServerEntry } from "./mcp-config.js";

export interface ReadMcpConfigOptions {
  /** Where it comes from, for messages. Default `the MCP configuration`. */
  readonly source?: string;
  /** Where `${NAME}` is looked up. Default `process.env`. */
  readonly environment?: Environment;
  /** Keys beside the servers that the caller reads itself, such as `policy`. Any other is an error. */
  readonly otherKeys?: readonly string[];
}

const SERVER_KEYS = ["mcpServers", "servers"];
/** They mean nothing here and hide nothing: a `${input:…}` that is used is an error of its entry. */
const IGNORED_KEYS = ["$schema", "inputs"];

const read = new WeakSet<object>();

export function isMcpConfig(value: unknown): value is McpConfig {
  return typeof value === "object" && value !== null && read.has(value);
}

/**
 * Takes a configuration in. An entry with a mistake is skipped and reported; the others work.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for what is no configuration at all, and for an unknown key beside the servers.
 */
export function readMcpConfig(definition: unknown, options: ReadMcpConfigOptions = {}): McpConfig {
  const { source = "the MCP configuration", environment = process.env, otherKeys = [] } = options;
  if (!isObject(definition))
    throw wrong(`${source} must be an object with mcpServers; it is ${describeValue(definition)}.`);
  checkKeys(source, definition, [...SERVER_KEYS, ...IGNORED_KEYS, ...otherKeys]);
  const servers: McpServerEntry[] = [];
  const problems: McpConfigProblem[] = [];
  const seen = new Set<string>();
  for (const [name, given] of entriesOf(source, definition)) {
    const isRepeated = seen.has(name);
    seen.add(name);
    const entry = isRepeated ? "stands in both mcpServers and servers" : readEntry(name, given, environment);
    if (typeof entry !== "string") servers.push(entry);
    else problems.push({ server: name, message: oneLine(`${source}: server ${quotedText(name, 80)}: ${entry}.`) });
  }
  const config = Object.freeze({ source, servers: Object.freeze(servers), problems: Object.freeze(problems) });
  read.add(config);
  return config;
}

/**
 * As `readMcpConfig`, from a JSON file.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` also for a file that cannot be read or is no JSON.
 */
export async function readMcpConfigFile(
  path: string,
  options: Omit<ReadMcpConfigOptions, "source"> = {},
): Promise<McpConfig> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw wrong(`${path} cannot be read: ${thrownText(cause)}`, cause);
  }
  let definition: unknown;
  try {
    definition = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw wrong(`${path} is no JSON: ${oneLine(shortenText(thrownText(cause), 200))}`, cause);
  }
  return readMcpConfig(definition, { ...options, source: path });
}

function entriesOf(source: string, definition: Readonly<Record<string, unknown>>): [string, unknown][] {
  const given = SERVER_KEYS.filter((key) => definition[key] !== undefined);
  if (given.length === 0)
    throw wrong(`${source} has no servers; write them into mcpServers: { "name": { "command": … } }.`);
  return given.flatMap((key) => {
    const servers = definition[key];
    if (isObject(servers)) return Object.entries(servers);
    throw wrong(`${source}: ${key} must be an object of servers by name; it is ${describeValue(servers)}.`);
  });
}

function checkKeys(source: string, definition: object, known: readonly string[]): void {
  const unknown = Object.keys(definition).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [close] = closestNames(unknown, known, 1);
  const hint = close === undefined ? `known are ${known.join(", ")}` : `did you mean "${close}"?`;
  throw wrong(`${source} has the key ${quotedText(unknown, 60)}, which is not known here; ${hint}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(message: string, cause?: unknown): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message, cause === undefined ? undefined : { cause });
}
