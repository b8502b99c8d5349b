// Texts that are kept within a bound, and that keep nothing else alive.
import { cutText } from "../../errors/text.js";

/** V8 keeps the whole of a text alive for a slice of it from this length on. */
const SLICE_UNITS = 13;

/** The text, its beginning when it has more than `maxBytes` UTF-8 bytes. */
export function cutToBytes(text: string, maxBytes: number): string {
  const room = Math.max(0, maxBytes);
  // No code unit takes less than a byte, so what lies beyond cannot be in it.
  const bytes = Buffer.from(cutText(text, room));
  let end = Math.min(room, bytes.length);
  while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** The same text with a memory of its own: a tool's result is often a slice of something large. */
export function ownText(text: string): string {
  return text.length < SLICE_UNITS ? text : `${text} `.slice(0, -1);
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
