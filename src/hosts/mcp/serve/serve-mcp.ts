// The tools of an executor for MCP clients (DESIGN 8, 8.1). The SDK is loaded when it is called, not with the package's entry.
import { ErrorCode } from "../../../errors/error-code.js";
import { NestcallError } from "../../../errors/nestcall-error.js";
import { describeValue, shortenText } from "../../../errors/text.js";
import type { Executor } from "../../../executor/create-executor.js";
import { closestNames } from "../../../tools/closest-names.js";
import { checkTracing } from "../mcp-tracing.js";
import { ownInfo } from "../own-info.js";
import { readHttpOptions } from "./http/http-options.js";
import { deskOf } from "./mcp-approvals.js";
import { McpService } from "./mcp-service.js";
import type { McpServing, ServeMcpOptions } from "./serve-options.js";

/**
 * Shows the active tools of an executor over MCP, in both of its protocols, and runs the calls of its clients. Resolves
 * once clients can come.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted.
 */
export async function serveMcp(executor: Executor, options: ServeMcpOptions): Promise<McpServing> {
  checkOptions(executor, options);
  const { transport, http, approvals } = options;
  const desk = deskOf(approvals);
  const httpOptions = http === undefined || http === false ? undefined : readHttpOptions(http === true ? {} : http);
  if (httpOptions !== undefined) {
    const { serveHttp } = await import("./http/serve-http.js");
    return serveHttp(serviceOf(executor, options, desk), httpOptions);
  }
  const { serveConnection, serveProcess } = await import("./serve-connection.js");
  const service = serviceOf(executor, options, desk);
  return transport === undefined ? serveProcess(service) : serveConnection(service, transport);
}

function serviceOf(executor: Executor, options: ServeMcpOptions, desk: ReturnType<typeof deskOf>): McpService {
  const {
    session = executor.registry.session,
    serverInfo = ownInfo(),
    instructions,
    beforeList,
    tracing,
    log = () => {},
  } = options;
  executor.registry.declarations(session); // a session of another executor is refused here
  const observed = (line: string) => executor.registry.observe(log, line);
  return new McpService({ executor, session, desk, serverInfo, instructions, beforeList, tracing, log: observed });
}

const WAYS = ["stdio", "transport", "http"] as const;
const KNOWN: readonly string[] = [
  ...WAYS,
  "session",
  "approvals",
  "serverInfo",
  "instructions",
  "beforeList",
  "tracing",
  "log",
];

function checkOptions(executor: unknown, options: unknown): void {
  if (typeof (executor as Executor | undefined)?.executeBatch !== "function")
    throw wrong(`its first argument must be an executor, not ${describeValue(executor)}`);
  if (typeof options !== "object" || options === null)
    throw wrong(`its options must be an object, not ${describeValue(options)}`);
  const given = options as { readonly [name: string]: unknown };
  const unknown = Object.keys(given).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw wrong(unknownText(unknown));
  const ways = WAYS.filter((way) => given[way] !== undefined && given[way] !== false);
  if (ways.length !== 1)
    throw wrong(`give one of stdio, transport and http; it got ${ways.length === 0 ? "none" : ways.join(" and ")}`);
  const { transport, log, instructions, beforeList } = given;
  if (transport !== undefined && typeof (transport as { readonly start?: unknown } | null)?.start !== "function")
    throw wrong(`options.transport must be a transport of the MCP SDK, not ${describeValue(transport)}`);
  checkTracing("serveMcp", given.tracing);
  if (log !== undefined && typeof log !== "function")
    throw wrong(`options.log must be a function, not ${describeValue(log)}`);
  if (beforeList !== undefined && typeof beforeList !== "function")
    throw wrong(`options.beforeList must be a function, not ${describeValue(beforeList)}`);
  if (instructions !== undefined && typeof instructions !== "string")
    throw wrong(`options.instructions must be a text, not ${describeValue(instructions)}`);
}

function unknownText(name: string): string {
  const [close] = closestNames(name, KNOWN, 1);
  const hint = close === undefined ? `known are ${KNOWN.join(", ")}` : `did you mean "${close}"?`;
  return `options has no "${shortenText(name, 60)}"; ${hint}`;
}

function wrong(problem: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `serveMcp: ${problem}.`);
}
