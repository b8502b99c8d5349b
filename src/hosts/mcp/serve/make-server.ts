// One server of the SDK for one connection, or for one request of the newer protocol over HTTP.
import { type Implementation, Server } from "@modelcontextprotocol/server";
import { answerCall, type ProtocolEra } from "./answer-call.js";
import { ClientConnection } from "./client-connection.js";
import { listTools } from "./listed-tools.js";
import type { McpService } from "./mcp-service.js";

export interface MakeServerOptions {
  readonly era: ProtocolEra;
  /** Whether the connection lasts: its end ends the calls that it began, and it is told when the tools change. */
  readonly isLasting: boolean;
}

export interface MadeServer {
  readonly server: Server;
  readonly connection: ClientConnection;
}

export function makeServer(service: McpService, { era, isLasting }: MakeServerOptions): MadeServer {
  const { serverInfo, instructions, executor, session } = service.options;
  const server = new Server(serverInfo as Implementation, {
    capabilities: { tools: { listChanged: true } },
    ...(instructions === undefined ? {} : { instructions }),
  });
  const connection = new ClientConnection();
  const served = { service, connection, server, era };
  server.setRequestHandler("tools/list", async () => {
    await service.prepareList();
    return { tools: listTools(executor.registry, session, (line) => service.log(line)) };
  });
  server.setRequestHandler("tools/call", ({ params }, ctx) => answerCall(served, params, ctx));
  server.onerror = (error) => service.log(`MCP: ${error.message}`);
  if (isLasting) keepConnection(service, connection, server, era);
  return { server, connection };
}

function keepConnection(service: McpService, connection: ClientConnection, server: Server, era: ProtocolEra): void {
  let stopTelling = () => {};
  const tell = () => {
    stopTelling = service.onToolsChanged(() => void server.sendToolListChanged().catch(() => {})); // it may have gone just now
  };
  if (era === "modern") tell();
  else server.oninitialized = tell; // nothing may be sent before
  server.onclose = () => {
    stopTelling();
    service.endConnection(connection, "the client has ended the connection");
  };
}
