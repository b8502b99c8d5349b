// The options of this door's functions, checked alike.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText } from "../../errors/text.js";
import { closestNames } from "../../tools/closest-names.js";

/** @throws NestcallError `INVALID_ARGUMENTS` for what is no object, or has a key that is not known. */
export function checkOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw wrong(`${where} takes an object as its options; it got ${describeValue(options)}.`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [close] = closestNames(unknown, known, 1);
  const hint = close === undefined ? `Known are ${known.join(", ")}.` : `Did you mean "${close}"?`;
  throw wrong(`${where} has no option "${shortenText(unknown, 60)}". ${hint}`);
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
