// Sizes of compact JSON in UTF-8 bytes, found without building the text (R6).

const QUOTE = 34;
const BACKSLASH = 92;
/** Bytes that each byte of UTF-8 takes more inside a JSON string. */
const ESCAPE_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE || byte === BACKSLASH) return 1;
  if (byte >= 32) return 0;
  return [8, 9, 10, 12, 13].includes(byte) ? 1 : 5;
});

/** Bytes of a JSON string, quotes included; a lone half of a pair counts as U+FFFD, which it becomes (R4). */
export function stringBytes(text: string): number {
  const { length } = text;
  if (length > 128) return longStringBytes(text);
  let bytes = length + 2;
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 128) return longStringBytes(text);
    bytes += ESCAPE_BYTES[unit] as number; // the table has every unit below 128
  }
  return bytes;
}

const CHUNK_UNITS = 16_384;
const encoder = new TextEncoder();
let scratch: { readonly bytes: Uint8Array; readonly words: Uint32Array } | undefined;

/** Encodes piece by piece into one small buffer, and looks at four bytes at a time for what has to be escaped. */
function longStringBytes(text: string): number {
  scratch ??= scratchOf(new ArrayBuffer(CHUNK_UNITS * 3 + 4));
  let bytes = 2;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + CHUNK_UNITS);
    if (end < text.length && isHighHalf(text.charCodeAt(end - 1))) end -= 1; // not inside a pair
    if (end === start) end += 1;
    const { written } = encoder.encodeInto(text.slice(start, end), scratch.bytes);
    bytes += written + escapesOf(scratch, written);
    start = end;
  }
  return bytes;
}

function scratchOf(buffer: ArrayBuffer): { readonly bytes: Uint8Array; readonly words: Uint32Array } {
  return { bytes: new Uint8Array(buffer), words: new Uint32Array(buffer) };
}

function escapesOf({ bytes, words }: NonNullable<typeof scratch>, length: number): number {
  const whole = length >> 2;
  let found = 0;
  for (let index = 0; index < whole; index += 1) {
    const word = words[index] as number; // inside the buffer
    const quote = word ^ 0x22222222;
    const backslash = word ^ 0x5c5c5c5c;
    // The high bit of a byte is set when it was below 32, or became 0; a neighbour may set it too, which costs a look.
    found |= ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
  }
  let escapes = 0;
  const from = (found & 0x80808080) === 0 ? whole << 2 : 0;
  for (let index = from; index < length; index += 1) escapes += ESCAPE_BYTES[bytes[index] as number] as number;
  return escapes;
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Bytes of a JSON number; `null` stands for what JSON cannot hold. */
export function numberBytes(value: number): number {
  if ((value | 0) === value && value >= 0 && value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  return Number.isFinite(value) ? String(value).length : 4;
}
