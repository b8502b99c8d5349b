// W4: pages of a text, images, and what is neither.
import { truncateSync } from "node:fs";
import { expect, test } from "vitest";
import { textOf } from "../helpers/engine.js";
import { editWorld } from "./edit-world.js";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("W4: a small file comes as it is", async () => {
  const world = editWorld();
  for (const text of ["a", "a\n", "\n", "\ta \r\nb\r\n", numbered(2_000), `😀${"é".repeat(1_000)}`]) {
    world.put("a.txt", text);
    const outcome = await world.call("read", { path: "a.txt" });
    expect([outcome.isError, textOf(outcome)]).toEqual([false, text]);
  }
});

test("W4: a byte order mark is not shown", async () => {
  const world = editWorld();
  world.put("a.txt", "\uFEFFa\nb\n");
  expect(textOf(await world.call("read", { path: "a.txt" }))).toBe("a\nb\n");
});

test("W4: beyond 2,000 lines it says how to go on, and going on gives everything once", async () => {
  const world = editWorld();
  world.put("a.txt", numbered(4_500));
  const first = await world.call("read", { path: "a.txt" });
  expect(textOf(first)).toBe(
    `${numbered(2_000)}\n[Lines 1 to 2000 of 4500 are shown. To go on, read with offset 2001.]`,
  );
  expect(first.result.details).toEqual({ firstLine: 1, lastLine: 2_000, totalLines: 4_500 });
  const pages: string[] = [];
  for (let offset = 1; offset <= 4_500; ) {
    const outcome = await world.call("read", { path: "a.txt", offset });
    pages.push(textOf(outcome).replace(/\n\[Lines .*\]$/, ""));
    offset = (outcome.result.details as { lastLine: number }).lastLine + 1;
  }
  expect(pages.join("")).toBe(numbered(4_500));
  expect(pages).toHaveLength(3);
});

test("W4: offset and limit", async () => {
  const world = editWorld();
  world.put("a.txt", "1\n2\n3\n4");
  const read = async (args: object) => textOf(await world.call("read", { path: "a.txt", ...args }));
  expect(await read({ offset: 2, limit: 2 })).toBe(
    "2\n3\n\n[Lines 2 to 3 of 4 are shown. To go on, read with offset 4.]",
  );
  expect(await read({ offset: 4 })).toBe("4");
  expect(await read({ offset: 3, limit: 10 })).toBe("3\n4");
  const beyond = await world.call("read", { path: "a.txt", offset: 5 });
  expect([beyond.isError, textOf(beyond)]).toEqual([true, 'Offset 5 is beyond the end of "a.txt", which has 4 lines.']);
  expect((await world.call("read", { path: "a.txt", offset: 0 })).error?.code).toBe("INVALID_ARGUMENTS");
});

test("W5: beyond 50 KB the cut is between lines", async () => {
  const world = editWorld();
  world.put("a.txt", `${"é".repeat(10_000)}\n`.repeat(5));
  const outcome = await world.call("read", { path: "a.txt" });
  expect(textOf(outcome)).toBe(
    `${`${"é".repeat(10_000)}\n`.repeat(2)}\n[Lines 1 to 2 of 5 are shown. To go on, read with offset 3.]`,
  );
});

test("W5: a line that is too long is cut between code points, and the rest is counted", async () => {
  const world = editWorld();
  world.put("a.txt", `short\n${"€".repeat(20_000)}\nend`);
  const outcome = await world.call("read", { path: "a.txt", offset: 2 });
  const [shown, note] = textOf(outcome).split("\n\n");
  expect(shown).toBe("€".repeat(17_066));
  expect(note).toBe(
    '[Line 2 of 3 is cut: its first 51198 bytes are shown, 8803 more are in "a.txt". To go on, read with offset 3.]',
  );
  for (let length = 51_190; length < 51_215; length += 1) {
    for (const content of ["x".repeat(length), `\uFEFF${"x".repeat(length)}`, `${"x".repeat(length)}😀`]) {
      world.put("b.txt", content);
      const text = textOf(await world.call("read", { path: "b.txt" }));
      const plain = content.replace("\uFEFF", "");
      if (Buffer.byteLength(plain) <= 51_200) expect(text).toBe(plain);
      else expect(text).toMatch(/^x+\n\n\[Line 1 of 1 is cut: .* It is the last line\.\]$/);
    }
  }
});

test("W4: an empty file, a folder and a missing file are told", async () => {
  const world = editWorld();
  world.put("empty.txt", "");
  const empty = await world.call("read", { path: "empty.txt" });
  expect([empty.isError, textOf(empty)]).toEqual([false, '[The file "empty.txt" is empty.]']);
  expect(textOf(await world.call("read", { path: "." }))).toBe('"." cannot be read: it is a folder, not a file.');
  const missing = await world.call("read", { path: "emty.txt" });
  expect(missing.isError).toBe(true);
  expect(textOf(missing)).toBe('There is no file "emty.txt". Close names in the same folder: "empty.txt".');
  expect(textOf(await world.call("read", { path: "no/such.txt" }))).toContain("Its folder does not exist either");
});

test("W4: what is no text is refused", async () => {
  const world = editWorld();
  const contents: [Buffer, string][] = [
    [Buffer.from([0x61, 0xff]), "not valid UTF-8"],
    [Buffer.from("a\0b"), "NUL bytes"],
    [Buffer.from("\uFEFFa", "utf16le"), "UTF-16"],
    [Buffer.from([0xe2, 0x82]), "not valid UTF-8"],
  ];
  for (const [content, reason] of contents) {
    world.put("a.bin", content);
    const outcome = await world.call("read", { path: "a.bin" });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(new RegExp(`^"a.bin" cannot be read: .*${reason}`));
  }
});

test.each([
  ["image/png", Buffer.from("89504e470d0a1a0a0000", "hex")],
  ["image/jpeg", Buffer.from("ffd8ffe000104a46", "hex")],
  ["image/gif", Buffer.from("GIF89a\x05\0\x05\0\0\0\0")],
  ["image/webp", Buffer.from("RIFF\x24\0\0\0WEBPVP8 ")],
])("W4: %s is told by its first bytes and comes as a block", async (mimeType, content) => {
  const world = editWorld();
  world.put("image.txt", content);
  const outcome = await world.call("read", { path: "image.txt" });
  expect(outcome.result.content).toEqual([{ type: "image", data: content.toString("base64"), mimeType }]);
});

test("W4: an image that is too large is refused", async () => {
  const world = editWorld();
  truncateSync(world.put("a.png", Buffer.from("89504e470d0a1a0a0000", "hex")), 3_932_161);
  const outcome = await world.call("read", { path: "a.png" });
  expect(textOf(outcome)).toContain('"a.png" cannot be read: it is an image (image/png) of 3932161 bytes');
});

test("50 MiB: any page comes in a moment", async () => {
  const world = editWorld();
  world.put("big.txt", `${"a".repeat(99)}\n`.repeat(524_288));
  const outcome = await world.call("read", { path: "big.txt", offset: 524_288 });
  expect(textOf(outcome)).toBe(`${"a".repeat(99)}\n`);
  expect(textOf(await world.call("read", { path: "big.txt", limit: 1 }))).toContain("Lines 1 to 1 of 524288 are shown");
});

test.runIf(process.platform === "linux")("files that say they have no bytes are read all the same", async () => {
  expect(textOf(await editWorld().call("read", { path: "/proc/self/status" }))).toContain("Pid:");
});

test("W4: U+FEFF is a byte order mark only at the very beginning", async () => {
  const world = editWorld();
  world.put("a.txt", "\uFEFFa\n\uFEFFb\n");
  expect(textOf(await world.call("read", { path: "a.txt" }))).toBe("a\n\uFEFFb\n");
  expect(textOf(await world.call("read", { path: "a.txt", offset: 2 }))).toBe("\uFEFFb\n");
});

test("W4: a text that begins as an image does is a text", async () => {
  const world = editWorld();
  for (const text of ["GIF89a is a format", "GIF87a", "RIFFs in WEBP and others"]) {
    world.put("a.txt", text.replace("RIFFs in WEBP", "RIFF-in-WEBP"));
    expect(textOf(await world.call("read", { path: "a.txt" }))).toBe(text.replace("RIFFs in WEBP", "RIFF-in-WEBP"));
  }
});

test("the description tells that limit may ask for more lines", async () => {
  const world = editWorld();
  world.put("a.txt", "\n".repeat(6_000));
  expect(world.tools.read.description).not.toContain("at most 2000 lines");
  expect(textOf(await world.call("read", { path: "a.txt", limit: 5_000 }))).toContain("Lines 1 to 5000 of 6000");
});
