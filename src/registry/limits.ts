// E58: every number that caps what the registry shows stands here and nowhere else; docs/limits.md is made from it.

/** The caps of the registry. */
export const REGISTRY_LIMITS = Object.freeze({
  externalDescriptionBytes: 1_000,
  externalDefinitionBytes: 8_000,
  bytesPerToken: 4,
});

/** What each cap means, for the table of the docs. */
export const LIMIT_MEANINGS: Readonly<Record<keyof typeof REGISTRY_LIMITS, string>> = {
  externalDescriptionBytes:
    "UTF-8 bytes of an external tool's description; what is longer is cut between two code points",
  externalDefinitionBytes:
    'UTF-8 bytes of the compact JSON of an external tool\'s name, description and input schema; a larger one is declared with `{ "type": "object" }` and a notice',
  bytesPerToken: "bytes of compact JSON that are taken as one token when the cost of a declaration is estimated",
};

/**
 * About how many tokens a text of this many UTF-8 bytes costs: four bytes are taken as one token. No tokenizer is asked,
 * so it is the same for every provider and good for comparing, not for billing.
 */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / REGISTRY_LIMITS.bytesPerToken);
}
