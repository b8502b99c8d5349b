/** Ids for `createExecutor({ generateId })` that a test can foresee: `call_1`, `call_2`, … */
export function createIdsInOrder(prefix = "call_"): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}${last}`;
  };
}
