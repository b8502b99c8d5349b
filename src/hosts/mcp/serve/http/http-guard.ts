// Who may speak to the server at all. A page in a browser can send requests to this machine, and by a name that it makes lead
// here; so both the name that was called and the page that calls are looked at, and then the token.
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { type HttpSettings, isOwnMachine } from "./http-options.js";

interface AskedBy {
  readonly method: string | undefined;
  readonly host: string | null;
  readonly origin: string | null;
  readonly authorization: string | null;
}
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}
export type HttpGuard = (asked: AskedBy) => Refusal | undefined;

export function httpGuard({ host, token, allowedHosts, allowedOrigins }: HttpSettings): HttpGuard {
  const isEveryAddress = host === "0.0.0.0" || host === "::";
  const own = isOwnMachine(host) ? [] : isEveryAddress ? [hostname()] : [bracketed(host)];
  const hosts = [...localhostAllowedHostnames(), ...own, ...allowedHosts].map((name) => name.toLowerCase());
  const origins = [...(isOwnMachine(host) ? localhostAllowedHostnames() : own), ...allowedOrigins];
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  return (asked) => {
    if (!isKnownHost(asked.host, hosts, isEveryAddress))
      return { status: 403, message: foreign("Host", "allowedHosts") };
    if (!validateOriginHeader(asked.origin, origins).ok) {
      return { status: 403, message: foreign("Origin", "allowedOrigins") };
    }
    // Browsers ask beforehand without a token, and are told nothing but what may be sent.
    if (expected === undefined || asked.method === "OPTIONS") return undefined;
    if (timingSafeEqual(digest(oneScheme(asked.authorization ?? "")), expected)) return undefined;
    return { status: 401, message: "This server wants its token: Authorization: Bearer <token>." };
  };
}

/** An address is what it is; only a name can be made to lead here by somebody else. */
function isKnownHost(header: string | null, hosts: string[], isEveryAddress: boolean): boolean {
  const checked = validateHostHeader(header, hosts);
  if (checked.ok || !isEveryAddress || checked.hostname === undefined) return checked.ok;
  return isIP(checked.hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** RFC 9110: the name of a scheme is the same in upper and lower case. */
function oneScheme(authorization: string): string {
  return authorization.replace(/^bearer +/i, "Bearer ");
}

function foreign(header: string, option: string): string {
  return `This server is not called by that ${header}; the option http.${option} can name it.`;
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
