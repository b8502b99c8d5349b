// Numbers of records and files, which may hold anything.

/** The last millisecond that a date can be. No size and no count comes near it. */
const MAX_AMOUNT = 8.64e15;

/** A time, a duration, a size or a count. */
export function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_AMOUNT;
}
