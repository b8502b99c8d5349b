// One server's entry of a configuration, checked. What is wrong with it is told, never guessed at.
import { describeValue } from "../../errors/text.js";
import { closestNames } from "../../tools/closest-names.js";
import { quotedText } from "../../tools/place-text.js";
import { type Environment, fillVariables } from "./fill-variables.js";
import type { McpProtocol, McpServerEntry } from "./mcp-config.js";

/** What is wrong, with its place; caught where the entry is read. */
class EntryProblem extends Error {}

const DEFAULT_TIMEOUT_MS = 60_000;
/** setTimeout turns a longer time into 1 ms. */
const MAX_TIMEOUT_MS = 2_147_483_647;
const COMMON_KEYS = ["type", "timeoutMs", "protocol", "disabled", "enabled"];
const STDIO_KEYS = ["command", "args", "env", "cwd"];
const HTTP_KEYS = ["url", "headers"];
const KNOWN_KEYS = [...COMMON_KEYS, ...STDIO_KEYS, ...HTTP_KEYS];
const HTTP_TYPES = ["http", "streamable-http", "streamableHttp"];
const AS_VARIABLE = `as \${NAME}`;
/** Keys of other clients whose meaning would be lost without a word. */
const FOREIGN_KEYS: Readonly<Record<string, string>> = {
  alwaysAllow: "say it in the policy of this file: policy.allow",
  autoApprove: "say it in the policy of this file: policy.allow",
  disabledTools: "say it in the policy of this file: policy.deny",
  envFile: `write the variables into env, ${AS_VARIABLE} where they are secret`,
  oauth: `give the token in headers: Authorization, ${AS_VARIABLE}`,
  auth: `give the token in headers: Authorization, ${AS_VARIABLE}`,
  headersHelper: `write the headers into headers, ${AS_VARIABLE} where they are secret`,
};

type Given = Readonly<Record<string, unknown>>;

export function readEntry(name: string, given: unknown, environment: Environment): McpServerEntry | string {
  try {
    return new EntryReader(name, environment).read(given);
  } catch (error) {
    if (error instanceof EntryProblem) return error.message;
    throw error;
  }
}

class EntryReader {
  readonly #name: string;
  readonly #environment: Environment;

  constructor(name: string, environment: Environment) {
    this.#name = name;
    this.#environment = environment;
  }

  read(given: unknown): McpServerEntry {
    if (this.#name.trim() === "") throw new EntryProblem("a server needs a name that is not empty");
    if (!isObject(given))
      throw new EntryProblem(`must be an object with command or url; it is ${describeValue(given)}`);
    this.#checkKeys(given);
    const transport = this.#transportOf(given);
    const base = {
      name: this.#name,
      timeoutMs: this.#timeoutOf(given),
      protocol: this.#protocolOf(given) ?? (transport === "stdio" ? "legacy" : "auto"),
      isDisabled: this.#flag(given, "disabled") === true || this.#flag(given, "enabled") === false,
    };
    if (transport === "http") {
      const url = this.#urlOf(given);
      return Object.freeze({ ...base, transport, url, headers: this.#textsBy(given, "headers") });
    }
    const command = this.#text("command", given.command);
    const cwd = given.cwd === undefined ? undefined : this.#text("cwd", given.cwd);
    return Object.freeze({
      ...base,
      transport,
      command,
      args: this.#argsOf(given),
      env: this.#textsBy(given, "env"),
      cwd,
    });
  }

  #checkKeys(given: Given): void {
    const unknown = Object.keys(given).find((key) => !KNOWN_KEYS.includes(key));
    if (unknown === undefined) return;
    const foreign = Object.hasOwn(FOREIGN_KEYS, unknown) ? FOREIGN_KEYS[unknown] : undefined;
    const [close] = closestNames(unknown, KNOWN_KEYS, 1);
    const guess = close === undefined ? `known are ${KNOWN_KEYS.join(", ")}` : `did you mean "${close}"?`;
    throw new EntryProblem(`has the key ${quotedText(unknown, 60)}, which is not known here; ${foreign ?? guess}`);
  }

  #transportOf(given: Given): "stdio" | "http" {
    const { type, command, url } = given;
    if (type === "sse") {
      throw new EntryProblem(
        `has the type "sse", which is no longer spoken; give the server's streamable HTTP address with type "http"`,
      );
    }
    if (type !== undefined && type !== "stdio" && !HTTP_TYPES.includes(type as string)) {
      throw new EntryProblem(`has the type ${describeValue(type)}; known are "stdio" and "http"`);
    }
    if (command !== undefined && url !== undefined) {
      throw new EntryProblem("has both command and url; a server is either a program or an address");
    }
    if (command === undefined && url === undefined)
      throw new EntryProblem("needs a command (a program) or a url (an address)");
    const transport = command === undefined ? "http" : "stdio";
    if (type !== undefined && (type === "stdio") !== (transport === "stdio")) {
      throw new EntryProblem(
        `has the type ${describeValue(type)}, but ${command === undefined ? "a url" : "a command"}`,
      );
    }
    const misplaced = (transport === "stdio" ? HTTP_KEYS : STDIO_KEYS).find((key) => given[key] !== undefined);
    if (misplaced === undefined) return transport;
    throw new EntryProblem(
      `has ${misplaced}, which a server with a ${transport === "stdio" ? "command" : "url"} does not take`,
    );
  }

  #timeoutOf({ timeoutMs = DEFAULT_TIMEOUT_MS }: Given): number {
    if (typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
    throw new EntryProblem(
      `has a timeoutMs that is ${describeValue(timeoutMs)}; wanted is a number of milliseconds above 0 and at most ${MAX_TIMEOUT_MS}`,
    );
  }

  #protocolOf({ protocol }: Given): McpProtocol | undefined {
    if (protocol === undefined || protocol === "legacy" || protocol === "modern" || protocol === "auto")
      return protocol;
    throw new EntryProblem(
      `has a protocol that is ${describeValue(protocol)}; known are "legacy", "modern" and "auto"`,
    );
  }

  #flag(given: Given, key: string): boolean | undefined {
    const value = given[key];
    if (value === undefined || typeof value === "boolean") return value;
    throw new EntryProblem(`has a key ${key} that is ${describeValue(value)}; wanted is true or false`);
  }

  #urlOf(given: Given): string {
    const url = this.#text("url", given.url);
    const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
    if (protocol === "http:" || protocol === "https:") return url;
    // Not shown as filled in: an address may carry a secret.
    throw new EntryProblem(`has a url that is no http or https address: ${describeValue(given.url)}`);
  }

  #argsOf({ args = [] }: Given): readonly string[] {
    if (!Array.isArray(args))
      throw new EntryProblem(`has args that are ${describeValue(args)}; wanted is a list of texts`);
    return Object.freeze(args.map((arg: unknown, index) => this.#text(`args[${index}]`, arg, true)));
  }

  #textsBy(given: Given, key: string): Readonly<Record<string, string>> {
    const values = given[key] ?? {};
    if (!isObject(values))
      throw new EntryProblem(`has ${key} that is ${describeValue(values)}; wanted is an object of texts`);
    const filled = Object.entries(values).map(([name, value]) => [name, this.#text(`${key}.${name}`, value, true)]);
    return Object.freeze(Object.fromEntries(filled) as Record<string, string>); // each value is a text, see #text
  }

  #text(place: string, value: unknown, mayBeEmpty = false): string {
    if (typeof value !== "string") throw new EntryProblem(`${place} must be a text; it is ${describeValue(value)}`);
    if (value.includes("\0")) throw new EntryProblem(`${place} contains a NUL character`);
    const filled = fillVariables(value, this.#environment);
    if (filled.problem !== undefined) throw new EntryProblem(`${place} ${filled.problem}`);
    if (filled.text.trim() === "" && !mayBeEmpty) throw new EntryProblem(`${place} must not be empty`);
    return filled.text;
  }
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
