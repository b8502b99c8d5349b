// W3, W5: the complete output of a command, in a file that only this user may read.
import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeFileProblem } from "./file-problem.js";

/** Written in the order of the calls. After a failure, such as a full disk, the file is gone and further writes are not tried. */
export class OutputFile {
  readonly path: string;
  readonly #folder: string;
  #handle: FileHandle | undefined;
  #problem: string | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, `bash-${randomBytes(8).toString("hex")}.log`);
  }

  /** Why there is no complete output; half a sentence. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Resolves when the bytes are written or given up; never rejects. */
  write(bytes: Buffer): Promise<void> {
    this.#last = this.#last.then(() => this.#writeNow(bytes));
    return this.#last;
  }

  /** Resolves when everything is written and the file is closed. */
  async close(): Promise<void> {
    await this.#last;
    await this.#handle?.close().catch((error: unknown) => this.#giveUp(error));
    this.#handle = undefined;
  }

  async #writeNow(bytes: Buffer): Promise<void> {
    if (this.#problem !== undefined) return;
    try {
      this.#handle ??= await this.#open();
      await this.#handle.writeFile(bytes);
    } catch (error) {
      await this.#giveUp(error);
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return await open(this.path, "wx", 0o600);
  }

  /** A file that lacks the end of the output would be taken for the complete one. */
  async #giveUp(error: unknown): Promise<void> {
    this.#problem = describeFileProblem(error);
    await this.#handle?.close().catch(() => {});
    this.#handle = undefined;
    await rm(this.path, { force: true }).catch(() => {});
  }
}
