// How much of a type is written: the steps by which a large declaration gets smaller.

export interface Detail {
  /** Bounds, formats and patterns in comments. */
  readonly hasBounds: boolean;
  /** Characters of a property's or definition's description; 0 leaves descriptions and defaults out. */
  readonly descriptionChars: number;
  /** Only the first sentence of a description. */
  readonly isFirstSentence: boolean;
  /** What becomes of optional properties: written, named in a comment, or counted. */
  readonly optional: "written" | "named" | "counted";
  /** Objects and arrays below the first level are only called so. */
  readonly isShallow: boolean;
  /** Everything on one line, or an object with comments over several. */
  readonly isOneLine: boolean;
  /** Literals of one union; more are cut and the union widened. */
  readonly maxLiterals: number;
  /** Characters of the tool's own description. */
  readonly toolDescriptionChars: number;
}

const FULL: Detail = {
  hasBounds: true,
  descriptionChars: 600,
  isFirstSentence: false,
  optional: "written",
  isShallow: false,
  isOneLine: false,
  maxLiterals: 200,
  toolDescriptionChars: 2_400,
};
const NO_BOUNDS: Detail = { ...FULL, hasBounds: false, maxLiterals: 60, toolDescriptionChars: 1_200 };
const SENTENCES: Detail = {
  ...NO_BOUNDS,
  isFirstSentence: true,
  descriptionChars: 120,
  maxLiterals: 30,
  toolDescriptionChars: 240,
};
const NO_DESCRIPTIONS: Detail = { ...SENTENCES, descriptionChars: 0, isOneLine: true, maxLiterals: 20 };
const REQUIRED_AND_NAMES: Detail = {
  ...NO_DESCRIPTIONS,
  optional: "named",
  maxLiterals: 12,
  toolDescriptionChars: 160,
};
const REQUIRED: Detail = { ...REQUIRED_AND_NAMES, optional: "counted", maxLiterals: 8, toolDescriptionChars: 100 };
const SHALLOW: Detail = { ...REQUIRED, isShallow: true, maxLiterals: 3, toolDescriptionChars: 80 };

const BARE: Detail = { ...SHALLOW, toolDescriptionChars: 0 };

/** From everything to the bare required properties; what follows the last step is the name alone. */
export const DETAIL_STEPS: readonly Detail[] = [
  FULL,
  NO_BOUNDS,
  SENTENCES,
  NO_DESCRIPTIONS,
  REQUIRED_AND_NAMES,
  REQUIRED,
  SHALLOW,
  BARE,
];
export const FULL_DETAIL = FULL;
