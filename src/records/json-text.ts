// Sizes of compact JSON in UTF-8 bytes, found without building the text (R6).

const QUOTE = 34;
const BACKSLASH = 92;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f]/;
/** Bytes that each character below 128 takes inside a JSON string. */
const ASCII_BYTES = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit === QUOTE || unit === BACKSLASH) return 2;
  if (unit >= 32) return 1;
  return [8, 9, 10, 12, 13].includes(unit) ? 2 : 6;
});

/** Bytes of a JSON string, quotes included; a lone half of a pair counts as U+FFFD, which it becomes (R4). */
export function stringBytes(text: string): number {
  const { length } = text;
  if (length > 64) return longStringBytes(text);
  let bytes = 2;
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 128) return longStringBytes(text);
    bytes += ASCII_BYTES[unit] as number; // the table has every unit below 128
  }
  return bytes;
}

function longStringBytes(text: string): number {
  let bytes = Buffer.byteLength(text) + 2;
  if (!ESCAPED.test(text)) return bytes;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 128) bytes += (ASCII_BYTES[unit] as number) - 1;
  }
  return bytes;
}

/** Bytes of a JSON number; `null` stands for what JSON cannot hold. */
export function numberBytes(value: number): number {
  if ((value | 0) === value && value >= 0 && value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  return Number.isFinite(value) ? String(value).length : 4;
}
