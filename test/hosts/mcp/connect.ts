// Connections to servers under test, which end with their test.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createExecutor, type Executor } from "nestcall";
import { type ConnectMcpOptions, connectMcp, type McpConnection, type McpServerState } from "nestcall/mcp";
import { onTestFinished } from "vitest";
import { at } from "../../helpers/engine.js";

export interface Connected {
  readonly executor: Executor;
  readonly connection: McpConnection;
  readonly lines: readonly string[];
  /** The state of the server, or of the only one. */
  state(server?: string): McpServerState;
}

export function connect(servers: object, options: Partial<ConnectMcpOptions> = {}): Connected {
  const executor = options.executor === undefined ? createExecutor() : (options.executor as Executor);
  const lines: string[] = [];
  const connection = connectMcp({ mcpServers: servers }, { executor, log: (line) => lines.push(line), ...options });
  onTestFinished(async () => {
    await connection.close();
    await executor.close();
  });
  const state = (server?: string) => {
    const states = connection.servers;
    return server === undefined
      ? at(states, 0)
      : at(
          states.filter(({ name }) => name === server),
          0,
        );
  };
  return { executor, connection, lines, state };
}

/** The entry of a server that does what `plan` says; see the fixture. */
export function raw(plan: object = {}, more: object = {}): object {
  return { command: process.execPath, args: [fixture("raw-server.mjs"), JSON.stringify(plan)], ...more };
}

/** The entry of one of the official servers. */
export function official(name: string, ...args: string[]): { command: string; args: string[] } {
  const path = `../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
  return { command: process.execPath, args: [fileURLToPath(new URL(path, import.meta.url)), ...args] };
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

export function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

/** Whether the process runs; one that has ended and that nobody has collected does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform !== "linux";
  }
}
