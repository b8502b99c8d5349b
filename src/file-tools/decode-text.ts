// Bytes of a file as text, when they are text.
import { isUtf8 } from "node:buffer";

export type DecodedText =
  | { readonly kind: "text"; readonly text: string; readonly hasByteOrderMark: boolean }
  /** Why it is not: half a sentence. */
  | { readonly kind: "binary"; readonly reason: string };

/** The same in a string. */
export const BYTE_ORDER_MARK = "\uFEFF";

/**
 * UTF-8 without NUL, or the reason why it is not; a byte order mark is told, not part of the text.
 *
 * @param isBeginning - Whether the file begins with these bytes: later on, U+FEFF is a character as others are.
 */
export function decodeText(bytes: Buffer, isBeginning = true): DecodedText {
  const reason = whyBinary(bytes, isBeginning);
  if (reason !== undefined) return { kind: "binary", reason };
  if (!isUtf8(bytes))
    return { kind: "binary", reason: "it is not valid UTF-8, so it is no text or in another encoding" };
  const text = bytes.toString("utf8");
  const hasByteOrderMark = isBeginning && text.startsWith(BYTE_ORDER_MARK);
  return { kind: "text", text: hasByteOrderMark ? text.slice(1) : text, hasByteOrderMark };
}

/** What bytes show at once that are no UTF-8 text: half a sentence. */
export function whyBinary(bytes: Buffer, isBeginning: boolean): string | undefined {
  const [first, second] = bytes;
  const looksLikeUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isBeginning && looksLikeUtf16) return "it looks like UTF-16, and only UTF-8 text can be used";
  return bytes.includes(0) ? "it holds NUL bytes, so it is no text" : undefined;
}

/** Without the bytes of a code point that the end of the buffer cuts through. */
export function trimToCodePoint(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number; // back is at most the length
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue; // inside of a code point
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < wanted ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
