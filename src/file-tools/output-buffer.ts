// W3: what a command printed, as bytes: whole up to 1 MiB, beyond that its first and last 512 KiB. One buffer that grows
// to 1 MiB and no further, into however many chunks the output was cut.

import { trimToCodePoint } from "./decode-text.js";

/** Output up to this size is kept whole. */
export const WHOLE_BYTES = 1_024 * 1_024;
const END_BYTES = WHOLE_BYTES / 2;

/** What was kept, as text; what is no UTF-8 is U+FFFD. The ends are cut between code points. */
export interface KeptOutput {
  /** The whole output when `missingBytes` is 0. */
  readonly head: string;
  readonly tail: string;
  readonly missingBytes: number;
}

export class OutputBuffer {
  // The first half is the beginning of the output, the second a ring with the latest of what came after it.
  #bytes = Buffer.alloc(16 * 1_024);
  #total = 0;

  get totalBytes(): number {
    return this.#total;
  }

  add(chunk: Buffer): void {
    this.#growTo(Math.min(WHOLE_BYTES, this.#total + chunk.length));
    for (let from = 0; from < chunk.length; ) {
      const at = this.#placeOf(this.#total);
      const end = at < END_BYTES ? END_BYTES : WHOLE_BYTES;
      const copied = chunk.copy(this.#bytes, at, from, Math.min(chunk.length, from + end - at));
      from += copied;
      this.#total += copied;
    }
  }

  /** Every byte so far, in a copy; only as long as nothing had to go. */
  wholeBytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, Math.min(this.#total, WHOLE_BYTES)));
  }

  kept(): KeptOutput {
    if (this.#total <= WHOLE_BYTES) return { head: decode(this.wholeBytes()), tail: "", missingBytes: 0 };
    const head = this.#bytes.subarray(0, END_BYTES);
    const tail = this.#lastBytes(END_BYTES);
    const first = trimToCodePoint(head);
    const last = tail.subarray(startOfCodePoint(tail));
    return { head: decode(first), tail: decode(last), missingBytes: this.#total - first.length - last.length };
  }

  /** The latest output, for progress: a code point that has not come whole yet is left out. */
  latest(maxBytes: number): string {
    const bytes = this.#lastBytes(Math.min(maxBytes, END_BYTES));
    const start = bytes.length < this.#total ? startOfCodePoint(bytes) : 0;
    return decode(trimToCodePoint(bytes.subarray(start)));
  }

  /** @param count - At most the size of the ring. */
  #lastBytes(count: number): Buffer {
    const first = Math.max(0, this.#total - count);
    if (this.#total <= WHOLE_BYTES) return this.#bytes.subarray(first, this.#total);
    const [from, to] = [this.#placeOf(first), this.#placeOf(this.#total)];
    if (from < to) return this.#bytes.subarray(from, to);
    return Buffer.concat([this.#bytes.subarray(from), this.#bytes.subarray(END_BYTES, to)]);
  }

  #placeOf(index: number): number {
    return index < END_BYTES ? index : END_BYTES + ((index - END_BYTES) % END_BYTES);
  }

  #growTo(size: number): void {
    if (size <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.min(WHOLE_BYTES, Math.max(size, this.#bytes.length * 2)));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Where the bytes begin without the rest of a code point whose beginning is missing. */
function startOfCodePoint(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start += 1;
  return start;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
