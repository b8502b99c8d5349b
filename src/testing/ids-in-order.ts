import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";

/** Ids for `createExecutor({ generateId })` that a test can foresee: `call_1`, `call_2`, … */
export function createIdsInOrder(prefix = "call_"): () => string {
  if (typeof prefix !== "string") {
    const message = `createIdsInOrder takes a text, not ${describeValue(prefix)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}${last}`;
  };
}
