// A part of a file, found in one pass and little memory, however large the file is.
import type { FileHandle } from "node:fs/promises";

const LINE_END = 0x0a;
/** A byte order mark and the longest code point. */
const SPARE_BYTES = 3 + 4;
const CHUNK_BYTES = 256 * 1_024;
/** How far behind the part that was asked for lines are counted, only to say how many there are. */
const COUNTED_BYTES = 256 * 1_024 * 1_024;

/** What a pass over a file found. */
export interface FilePart {
  /** The bytes from the start of the first line on; more than `maxBytes` when there are more. */
  readonly bytes: Buffer;
  /** Whether the file goes on behind `bytes`; their end may be inside of a code point then. */
  readonly goesOn: boolean;
  /** Whether the file has the first line that was asked for. */
  readonly hasFirstLine: boolean;
  /** Size of the first line that was asked for, its end included. */
  readonly firstLineBytes: number;
  /** `undefined` when the file is too large to be read to its end only to count. */
  readonly totalLines: number | undefined;
  readonly totalBytes: number;
}

/**
 * Reads from the first byte of a line, counted from 1.
 *
 * @param maxBytes - How many bytes are wanted; a few more come, for a byte order mark and to cut between code points.
 */
export async function readFromLine(
  handle: FileHandle,
  firstLine: number,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FilePart> {
  const scan = new LineScan(firstLine, maxBytes + SPARE_BYTES);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position); // by hand: /proc has files of "0 bytes"
    if (bytesRead === 0) return scan.part(true);
    scan.take(buffer.subarray(0, bytesRead));
    position += bytesRead;
    if (scan.isFull && position > COUNTED_BYTES) return scan.part(false);
  }
}

class LineScan {
  readonly #firstLine: number;
  readonly #cap: number;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #lineEnds = 0;
  #seenBytes = 0;
  #start: number | undefined;
  #firstLineEnd: number | undefined;
  #endsWithLineEnd = true;

  constructor(firstLine: number, cap: number) {
    this.#firstLine = firstLine;
    this.#cap = cap;
    if (firstLine === 1) this.#start = 0;
  }

  get isFull(): boolean {
    return this.#keptBytes >= this.#cap;
  }

  take(chunk: Buffer): void {
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) {
      this.#lineEnds += 1;
      const next = this.#seenBytes + at + 1;
      if (this.#lineEnds === this.#firstLine) this.#firstLineEnd = next;
      if (this.#lineEnds === this.#firstLine - 1) this.#start = next;
    }
    this.#keep(chunk);
    this.#seenBytes += chunk.length;
    this.#endsWithLineEnd = chunk[chunk.length - 1] === LINE_END;
  }

  #keep(chunk: Buffer): void {
    if (this.#start === undefined || this.isFull) return;
    const from = Math.max(0, this.#start - this.#seenBytes);
    const part = Buffer.from(chunk.subarray(from, from + this.#cap - this.#keptBytes)); // the chunk is used again
    this.#kept.push(part);
    this.#keptBytes += part.length;
  }

  part(isWhole: boolean): FilePart {
    const start = this.#start ?? this.#seenBytes;
    return {
      bytes: Buffer.concat(this.#kept),
      goesOn: start + this.#keptBytes < this.#seenBytes,
      hasFirstLine: start < this.#seenBytes,
      firstLineBytes: (this.#firstLineEnd ?? this.#seenBytes) - start,
      totalLines: isWhole ? this.#lineEnds + (this.#endsWithLineEnd ? 0 : 1) : undefined,
      totalBytes: this.#seenBytes,
    };
  }
}
