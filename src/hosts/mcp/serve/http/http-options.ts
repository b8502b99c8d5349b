// The options of `serveMcp({ http })`, checked, with the defaults set once. An address that others can reach needs a token.
import { isIP } from "node:net";
import { ErrorCode } from "../../../../errors/error-code.js";
import { NestcallError } from "../../../../errors/nestcall-error.js";
import { describeValue, shortenText } from "../../../../errors/text.js";
import { closestNames } from "../../../../tools/closest-names.js";
import type { McpHttpOptions } from "../serve-options.js";

export type HttpSettings = Required<Omit<McpHttpOptions, "token">> & { readonly token: string | undefined };

const DEFAULTS: HttpSettings = {
  port: 0,
  host: "127.0.0.1",
  token: undefined,
  path: "/mcp",
  allowedHosts: [],
  allowedOrigins: [],
  listen: true,
  sessionIdleMs: 30 * 60_000,
};
const MIN_TOKEN_CHARS = 16;

type Check = readonly [isRight: (value: unknown) => boolean, wanted: string];
const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === "string");
const CHECKS: { readonly [K in keyof McpHttpOptions]-?: Check } = {
  port: [(value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 65_536, "0 to 65,535"],
  host: [(value) => typeof value === "string" && value !== "", "an address or a name"],
  token: [
    (value) => typeof value === "string" && value.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(value),
    `a text of ${MIN_TOKEN_CHARS} or more visible ASCII characters`,
  ],
  path: [(value) => typeof value === "string" && /^\/[\w./-]*$/.test(value), "a path that begins with /"],
  allowedHosts: [isNames, "a list of host names"],
  allowedOrigins: [isNames, "a list of host names"],
  listen: [(value) => typeof value === "boolean", "true or false"],
  sessionIdleMs: [(value) => typeof value === "number" && value > 0, "milliseconds above 0"],
};

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function readHttpOptions(options: unknown): HttpSettings {
  if (typeof options !== "object" || options === null)
    throw wrong(`options.http must be true or an object, not ${describeValue(options)}`);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof McpHttpOptions] : undefined;
    if (check === undefined) throw wrong(unknownText(name));
    const [isRight, wanted] = check;
    // A token must not get into a log by its mistake.
    const shown = name === "token" ? "" : `, not ${describeValue(value)}`;
    if (!isRight(value)) throw wrong(`options.http.${name} must be ${wanted}${shown}`);
  }
  const settings: HttpSettings = { ...DEFAULTS, ...Object.fromEntries(given) };
  if (settings.token === undefined && !isOwnMachine(settings.host)) {
    const host = shortenText(settings.host, 80);
    throw wrong(`options.http.host "${host}" can be reached from other machines; give options.http.token as well`);
  }
  return settings;
}

/** Whether only programs of this machine can reach an address. */
export function isOwnMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function unknownText(name: string): string {
  const known = Object.keys(CHECKS);
  const [close] = closestNames(name, known, 1);
  const hint = close === undefined ? `known are ${known.join(", ")}` : `did you mean "${close}"?`;
  return `options.http has no "${shortenText(name, 60)}"; ${hint}`;
}

function wrong(problem: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `serveMcp: ${problem}.`);
}
