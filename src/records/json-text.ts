// Sizes of compact JSON in UTF-8 bytes, found without building the text (R6).

const QUOTE = 34;
const BACKSLASH = 92;
const ESCAPED = /["\\\u0000-\u001f]/; // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes

/** Bytes of a JSON string, quotes included; a lone half of a pair counts as U+FFFD, which it becomes (R4). */
export function stringBytes(text: string): number {
  const { length } = text;
  if (length > 64) return longStringBytes(text);
  let bytes = length + 2;
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) bytes += escapeBytes(unit);
    } else if (unit < 0x800) {
      bytes += 1;
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes += 2;
    } else {
      // A pair has four bytes in two units, a lone half three bytes in one.
      const isPair = unit < 0xdc00 && isLowHalf(text.charCodeAt(index + 1));
      bytes += 2;
      if (isPair) index += 1;
    }
  }
  return bytes;
}

function longStringBytes(text: string): number {
  let bytes = Buffer.byteLength(text) + 2;
  if (!ESCAPED.test(text)) return bytes;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) bytes += escapeBytes(unit);
  }
  return bytes;
}

/** What escaping adds to the one byte of the character itself: `\n` and its like one, `\u0001` five. */
function escapeBytes(unit: number): number {
  if (unit === QUOTE || unit === BACKSLASH) return 1;
  return unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 1 : 5;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff; // NaN, past the end, is no half
}

/** Bytes of a JSON number; `null` stands for what JSON cannot hold. */
export function numberBytes(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  return Number.isFinite(value) ? String(value).length : 4;
}
