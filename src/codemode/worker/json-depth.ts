// How deeply JSON is nested, without parsing it: the host must not be given what its own parser or a tool cannot walk.

/** Whether more than `limit` containers are open at once in a JSON text or its UTF-8 bytes. */
export function isDeeperThan(json: string | Uint8Array, limit: number): boolean {
  if (json.length <= 2 * limit) return false;
  const at = typeof json === "string" ? (index: number) => json.charCodeAt(index) : (index: number) => json[index];
  let depth = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const unit = at(index);
    if (isText) {
      if (unit === 92) index += 1;
      else if (unit === 34) isText = false;
    } else if (unit === 34) isText = true;
    else if (unit === 123 || unit === 91) {
      depth += 1;
      if (depth > limit) return true;
    } else if (unit === 125 || unit === 93) depth -= 1;
  }
  return false;
}
