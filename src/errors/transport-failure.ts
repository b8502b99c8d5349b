import { ErrorCode } from "./error-code.js";
import { NestcallError } from "./nestcall-error.js";
import { describeValue } from "./text.js";

// Symbol.for: an error marked by one copy of the package is recognised by another.
const MARK = Symbol.for("nestcall.transportFailure");

/**
 * Marks an error as a failure of the way to a tool (network, DNS, a dead server), not of the tool's work. A call that
 * throws it has the code `TRANSPORT_FAILED`; a tool's own catch-all should rethrow what `isTransportFailure` knows.
 *
 * @returns The same error.
 * @throws NestcallError `INVALID_ARGUMENTS` when `error` is not an object that can be marked.
 */
export function markTransportFailure<T extends object>(error: T): T {
  try {
    Object.defineProperty(error, MARK, { value: true, configurable: true });
    return error;
  } catch (cause) {
    const message = `markTransportFailure takes an error object that can be marked; it got ${describeValue(error)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message, { cause });
  }
}

/** Whether `markTransportFailure` marked this error. Never throws. */
export function isTransportFailure(error: unknown): boolean {
  try {
    return typeof error === "object" && error !== null && (error as Record<symbol, unknown>)[MARK] === true;
  } catch {
    return false;
  }
}
