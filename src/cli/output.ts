// What goes where: data to stdout, all else to stderr; and how it may look there.
import { safeLine, safeText } from "../errors/safe-text.js";
import { ownStdout } from "../hosts/mcp/serve/own-stdout.js";

let write: typeof process.stdout.write = process.stdout.write.bind(process.stdout);

/** From now on only what this module writes goes to stdout; what tool files print goes to stderr. */
export function ownOutput(): void {
  ({ write } = ownStdout());
}

/** Calls `done` once stdout has taken everything. */
export function flushOut(done: () => void): void {
  write("", () => done());
}

export function writeOut(text: string): void {
  write(text.endsWith("\n") ? text : `${text}\n`);
}

/** What a tool or a script gave: as it is for a program, harmless for a terminal. */
export function writeForeign(text: string): void {
  writeOut(process.stdout.isTTY === true ? safeText(text) : text);
}

/** What a tool said of its failure. */
export function noteForeign(text: string): void {
  const shown = process.stderr.isTTY === true ? safeText(text) : text;
  process.stderr.write(`${shown.trimEnd()}\n`);
}

// What JSON leaves as it is and a terminal obeys, or shows in another order.
const UNSAFE_IN_JSON = /[\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

export function writeJson(value: unknown): void {
  const json = `${JSON.stringify(value, undefined, 2)}\n`;
  const escapeOf = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  write(process.stdout.isTTY === true ? json.replace(UNSAFE_IN_JSON, escapeOf) : json);
}

/** One line for people; nothing in it can act on a terminal. */
export function note(line: string): void {
  process.stderr.write(`${safeLine(line)}\n`);
}

export function hasColors(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, TERM } = process.env;
  return stream.isTTY === true && TERM !== "dumb" && (NO_COLOR === undefined || NO_COLOR === "");
}

/** How wide a text on stdout may be; a pipe has no width. */
export function outWidth(): number {
  return process.stdout.isTTY === true ? Math.max(40, process.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
}
