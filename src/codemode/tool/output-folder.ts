// Where complete outputs and images go: files that only this user may read.
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { thrownText } from "../../errors/text.js";

/** A file that was written, or why it was not. */
export type SavedFile = { readonly path: string } | { readonly problem: string };

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
};

export class OutputFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  saveText(text: string): Promise<SavedFile> {
    return this.#save(Buffer.from(text), "txt");
  }

  /** @param data - Base64. */
  saveImage(data: string, mimeType: string): Promise<SavedFile> {
    return this.#save(Buffer.from(data, "base64"), EXTENSIONS[mimeType] ?? "bin");
  }

  async #save(bytes: Buffer, extension: string): Promise<SavedFile> {
    const path = join(this.#path, `codemode-${randomBytes(8).toString("hex")}.${extension}`);
    try {
      await mkdir(this.#path, { recursive: true, mode: 0o700 });
      await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
      return { path };
    } catch (error) {
      return { problem: thrownText(error) };
    }
  }
}
