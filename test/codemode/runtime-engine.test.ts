// The memory image is the whole state of a sandbox only as long as the engine's binary is the one that was studied.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { ENGINE_SHA256, readEngine } from "../../src/codemode/vm/binary.js";

interface ModuleApi {
  readonly Module: {
    new (bytes: Uint8Array): object;
    imports(module: object): readonly { readonly module: string; readonly name: string; readonly kind: string }[];
    exports(module: object): readonly { readonly name: string; readonly kind: string }[];
  };
}
const { Module } = (globalThis as unknown as { readonly WebAssembly: ModuleApi }).WebAssembly;

test("design 3: the engine is the pinned binary", async () => {
  const bytes = await readEngine();
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(ENGINE_SHA256);
});

test("design 3: it asks for twelve functions and nothing else", async () => {
  const imports = Module.imports(new Module(await readEngine()));
  expect(imports.map(({ module, name, kind }) => `${module}.${name} ${kind}`).toSorted()).toEqual([
    "env.host_call function",
    "env.host_get_timezone_offset function",
    "env.host_interrupt function",
    "env.host_module_load function",
    "env.host_module_normalize function",
    "env.host_promise_rejection function",
    "wasi_snapshot_preview1.clock_time_get function",
    "wasi_snapshot_preview1.fd_close function",
    "wasi_snapshot_preview1.fd_fdstat_get function",
    "wasi_snapshot_preview1.fd_seek function",
    "wasi_snapshot_preview1.fd_write function",
    "wasi_snapshot_preview1.random_get function",
  ]);
});

test("design 3: besides memory its only state is the stack pointer: one mutable global, a table that nothing grows", async () => {
  const sections = readSections(await readEngine());
  expect(globalTypes(sections.get(6))).toEqual({ count: 1, firstIsMutable: true });
  expect(readNumber(sections.get(4) ?? new Uint8Array(1), 0).value).toBe(1);
  expect(tableInstructions(sections.get(10))).toBe(0);
});

/** The sections of a module by their number. */
function readSections(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const sections = new Map<number, Uint8Array>();
  let at = 8;
  while (at < bytes.length) {
    const id = bytes[at] ?? 0;
    const size = readNumber(bytes, at + 1);
    sections.set(id, bytes.subarray(size.next, size.next + size.value));
    at = size.next + size.value;
  }
  return sections;
}

/** An unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let [value, shift, at] = [0, 0, start];
  for (;;) {
    const byte = bytes[at] ?? 0;
    at += 1;
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if ((byte & 0x80) === 0) return { value, next: at };
  }
}

function globalTypes(section: Uint8Array | undefined): { readonly count: number; readonly firstIsMutable: boolean } {
  if (section === undefined) return { count: 0, firstIsMutable: false };
  const count = readNumber(section, 0);
  return { count: count.value, firstIsMutable: section[count.next + 1] === 1 };
}

/** Instructions that change the table; what looks like one within another instruction would be a false alarm. */
function tableInstructions(code: Uint8Array | undefined): number {
  if (code === undefined) return 0;
  let found = 0;
  for (let at = 0; at + 2 < code.length; at += 1) {
    // table.grow 15 and table.fill 17, both with table 0.
    if (code[at] === 0xfc && (code[at + 1] === 15 || code[at + 1] === 17) && code[at + 2] === 0) found += 1;
  }
  return found;
}
