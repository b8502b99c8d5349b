// The options of a session, checked: a misspelt restriction would be an open door.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { restrictionProblem } from "../tools/access.js";

export type SessionOptionName = "userId" | "platform" | "live" | "isGranted";

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function checkSessionOptions(where: string, options: unknown, allowed: readonly SessionOptionName[]): void {
  if (typeof options !== "object" || options === null) {
    throw wrong(`${where} must be an object, not ${describeValue(options)}.`);
  }
  const parts: Record<string, unknown> = { ...options };
  for (const name of allowed) {
    const value = parts[name];
    delete parts[name];
    if (value === undefined) continue;
    const wanted = name === "userId" || name === "platform" ? "string" : "function";
    const kind = wanted === "string" ? "a text that is not empty" : "a function";
    if (typeof value !== wanted || value === "")
      throw wrong(`${where}: ${name} must be ${kind}, not ${describeValue(value)}.`);
  }
  const problem = restrictionProblem(parts);
  if (problem !== undefined) throw wrong(`${where}${problem}.`);
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
