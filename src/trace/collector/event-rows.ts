// Rows of numbers, one for each event, in memory that the garbage collector need not look into: a collector keeps an event
// of every call, and each object that outlives its call costs more than all else that is done here.

/** Numbers in a row. */
const CELLS = 6;
const FIRST_ROWS = 16;
const MAX_ROWS = 1024;
/** What a row takes. */
export const ROW_BYTES = CELLS * Float64Array.BYTES_PER_ELEMENT;

export class EventRows {
  readonly #blocks: Float64Array[] = [];
  /** The block that is being filled. */
  #block = new Float64Array(FIRST_ROWS * CELLS);
  #at = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @returns The number of the row. */
  add(kind: number, ordinal: number, timestamp: number, amount: number, first: number, second: number): number {
    if (this.#at === this.#block.length) this.#nextBlock();
    const block = this.#block;
    const at = this.#at;
    block[at] = kind;
    block[at + 1] = ordinal;
    block[at + 2] = timestamp;
    block[at + 3] = amount;
    block[at + 4] = first;
    block[at + 5] = second;
    this.#at = at + CELLS;
    this.#length += 1;
    return this.#length - 1;
  }

  /** The numbers of each row, in one array that is used again for the next. */
  *[Symbol.iterator](): Generator<Float64Array, void, undefined> {
    for (const block of [...this.#blocks, this.#block.subarray(0, this.#at)]) {
      for (let at = 0; at < block.length; at += CELLS) yield block.subarray(at, at + CELLS);
    }
  }

  #nextBlock(): void {
    this.#blocks.push(this.#block);
    this.#block = new Float64Array(Math.min(MAX_ROWS * CELLS, this.#block.length * 2));
    this.#at = 0;
  }
}
