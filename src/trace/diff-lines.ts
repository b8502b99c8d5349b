// The lines of a unified diff by what they are. Inside a hunk the counts of its head decide, since a line that was taken
// out and begins with two dashes looks like the head of a file.

export interface DiffLine {
  readonly kind: "head" | "hunk" | "added" | "removed" | "context" | "note";
  readonly text: string;
}

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;

export function diffLines(lines: readonly string[]): DiffLine[] {
  const left = { old: 0, new: 0 };
  return lines.map((text): DiffLine => ({ kind: kindOf(text, left), text }));
}

/** @param left - How many old and new lines the hunk still has. */
function kindOf(text: string, left: { old: number; new: number }): DiffLine["kind"] {
  if (text.startsWith("\\")) return "note";
  if (left.old > 0 || left.new > 0) {
    const kind = kindInside(text);
    if (kind !== "added") left.old -= 1;
    if (kind !== "removed") left.new -= 1;
    if (kind !== undefined) return kind;
  }
  const [head, oldLines = "1", newLines = "1"] = HUNK.exec(text) ?? [];
  left.old = head === undefined ? 0 : Number(oldLines);
  left.new = head === undefined ? 0 : Number(newLines);
  return head === undefined ? kindOutside(text) : "hunk";
}

function kindInside(text: string): "added" | "removed" | "context" | undefined {
  if (text.startsWith("+")) return "added";
  if (text.startsWith("-")) return "removed";
  return text.startsWith(" ") || text === "" ? "context" : undefined;
}

/** Of a piece of a diff without its hunks' heads. */
function kindOutside(text: string): DiffLine["kind"] {
  if (text.startsWith("+++ ") || text.startsWith("--- ")) return "head";
  return kindInside(text) ?? "head";
}
