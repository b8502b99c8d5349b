// The kinds of image that models take, told by their first bytes; a name may say anything.

/** How many bytes `imageTypeOf` needs. */
export const IMAGE_HEAD_BYTES = 12;

/** The MIME type, or `undefined` for what is no such image. */
export function imageTypeOf(head: Buffer): string | undefined {
  if (head.subarray(0, 8).equals(PNG)) return "image/png";
  if (head.subarray(0, 3).equals(JPEG)) return "image/jpeg";
  const letters = head.toString("latin1");
  if (letters.startsWith("GIF87a") || letters.startsWith("GIF89a")) return "image/gif";
  if (letters.startsWith("RIFF") && letters.slice(8, 12) === "WEBP") return "image/webp";
  return undefined;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
