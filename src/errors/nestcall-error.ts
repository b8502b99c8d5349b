import type { ErrorCode } from "./error-code.js";

/**
 * A broken contract: a bad definition, a wrong argument to a public function, a wait that would never end.
 * Branch on `code`, which also holds when two copies of the package are loaded. What a tool throws is never
 * reshaped into one; it becomes the error of an outcome.
 */
export class NestcallError extends Error {
  override readonly name: string = "NestcallError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
