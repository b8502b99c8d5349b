/**
 * The trimmed text, or `undefined` when nothing is left of it. Models fill an optional text with `""` as often as they
 * leave it out (A26), so a tool takes both and means the same by them.
 */
export function blankToAbsent(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? undefined : trimmed;
}
