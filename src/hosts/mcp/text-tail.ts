// The last part of what somebody writes, such as a server's stderr.

export class TextTail {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    // A copy: a part of a large pool would keep all of it alive.
    this.#chunks.push(Buffer.from(chunk.subarray(-this.#maxBytes)));
    this.#bytes += Math.min(chunk.length, this.#maxBytes);
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= this.#maxBytes) {
      this.#bytes -= this.#chunks.shift()?.length ?? 0;
    }
  }

  get text(): string {
    const kept = Buffer.concat(this.#chunks).subarray(-this.#maxBytes);
    // The cut may have split a character: its other bytes come first.
    let start = 0;
    while (start < 3 && kept.length === this.#maxBytes && ((kept[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return kept.toString("utf8", start);
  }

  /** The last line that is not blank. */
  get lastLine(): string {
    return (
      this.text
        .trimEnd()
        .split(/\r\n|\r|\n/)
        .at(-1)
        ?.trim() ?? ""
    );
  }
}
