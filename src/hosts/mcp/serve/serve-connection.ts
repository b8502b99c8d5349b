// One client over one wire: stdin and stdout, or a transport that the host gave. The first message decides the protocol.
import type { Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { MCP_LIMITS } from "../limits.js";
import { makeServer } from "./make-server.js";
import type { McpService } from "./mcp-service.js";
import { ownStdout } from "./own-stdout.js";
import type { McpServing } from "./serve-options.js";

export function serveProcess(service: McpService): McpServing {
  const { stream, release } = ownStdout();
  const options = { maxBufferSize: MCP_LIMITS.messageBytes };
  return serveConnection(service, new StdioServerTransport(process.stdin, stream, options), release);
}

export function serveConnection(service: McpService, transport: Transport, release = () => {}): McpServing {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const handle = serveStdio(({ era }) => makeServer(service, { era, isLasting: true }).server, {
    transport: noticeEnd(transport, end),
    onerror: (error) => service.log(`MCP: ${error.message}`),
  });
  const closed = ended.then(() => service.close()).finally(release);
  const close = async () => {
    await service.close(); // the client is answered first
    await handle.close();
    await closed;
  };
  return { url: undefined, fetch: undefined, closed, close };
}

/** The SDK takes the events of a transport for itself; who waits for its end has to stand between. */
function noticeEnd(inner: Transport, end: () => void): Transport {
  const outer: Transport = {
    start() {
      inner.onclose = () => {
        outer.onclose?.();
        end();
      };
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onmessage = (message, extra) => outer.onmessage?.(message, extra);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  return outer;
}
