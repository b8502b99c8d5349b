// The tools of an executor for MCP clients (DESIGN 8, 8.1).
import type { Executor } from "../../../executor/create-executor.js";
import type { McpServing, ServeMcpOptions } from "./serve-options.js";

/**
 * Shows the active tools of an executor over MCP, in both of its protocols, and runs the calls of its clients. Resolves
 * once clients can come.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted.
 */
export async function serveMcp(executor: Executor, options: ServeMcpOptions): Promise<McpServing> {
  void executor;
  void options;
  throw new Error("serveMcp is on its way");
}
