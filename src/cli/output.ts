// What goes where: data to stdout, all else to stderr; and how it may look there.
import { safeLine } from "../errors/safe-text.js";

export function writeOut(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

export function writeJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
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
