// The arguments of a call on a command line: one JSON object, or key=value.
import { UsageError } from "./exit.js";

/** @throws UsageError that says what is wrong and how it is written. */
export function callArguments(words: readonly string[]): Record<string, unknown> {
  const [first] = words;
  if (first === undefined) return {};
  if (first.trimStart().startsWith("{")) {
    if (words.length === 1) return jsonArguments(first);
    throw new UsageError(
      `Arguments are one JSON object, or key=value; here both stand, from ${JSON.stringify(words[1])} on.`,
    );
  }
  const args: Record<string, unknown> = {};
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) throw new UsageError(`${JSON.stringify(word)} is no argument; write key=value, or one JSON object.`);
    const key = word.slice(0, at);
    if (Object.hasOwn(args, key)) throw new UsageError(`The argument ${JSON.stringify(key)} is given twice.`);
    // A key named __proto__ stays data.
    Object.defineProperty(args, key, {
      value: word.slice(at + 1),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return args;
}

function jsonArguments(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>; // it begins with a brace
  } catch (error) {
    throw new UsageError(`The arguments are no JSON: ${(error as Error).message}`);
  }
}
