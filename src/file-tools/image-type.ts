// The kinds of image that models take, told by their first bytes; a name may say anything.

/** How many bytes `imageTypeOf` needs. */
export const IMAGE_HEAD_BYTES = 13;

/** The MIME type, or `undefined` for what is no such image. */
export function imageTypeOf(head: Buffer): string | undefined {
  if (head.subarray(0, 8).equals(PNG)) return "image/png";
  if (head.subarray(0, 3).equals(JPEG)) return "image/jpeg";
  const letters = head.toString("latin1");
  // These begin with letters, as a text might; the sizes behind have a zero byte in every image small enough to show.
  if (/^GIF8[79]a/.test(letters) && letters.slice(6, 13).includes("\0")) return "image/gif";
  const isWebp = letters.startsWith("RIFF") && letters.slice(8, 12) === "WEBP";
  if (isWebp && letters.slice(4, 8).includes("\0")) return "image/webp";
  return undefined;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
