export type UsageValue = number | boolean | { readonly [field: string]: UsageValue | undefined };

/**
 * What model work cost: counts of tokens, money, flags, and nested objects of them. Every number is finite and not
 * negative; the unit of `cost` is the host's.
 */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly totalTokens?: number;
  readonly cost?: UsageValue;
  readonly [field: string]: UsageValue | undefined;
}
