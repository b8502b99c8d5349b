// Reads a unified diff: which files it touches, how many lines go in and out, and the added lines themselves.
// Hunks are counted by their headers, so an added line that looks like a header is still an added line.

export interface PatchFile {
  readonly path: string;
  readonly insertions: number;
  readonly deletions: number;
  readonly added: readonly string[];
}

export function readPatch(patch: string): readonly PatchFile[] {
  const files: { path: string; insertions: number; deletions: number; added: string[] }[] = [];
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of patch.split("\n")) {
    const file = files.at(-1);
    if (file !== undefined && (oldLeft > 0 || newLeft > 0)) {
      if (line.startsWith("\\")) continue; // "No newline at end of file"
      if (!line.startsWith("+")) oldLeft -= 1;
      if (!line.startsWith("-")) newLeft -= 1;
      if (line.startsWith("-")) file.deletions += 1;
      if (line.startsWith("+")) {
        file.insertions += 1;
        file.added.push(line.slice(1));
      }
      continue;
    }
    const header = /^diff --git "?a\/.+ "?b\/(.+?)"?$/.exec(line);
    if (header?.[1] !== undefined) files.push({ path: header[1], insertions: 0, deletions: 0, added: [] });
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      oldLeft = Number(hunk[1] ?? 1);
      newLeft = Number(hunk[2] ?? 1);
    }
  }
  return files;
}
