// What a script prints and stores, kept here until it ends. Beyond the limits output is cut, and the script goes on.
import { cutText } from "../../errors/text.js";
import { type CodemodeLimits, MAX_STORE_BYTES, MAX_STORED_BYTES } from "../limits.js";
import type { CodemodeConsoleLine, CodemodeOutputItem } from "../run-types.js";

const CUT_MARK = "… [output was cut here]";

export class ScriptOutput {
  readonly items: CodemodeOutputItem[] = [];
  readonly lines: CodemodeConsoleLine[] = [];
  readonly warnings: string[] = [];
  readonly #limits: CodemodeLimits;
  #bytes = 0;
  #count = 0;
  #imageBytes = 0;
  #isFull = false;

  constructor(limits: CodemodeLimits) {
    this.#limits = limits;
  }

  /** A printed text or a console line. */
  print(kind: string, text: string): void {
    if (this.#isFull) return;
    const { outputBytes, outputItems } = this.#limits;
    const bytes = Buffer.byteLength(text);
    if (this.#count >= outputItems || this.#bytes + bytes > outputBytes) {
      const room = this.#count >= outputItems ? 0 : Math.max(0, outputBytes - this.#bytes);
      this.#keep(kind, `${cutText(text, Math.min(room, text.length))}${CUT_MARK}`);
      this.#isFull = true;
      this.warnings.push(
        `The output was cut: at most ${outputBytes} bytes and ${outputItems} items are kept (outputBytes, outputItems).`,
      );
      return;
    }
    this.#bytes += bytes;
    this.#count += 1;
    this.#keep(kind, text);
  }

  #keep(kind: string, text: string): void {
    if (kind === "text") this.items.push({ type: "text", text });
    else this.lines.push({ level: kind === "warn" || kind === "error" ? kind : "log", text });
  }

  /** Gives why the image is refused. */
  image(data: string, mimeType: string): string | undefined {
    const { resultBytes, outputItems } = this.#limits;
    if (this.#imageBytes + data.length > resultBytes || this.#count >= outputItems) {
      return `The image is refused: all images of a script may have ${resultBytes} bytes (resultBytes).`;
    }
    this.#imageBytes += data.length;
    this.#count += 1;
    this.items.push({ type: "image", data, mimeType });
    return undefined;
  }
}

/** The store as the script sees it: what it was given, and its own writes on top. Values are JSON texts. */
export class ScriptStore {
  readonly #values: Map<string, string>;
  readonly writes = new Map<string, string | undefined>();
  #bytes = 0;

  constructor(given: readonly (readonly [string, string])[]) {
    this.#values = new Map(given);
    for (const [key, json] of this.#values) this.#bytes += Buffer.byteLength(key) + Buffer.byteLength(json);
  }

  load(key: string): string | undefined {
    return this.#values.get(key);
  }

  /** Gives why the value is refused. */
  store(key: string, json: string | undefined): string | undefined {
    const old = this.#values.get(key);
    const oldBytes = old === undefined ? 0 : Buffer.byteLength(key) + Buffer.byteLength(old);
    if (json === undefined) {
      this.#values.delete(key);
      this.#bytes -= oldBytes;
    } else {
      const size = Buffer.byteLength(json);
      const bytes = this.#bytes - oldBytes + Buffer.byteLength(key) + size;
      if (size > MAX_STORED_BYTES) {
        return `store("${key.slice(0, 60)}") was given ${size} bytes of JSON; a value may have ${MAX_STORED_BYTES}.`;
      }
      if (bytes > MAX_STORE_BYTES) return `The store is full: all values together may have ${MAX_STORE_BYTES} bytes.`;
      this.#values.set(key, json);
      this.#bytes = bytes;
    }
    this.writes.set(key, json);
    return undefined;
  }
}
