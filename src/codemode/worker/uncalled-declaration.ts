// A script that only declares a function has done nothing, which its author must hear.

const DECLARATION =
  /^[ \t]*(?:async[ \t]+)?function\b[ \t]*\*?[ \t]*([\w$]+)|^[ \t]*(?:const|let|var)[ \t]+([\w$]+)[ \t]*=[ \t]*(?:async\b[ \t]*)?(?:\([^)]*\)|[\w$]+)[ \t]*=>/gm;

/** The warning for a function that is declared at the beginning of a line and named nowhere else. */
export function uncalledDeclaration(source: string): string | undefined {
  for (const [, declared, assigned] of source.matchAll(DECLARATION)) {
    const name = declared ?? assigned;
    if (name === undefined) continue;
    const uses = source.split(new RegExp(`(?<![\\w$])${name.replace(/\$/g, "\\$")}(?![\\w$])`)).length - 1;
    if (uses === 1)
      return `The function ${name} is declared and never called, so nothing ran. End the script with: return await ${name}();`;
  }
  return undefined;
}
