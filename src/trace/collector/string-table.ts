// Numbers for texts that come again and again: names of tools, ids of callers.
/** About what an entry takes besides its text. */
const TEXT_BYTES = 64;

export class StringTable {
  /** About how much memory they take. */
  bytes = 0;
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  #lastText: string | undefined = undefined;
  #lastNumber = -1;

  numberOf(text: string): number {
    if (text === this.#lastText) return this.#lastNumber;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
      this.bytes += text.length + TEXT_BYTES;
    }
    this.#lastText = text;
    this.#lastNumber = number;
    return number;
  }

  textOf(number: number): string | undefined {
    return this.#texts[number];
  }
}
