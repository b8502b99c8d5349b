// Many short texts, written into blocks of bytes together: a hundred at once cost as much as three one by one. The texts
// themselves are let go then, and with them what they are slices of.

const MAX_TEXTS = 128;
const MAX_UNITS = 64 * 1024;

interface Block {
  /** Absent once it was dropped. */
  bytes: Buffer | undefined;
  readonly units: number;
  /** UTF-16 units of each text. */
  readonly lengths: Uint16Array;
}

export interface KeptText {
  /** Absent when it was let go. Half a pair has become U+FFFD. */
  readonly text: string | undefined;
  /** UTF-16 units of the whole. */
  readonly units: number;
}

export class TextBlocks {
  readonly #blocks: Block[] = [];
  #open: string[] = [];
  #openLengths = new Uint16Array(MAX_TEXTS);
  #openUnits = 0;
  #count = 0;
  #dropped = 0;

  /**
   * @param text - Of at most 65,535 UTF-16 units.
   * @returns The number of the text.
   */
  add(text: string): number {
    this.#openLengths[this.#open.length] = text.length;
    this.#open.push(text);
    this.#openUnits += text.length;
    this.#count += 1;
    if (this.#open.length === MAX_TEXTS || this.#openUnits > MAX_UNITS) this.flush();
    return this.#count - 1;
  }

  /** Writes the open texts into a block. */
  flush(): void {
    if (this.#open.length === 0) return;
    const lengths = this.#openLengths.slice(0, this.#open.length);
    this.#blocks.push({ bytes: Buffer.from(this.#open.join("")), units: this.#openUnits, lengths });
    this.#open = [];
    this.#openUnits = 0;
  }

  /** UTF-16 units of all texts that are kept. */
  get units(): number {
    return this.#blocks.reduce((sum, block) => (block.bytes === undefined ? sum : sum + block.units), this.#openUnits);
  }

  /**
   * Lets go of the earliest block.
   *
   * @returns How many UTF-16 units were in it; `undefined` when there is none left.
   */
  dropEarliest(): number | undefined {
    const block = this.#blocks[this.#dropped];
    if (block === undefined) return undefined;
    block.bytes = undefined;
    this.#dropped += 1;
    return block.units;
  }

  /** Every text in order. */
  *[Symbol.iterator](): Generator<KeptText, undefined> {
    for (const { bytes, lengths } of this.#blocks) {
      const whole = bytes?.toString();
      let at = 0;
      for (const units of lengths) {
        yield { text: whole?.slice(at, at + units), units };
        at += units;
      }
    }
    for (const text of this.#open) yield { text, units: text.length };
    return undefined;
  }
}
