// The tools of the servers as plain JSON, so that they can be there before any server has started (E18).

import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";

/** A tool as its server listed it. */
export interface McpListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface McpServerSnapshot {
  readonly instructions?: string;
  readonly tools: readonly McpListedTool[];
}

export interface McpToolSnapshot {
  readonly version: 1;
  readonly servers: Readonly<Record<string, McpServerSnapshot>>;
}

/**
 * A snapshot as it comes from a file. The tools in it are looked at as those of a server are.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for what is no snapshot.
 */
export function readSnapshot(snapshot: unknown): McpToolSnapshot {
  const { version, servers } = isObject(snapshot) ? snapshot : {};
  if (version !== 1 || !isObject(servers)) {
    throw wrong(
      `connectMcp: options.snapshot must be what connection.snapshot() gave; it is ${describeValue(snapshot)}.`,
    );
  }
  for (const [server, one] of Object.entries(servers)) {
    const { tools, instructions } = isObject(one) ? one : {};
    const isGood = Array.isArray(tools) && (instructions === undefined || typeof instructions === "string");
    if (!isGood) throw wrong(`connectMcp: options.snapshot.servers.${server} must be { tools, instructions? }.`);
  }
  return snapshot as unknown as McpToolSnapshot; // asked above, but for each tool, which admitTools asks
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
