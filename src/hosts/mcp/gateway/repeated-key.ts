// JSON takes the last of two equal keys and says nothing: a rule of the first would be lost.

interface Open {
  /** Of an object, what it has had so far; a list has none. */
  readonly keys: Set<string> | undefined;
  readonly place: string;
}

/** What stands between texts that matters, and the texts; a key is one that a colon follows. */
const TOKENS = /[{}[\]]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g;

/**
 * The place of the first key that stands twice in one object, such as `policy.deny`. Linear in the text.
 *
 * @param text - JSON that has been parsed without an error.
 * @param isLookedInto - Whether what is below this key of the outermost object counts.
 */
export function repeatedKey(text: string, isLookedInto: (topKey: string) => boolean): string | undefined {
  const open: Open[] = [];
  let key = "";
  let topKey = "";
  for (const [token, quoted, colon] of text.matchAll(TOKENS)) {
    const here = open.at(-1);
    if (token === "{" || token === "[") {
      const place = open.length < 2 ? key : here?.keys === undefined ? here?.place : `${here.place}.${key}`;
      open.push({ keys: token === "{" ? new Set() : undefined, place: place ?? "" });
    } else if (token === "}" || token === "]") open.pop();
    else if (quoted !== undefined && colon !== undefined) {
      key = JSON.parse(quoted) as string; // it is a text
      if (open.length === 1) topKey = key;
      const counts = open.length === 1 || isLookedInto(topKey);
      if (counts && here?.keys?.has(key)) return here.place === "" ? key : `${here.place}.${key}`;
      here?.keys?.add(key);
    }
  }
  return undefined;
}
