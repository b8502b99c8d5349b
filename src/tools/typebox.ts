// The one door to TypeBox's builder. Some hosts put a facade of their own in the place of the bare package name, whose
// schemas are functions (A16); the builder's own entry is left alone.
export type { Static, TObject, TProperties, TSchema } from "typebox/type";
export * as Type from "typebox/type";
