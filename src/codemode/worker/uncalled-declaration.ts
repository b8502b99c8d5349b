// A script that only declares a function has done nothing, which its author must hear.

const BEFORE = String.raw`^[ \t]*(export[ \t]+)?`;
const FUNCTION = String.raw`(?:async[ \t]+)?function\b[ \t]*\*?[ \t]*([\w$]+)`;
const ARROW = String.raw`(?:async\b[ \t]*)?(?:function\b|(?:\([^)]*\)(?:[ \t]*:[^=\n]{1,200})?|[\w$]+)[ \t]*=>)`;
const VARIABLE = String.raw`(?:const|let|var)[ \t]+([\w$]+)[ \t]*=[ \t]*${ARROW}`;
const DECLARATION = new RegExp(`${BEFORE}(?:${FUNCTION}|${VARIABLE})`, "gm");
/** To export a name is no use of it, unless it is the default. */
const EXPORTED_NAMES = /\bexport\s*\{(?![^}]*\bdefault\b)[^}]*\}/g;

/** The warning for a function that is declared at the beginning of a line and named nowhere else. */
export function uncalledDeclaration(source: string): string | undefined {
  const code = source.replace(EXPORTED_NAMES, "");
  for (const [, exported, declared, assigned] of code.matchAll(DECLARATION)) {
    const name = declared ?? assigned;
    if (name === undefined) continue;
    const uses = code.split(new RegExp(`(?<![\\w$])${name.replace(/\$/g, "\\$")}(?![\\w$])`)).length - 1;
    if (uses !== 1) continue;
    const isExported = exported !== undefined || code !== source;
    const ending = isExported ? `export default await ${name}();` : `return await ${name}();`;
    return `The function ${name} is declared and never called, so nothing ran. End the script with: ${ending}`;
  }
  return undefined;
}
