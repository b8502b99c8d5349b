// Lines of a stream whose writer is not trusted: what is kept of a line is bounded, whatever is written.

export interface LineHandlers {
  /** A whole line, without its end. */
  onLine(line: string): void;
  /** A line that is longer than allowed: its beginning and its end, which may say what it was an answer to. */
  onLongLine(line: { readonly start: string; readonly end: string }): void;
}

const KEPT_OF_LONG_LINE = 1024;
const LINE_FEED = 10;

export class LineReader {
  readonly #maxBytes: number;
  readonly #handlers: LineHandlers;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The first bytes of a line that has become too long; its chunks are let go. */
  #longStart: string | undefined;
  #longEnd: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number, handlers: LineHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      this.#take(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
  }

  #take(part: Buffer): void {
    if (this.#longStart !== undefined) {
      this.#longEnd = Buffer.concat([this.#longEnd, part.subarray(-KEPT_OF_LONG_LINE)]).subarray(-KEPT_OF_LONG_LINE);
      return;
    }
    this.#chunks.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#maxBytes) return;
    const line = Buffer.concat(this.#chunks, this.#bytes);
    this.#longStart = line.toString("utf8", 0, KEPT_OF_LONG_LINE);
    this.#longEnd = Buffer.from(line.subarray(-KEPT_OF_LONG_LINE));
    this.#forget();
  }

  #endLine(): void {
    if (this.#longStart !== undefined) {
      const line = { start: this.#longStart, end: this.#longEnd.toString("utf8") };
      this.#longStart = undefined;
      this.#handlers.onLongLine(line);
      return;
    }
    const [only] = this.#chunks;
    const line = this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.#bytes);
    this.#forget();
    if (line !== undefined && line.length > 0) this.#handlers.onLine(line.toString("utf8"));
  }

  #forget(): void {
    this.#chunks = [];
    this.#bytes = 0;
  }
}
