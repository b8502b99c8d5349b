// The configuration file of the gateway (DESIGN 8.1): servers, and beside them policy, exposure, limits and budgets. A
// mistake in it is an error before any server starts.
import { readFile } from "node:fs/promises";
import { ErrorCode } from "../../../errors/error-code.js";
import { NestcallError } from "../../../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../../../errors/text.js";
import { type Policy, readPolicy } from "../../../guards/policy.js";
import { oneLine, quotedText } from "../../../tools/place-text.js";
import type { McpConfig } from "../mcp-config.js";
import { type ReadMcpConfigOptions, readMcpConfig } from "../read-config.js";
import {
  type ExposureRules,
  type GatewayLimits,
  readBudgets,
  readExposure,
  readLimits,
  type ToolBudget,
} from "./config-parts.js";
import { repeatedKey } from "./repeated-key.js";

export interface GatewayConfig {
  /** Where it was read from, for messages. */
  readonly source: string;
  readonly servers: McpConfig;
  readonly policy: Policy;
  readonly exposure: ExposureRules;
  readonly limits: GatewayLimits;
  readonly budgets: readonly ToolBudget[];
}
export type ReadGatewayConfigOptions = Pick<ReadMcpConfigOptions, "source" | "environment">;

const OWN_KEYS = ["policy", "exposure", "limits", "budgets"];

/**
 * Takes a configuration in. Without servers it is one for tools of this program alone.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` that names the place; only a server's entry with a mistake is skipped and reported.
 */
export function readGatewayConfig(definition: unknown, options: ReadGatewayConfigOptions = {}): GatewayConfig {
  const { source = "the configuration" } = options;
  const servers = readMcpConfig(definition, { ...options, source, otherKeys: OWN_KEYS });
  const given = definition as { readonly [key: string]: unknown }; // readMcpConfig has asked
  const place = (key: string) => `${source}: ${key}`;
  return Object.freeze({
    source,
    servers,
    policy: readPolicy(given.policy === undefined ? {} : given.policy, place("policy")),
    exposure: readExposure(given.exposure, place("exposure")),
    limits: readLimits(given.limits, place("limits")),
    budgets: readBudgets(given.budgets, place("budgets")),
  });
}

/** As `readGatewayConfig`, from a JSON file. @throws NestcallError `INVALID_ARGUMENTS` also when it cannot be read. */
export async function readGatewayConfigFile(
  path: string,
  options: Omit<ReadGatewayConfigOptions, "source"> = {},
): Promise<GatewayConfig> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw wrong(`${path} cannot be read: ${readProblem(cause)}.`, cause);
  }
  const definition = parseJson(path, text);
  const repeated = repeatedKey(text, (top) => OWN_KEYS.includes(top));
  if (repeated !== undefined) {
    const message = `${path} has the key ${quotedText(repeated, 120)} twice; write it once, since only the last would count.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  return readGatewayConfig(definition, { ...options, source: path });
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw wrong(`${path} is no JSON: ${oneLine(shortenText(thrownText(cause), 200))}`, cause);
  }
}

function readProblem(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ENOENT") return "there is no such file";
  return code === "EISDIR" ? "it is a folder" : shortenText(thrownText(cause) || describeValue(cause), 200);
}

function wrong(message: string, cause: unknown): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message, { cause });
}
