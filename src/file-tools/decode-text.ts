// Bytes of a file as text, when they are text.
import { isUtf8 } from "node:buffer";

export type DecodedText =
  | { readonly kind: "text"; readonly text: string; readonly hasByteOrderMark: boolean }
  /** Why it is not: half a sentence. */
  | { readonly kind: "binary"; readonly reason: string };

/** The same in a string. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** UTF-8 without NUL, or the reason why it is not; a byte order mark is told, not part of the text. */
export function decodeText(bytes: Buffer): DecodedText {
  const [first, second] = bytes;
  const looksLikeUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (looksLikeUtf16) return { kind: "binary", reason: "it looks like UTF-16, and only UTF-8 text can be used" };
  if (bytes.includes(0)) return { kind: "binary", reason: "it holds NUL bytes, so it is no text" };
  if (!isUtf8(bytes))
    return { kind: "binary", reason: "it is not valid UTF-8, so it is no text or in another encoding" };
  const text = bytes.toString("utf8");
  const hasByteOrderMark = text.startsWith(BYTE_ORDER_MARK);
  return { kind: "text", text: hasByteOrderMark ? text.slice(1) : text, hasByteOrderMark };
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
