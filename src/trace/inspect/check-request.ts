// Who may ask. A page of the world can send requests to this machine from a person's browser, under a name that leads here
// (DNS rebinding) or under its own; neither gets an answer.
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { InspectSettings } from "./inspect-options.js";

export interface Refusal {
  readonly status: 403 | 405;
  readonly text: string;
}

/** @param port - The one that is listened to. */
export function checkRequest(
  request: IncomingMessage,
  url: URL,
  settings: InspectSettings,
  port: number,
): Refusal | undefined {
  const { host = "", origin } = request.headers;
  const { isLoopback, token } = settings;
  if (request.method !== "GET") return { status: 405, text: "This server only shows.\n" };
  if (isLoopback && !isOwnHost(host, settings.host, port))
    return { status: 403, text: `This server does not go by the name "${printable(host)}".\n` };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, text: "This server answers no page but its own.\n" };
  if (token !== undefined && !isSameText(url.searchParams.get("token") ?? "", token))
    return { status: 403, text: "The token is missing or wrong; it is part of the URL that was printed.\n" };
  return undefined;
}

function isOwnHost(host: string, own: string, port: number): boolean {
  const names = ["127.0.0.1", "localhost", "[::1]", own.includes(":") ? `[${own}]` : own];
  return names.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 100);
}
