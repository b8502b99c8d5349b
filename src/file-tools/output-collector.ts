// W3: gathers what a command prints, and begins a file for all of it when it becomes too long to be kept here.

import { safeText } from "../errors/safe-text.js";
import { OutputBuffer, WHOLE_BYTES } from "./output-buffer.js";
import { OutputFile } from "./output-file.js";

/** The output of a command that has ended, safe to show. */
export interface CollectedOutput {
  /** The whole output when `missingBytes` is 0, else its first 512 KiB. */
  readonly head: string;
  /** The last 512 KiB when something is missing, else empty. */
  readonly tail: string;
  readonly missingBytes: number;
  /** Where the complete output is, or why it is nowhere: half a sentence. Absent when no file was needed. */
  readonly where?: string;
  /** Absent too when the file could not be written. */
  readonly fullOutputPath?: string;
}

export class OutputCollector {
  readonly #buffer = new OutputBuffer();
  readonly #file: OutputFile;
  #isFileBegun = false;

  /** @param outputFolder - Made when the output becomes too long. */
  constructor(outputFolder: string) {
    this.#file = new OutputFile(outputFolder);
  }

  /** Gives a promise when the file has to catch up before more is read: memory stays bounded, however fast the command is. */
  add(chunk: Buffer): Promise<void> | undefined {
    const isTooMuch = this.#buffer.totalBytes + chunk.length > WHOLE_BYTES;
    if (isTooMuch && !this.#isFileBegun) this.#beginFile();
    this.#buffer.add(chunk);
    return this.#isFileBegun ? this.#file.write(chunk) : undefined;
  }

  /** The end of the output so far, safe to show. */
  latest(maxBytes: number): string {
    return safeText(this.#buffer.latest(maxBytes));
  }

  /** @param isShort - Whether the model will see all of a text; if not, the complete output is kept in the file. */
  async finish(isShort: (output: string) => boolean): Promise<CollectedOutput> {
    const kept = this.#buffer.kept();
    const ends = { head: safeText(kept.head), tail: safeText(kept.tail), missingBytes: kept.missingBytes };
    if (kept.missingBytes === 0 && isShort(ends.head)) return ends;
    if (!this.#isFileBegun) this.#beginFile();
    await this.#file.close();
    const { path, problem } = this.#file;
    if (problem !== undefined) return { ...ends, where: `the complete output could not be kept: ${problem}` };
    return { ...ends, where: `the complete output is in ${path}`, fullOutputPath: path };
  }

  #beginFile(): void {
    this.#isFileBegun = true;
    void this.#file.write(this.#buffer.wholeBytes()); // never rejects; close waits for it
  }
}
