// A unified diff as files with their added lines. Hunks are counted by their headers, so that an added line which looks like a
// header is an added line all the same.

export interface ChangedFile {
  readonly path: string;
  readonly deletions: number;
  readonly added: readonly { readonly line: number; readonly text: string }[];
}

export function readPatch(patch: string): ChangedFile[] {
  const files: { path: string; deletions: number; added: { line: number; text: string }[] }[] = [];
  let [oldLeft, newLeft, line] = [0, 0, 0];
  for (const text of patch.split("\n")) {
    const file = files.at(-1);
    if (file !== undefined && (oldLeft > 0 || newLeft > 0)) {
      if (text.startsWith("\\")) continue; // "No newline at end of file"
      if (!text.startsWith("+")) oldLeft -= 1;
      if (text.startsWith("-")) file.deletions += 1;
      if (text.startsWith("+")) file.added.push({ line, text: text.slice(1) });
      if (!text.startsWith("-")) [newLeft, line] = [newLeft - 1, line + 1];
      continue;
    }
    const header = /^diff --git "?a\/.+ "?b\/(.+?)"?$/.exec(text);
    if (header?.[1] !== undefined) files.push({ path: header[1], deletions: 0, added: [] });
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) [oldLeft, line, newLeft] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)];
  }
  return files;
}
