// W5 for lists: as many entries as were asked for, and how to see the others.
import { Type } from "../tools/typebox.js";
import { keepHead, missingNote } from "./truncate-text.js";
import type { WalkNotes } from "./walk-files.js";

/** The argument `limit` of a searching tool. */
export const limitArgument = (what: string, standard: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: `The most ${what} to give. Default ${standard}.` }),
  );
export const pathArgument = (meaning: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      description: `${meaning}, absolute or relative to the working folder. Default: that one.`,
    }),
  );

/** The list as the model reads it, with what has to be said about it below. */
export function listText(lines: readonly string[], notes: readonly string[], nothing: string): string {
  const cut = keepHead(lines.join("\n"));
  const all = cut.isTruncated
    ? [missingNote(cut, "ask for less at once, with a narrower path or pattern"), ...notes]
    : notes;
  const text = lines.length === 0 ? nothing : cut.text.trimEnd();
  return all.length === 0 ? text : `${text}\n\n${all.join("\n")}`;
}

/** What a walk left out. */
export function walkRemarks({ ignored, unreadable }: WalkNotes): string[] {
  const remarks: string[] = [];
  if (ignored > 0) remarks.push(`[${counted(ignored, "entry is", "entries are")} left out as .gitignore says.]`);
  if (unreadable > 0) remarks.push(`[${counted(unreadable, "folder", "folders")} could not be read.]`);
  return remarks;
}

export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
