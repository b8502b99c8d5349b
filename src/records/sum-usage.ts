import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { Usage } from "./usage.js";
import { UsageSum } from "./usage-sum.js";

/**
 * The usages added up field by field, nested objects too; a flag is true only when it is true in each of them (R7).
 * Fields that are no finite, non-negative numbers are left out.
 *
 * @returns A fresh object; `undefined` when there is no usage among the arguments.
 * @throws NestcallError `INVALID_ARGUMENTS` for an argument that is neither an object nor `undefined` or `null`.
 */
export function sumUsage(...usages: readonly (Usage | null | undefined)[]): Usage | undefined {
  const sum = new UsageSum();
  for (const [index, usage] of usages.entries()) {
    if (usage === undefined || usage === null) continue;
    if (typeof usage !== "object" || Array.isArray(usage)) {
      const message = `sumUsage takes objects of numbers; argument ${index + 1} is ${describeValue(usage)}.`;
      throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
    }
    sum.addReported(usage);
  }
  return sum.toUsage();
}
