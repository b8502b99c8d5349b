// How deeply JSON is nested, without parsing it: the host must not be given what its own parser or a tool cannot walk.

const QUOTE = 34;
const BACKSLASH = 92;

/** Whether more than `limit` containers are open at once in a JSON text or its UTF-8 bytes. */
export function isDeeperThan(json: string | Uint8Array, limit: number): boolean {
  if (json.length <= 2 * limit) return false;
  const at = typeof json === "string" ? (index: number) => json.charCodeAt(index) : (index: number) => json[index];
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    const unit = at(index);
    if (unit === QUOTE) index = endOfText(json, at, index);
    else if (unit === 123 || unit === 91) {
      depth += 1;
      if (depth > limit) return true;
    } else if (unit === 125 || unit === 93) depth -= 1;
  }
  return false;
}

/** The quote that ends the text which begins at `start`; looked for by the machine's own search, for texts may be long. */
function endOfText(json: string | Uint8Array, at: (index: number) => number | undefined, start: number): number {
  let end = start;
  for (;;) {
    end = typeof json === "string" ? json.indexOf('"', end + 1) : json.indexOf(QUOTE, end + 1);
    if (end === -1) return json.length;
    let backslashes = 0;
    while (at(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}
