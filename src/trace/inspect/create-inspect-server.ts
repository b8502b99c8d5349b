// A page on this machine that shows the latest root calls of a collector while they run.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pageHtml } from "../page/page-html.js";
import { checkRequest } from "./check-request.js";
import { EventStreams } from "./event-streams.js";
import { type InspectServerOptions, type InspectSettings, inspectSettings } from "./inspect-options.js";
import { LiveTrace } from "./live-trace.js";

export interface InspectServer {
  /** Where the page is; with the token, when there is one. */
  readonly url: string;
  readonly port: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

/**
 * Serves the trace page of a collector's root calls, kept up to date by server-sent events. Requests under other names than
 * this machine's own, and from other pages, get 403.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a wrong option.
 * @throws Node's own error when the port cannot be listened to (`EADDRINUSE`).
 */
export async function createInspectServer(options: InspectServerOptions): Promise<InspectServer> {
  const settings = inspectSettings(options);
  const { collector, registry, savedTokens } = options;
  const streams = new EventStreams(new LiveTrace({ collector, registry, savedTokens }), collector);
  const server = createServer((request, response) => answer(request, response, { settings, streams, server }));
  try {
    await listen(server, settings);
  } catch (error) {
    streams.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo; // it listens to a port
  return Object.freeze({ url: urlOf(settings, port), port, close: () => close(server, streams) });
}

interface Answering {
  readonly settings: InspectSettings;
  readonly streams: EventStreams;
  readonly server: Server;
}

function answer(request: IncomingMessage, response: ServerResponse, { settings, streams, server }: Answering): void {
  const { port } = server.address() as AddressInfo; // it listens to a port
  const url = urlOfRequest(request);
  const refusal = checkRequest(request, url, settings, port);
  if (refusal !== undefined) sendText(response, refusal.status, "text/plain", refusal.text);
  else if (url.pathname === "/") sendText(response, 200, "text/html", livePage(settings.title));
  else if (url.pathname === "/events") openStream(response, streams);
  else sendText(response, 404, "text/plain", "There is nothing here.\n");
}

/** A target that is no URL leads nowhere. */
function urlOfRequest({ url = "/" }: IncomingMessage): URL {
  const base = "http://localhost";
  return URL.canParse(url, base) ? new URL(url, base) : new URL("/nowhere", base);
}

function livePage(title: string): string {
  return pageHtml({ title, source: "events", hasClock: true, roots: [], dropped: 0, notes: [], isLive: true });
}

const SAFE_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  // What a page's own policy cannot say.
  "Content-Security-Policy": "frame-ancestors 'none'",
};

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...SAFE_HEADERS, "Content-Type": `${type}; charset=utf-8` });
  response.end(text);
}

function openStream(response: ServerResponse, streams: EventStreams): void {
  response.writeHead(200, { ...SAFE_HEADERS, "Content-Type": "text/event-stream; charset=utf-8" });
  streams.add(response);
}

function listen(server: Server, { port, host }: InspectSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function urlOf({ host, token }: InspectSettings, port: number): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}/${token === undefined ? "" : `?token=${encodeURIComponent(token)}`}`;
}

function close(server: Server, streams: EventStreams): Promise<void> {
  streams.close();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
