// Every name that spans, events and metrics carry. Names without `nestcall` are those of OpenTelemetry's semantic
// conventions: GenAI (execute_tool) and MCP, both still in development, so that a change of theirs is a change here alone.

export const ATTRIBUTE = {
  OPERATION_NAME: "gen_ai.operation.name",
  TOOL_NAME: "gen_ai.tool.name",
  TOOL_TYPE: "gen_ai.tool.type",
  TOOL_CALL_ID: "gen_ai.tool.call.id",
  /** Opt-in. */
  TOOL_CALL_ARGUMENTS: "gen_ai.tool.call.arguments",
  /** Opt-in. */
  TOOL_CALL_RESULT: "gen_ai.tool.call.result",
  ERROR_TYPE: "error.type",

  MCP_METHOD_NAME: "mcp.method.name",
  MCP_PROTOCOL_VERSION: "mcp.protocol.version",
  MCP_SESSION_ID: "mcp.session.id",
  JSONRPC_REQUEST_ID: "jsonrpc.request.id",
  RPC_RESPONSE_STATUS_CODE: "rpc.response.status_code",
  NETWORK_TRANSPORT: "network.transport",
  SERVER_ADDRESS: "server.address",
  SERVER_PORT: "server.port",

  /** `ok`, `error`, `aborted`, or `unfinished` for a call that was open when the instrumentation was taken away. */
  STATUS: "nestcall.status",
  DEPTH: "nestcall.depth",
  ARGUMENTS_BYTES: "nestcall.arguments.bytes",
  /** How long `execute` ran, without waits and guards. */
  EXECUTE_MS: "nestcall.execute_ms",
  /** How long the call waited, all waits together. */
  WAIT_MS: "nestcall.wait_ms",
  /** `files`, `lane`, `concurrency` or `approval`. */
  WAIT_REASON: "nestcall.wait.reason",
  /** The id of the call that holds what is waited for. */
  WAIT_HELD_BY: "nestcall.wait.held_by",
  /** Opt-in, with the arguments they come from. */
  WAIT_PATHS: "nestcall.wait.paths",
} as const;

export const SPAN_EVENT = { WAIT: "nestcall.wait" } as const;

export const METRIC = {
  /** From the start of a call to its end, as its span. */
  DURATION: "gen_ai.execute_tool.duration",
  CALLS: "nestcall.calls",
  OPEN_CALLS: "nestcall.calls.open",
  WAIT_DURATION: "nestcall.wait.duration",
  CONTENDED: "nestcall.leases.contended",
} as const;

export const VALUE = {
  EXECUTE_TOOL: "execute_tool",
  /** A tool whose arguments a model makes and a program runs. */
  FUNCTION: "function",
  /** Of an MCP result that says `isError`. */
  TOOL_ERROR: "tool_error",
  /** Where a name of somebody's own making would give metrics without end. */
  OTHER: "_OTHER",
  UNFINISHED: "unfinished",
} as const;

export const INSTRUMENTATION_NAME = "nestcall";
