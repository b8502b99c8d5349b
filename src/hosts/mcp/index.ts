export { connectMcp } from "./connect-mcp.js";
export {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type GatewayServeOptions,
} from "./gateway/create-gateway.js";
export {
  type GatewayConfig,
  type ReadGatewayConfigOptions,
  readGatewayConfig,
  readGatewayConfigFile,
} from "./gateway/gateway-config.js";
export type { GatewayReport, GatewayServerReport, GatewayToolReport } from "./gateway/gateway-report.js";
export { MCP_LIMITS } from "./limits.js";
export type {
  McpConfig,
  McpConfigProblem,
  McpHttpEntry,
  McpProtocol,
  McpServerEntry,
  McpStdioEntry,
} from "./mcp-config.js";
export type {
  ConnectMcpOptions,
  McpConnection,
  McpLeftOutTool,
  McpServerState,
  McpServerStatus,
  McpToolOrigin,
  McpToolState,
} from "./mcp-connection.js";
export type { McpTracedCall, McpTracedRequest, McpTracing } from "./mcp-tracing.js";
export { type ReadMcpConfigOptions, readMcpConfig, readMcpConfigFile } from "./read-config.js";
export { type McpApprovals, type McpApprovalsOptions, mcpApprovals } from "./serve/mcp-approvals.js";
export { serveMcp } from "./serve/serve-mcp.js";
export type { McpHttpOptions, McpServing, ServeMcpOptions } from "./serve/serve-options.js";
export type { McpListedTool, McpServerSnapshot, McpToolSnapshot } from "./tool-snapshot.js";
