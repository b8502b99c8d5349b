// The pinned engine: which file it is, and that it is the one that was studied.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { type WasmModule, wasmApi } from "./wasm-exports.js";

/** SHA-256 of `quickjs.wasm` of quickjs-wasi 3.7.0. The memory image is the whole state of this binary and no other. */
export const ENGINE_SHA256 = "c0bd8f296e18cf074969f6401b9ecb72609a1323818ec2b9bf7a8f8d740d1363";

export async function readEngine(): Promise<Uint8Array> {
  const path = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  const bytes = await readFile(path);
  const actual = createHash("sha256").update(bytes).digest("hex");
  if (actual !== ENGINE_SHA256) {
    const message = `The sandbox engine ${path} is not the one that nestcall was built with (SHA-256 ${actual}). Install quickjs-wasi 3.7.0.`;
    throw new NestcallError(ErrorCode.CLOSED, message);
  }
  return bytes;
}

let compiled: Promise<WasmModule> | undefined;

/** Compiled once for the process; all threads share the machine code. */
export function compileEngine(): Promise<WasmModule> {
  compiled ??= readEngine().then((bytes) => wasmApi.compile(bytes));
  compiled.catch(() => {
    compiled = undefined; // it may be installed by the next time
  });
  return compiled;
}
