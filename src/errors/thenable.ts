// What may answer later.
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  return typeof (value as { readonly then?: unknown }).then === "function";
}

/** The value, unless it is a promise where an answer at once is wanted; what becomes of that promise is nobody's affair. */
export function atOnce<T>(value: T): T {
  if (!isThenable(value)) return value;
  Promise.resolve(value).catch(() => {});
  throw new TypeError("it returned a promise, where an answer at once is wanted");
}
