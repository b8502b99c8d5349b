// Texts that came from outside: made short, well formed and safe to put into a message.

/** Cuts at `maxChars` UTF-16 units, one less when the cut would split a surrogate pair. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars);
}

/** The text, or its beginning and an ellipsis when it is longer than `maxChars`. */
export function shortenText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${cutText(text, maxChars - 1)}…`;
}

/**
 * What a value is, for a message: its type and, where that helps, its beginning. Never throws and never runs
 * code of the value beyond reading its constructor's name.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `the string ${JSON.stringify(shortenText(value, 60))}`;
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "bigint":
      return "a BigInt";
    case "symbol":
      return "a symbol";
    case "function":
      return "a function";
    default:
      return describeObject(value as object | null); // every other type is dealt with above
  }
}

function describeObject(value: object | null): string {
  if (value === null) return "null";
  try {
    if (Array.isArray(value)) return "an array";
    const name: unknown = value.constructor?.name;
    if (typeof name !== "string" || name === "" || name === "Object") return "an object";
    return `an object of class ${shortenText(name, 60)}`;
  } catch {
    return "an object";
  }
}

/** The text of whatever was thrown. Never throws, also for values without a string form. */
export function thrownText(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message === "" ? thrown.name : String(thrown.message);
    if (typeof thrown === "object" && thrown !== null) {
      const message: unknown = (thrown as { readonly message?: unknown }).message;
      if (typeof message === "string" && message !== "") return message;
      return JSON.stringify(thrown) ?? describeValue(thrown);
    }
    return typeof thrown === "string" ? thrown : `${String(thrown)} was thrown`;
  } catch {
    return `${describeValue(thrown)} was thrown`;
  }
}
