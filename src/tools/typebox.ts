// The one door to TypeBox's builder. Some hosts put a facade of their own in the place of the bare package name, whose
// schemas are functions (A16); the builder's own entry is left alone.
export type {
  Static,
  TArray,
  TBoolean,
  TEnum,
  TInteger,
  TIntersect,
  TLiteral,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TRecord,
  TSchema,
  TString,
  TUnion,
  TUnknown,
  TUnsafe,
} from "typebox/type";
export * as Type from "typebox/type";
