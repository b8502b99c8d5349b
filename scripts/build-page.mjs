// `npm run build:page`: puts the script of the trace page into one text, which the page carries. The sources are checked and
// translated by the compiler; each module becomes a function that gives what it exports. A test compares the result with the
// sources (test/trace/page/client-script.test.ts).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "src/trace/page/client-script.ts");
const IMPORT = /^import \{([^}]*)\} from "([^"]+)";\n/gm;
const EXPORT = /^export (?=(?:const|let|class|function\*?|async function\*?) ([\w$]+))/gm;

/** The text of `client-script.ts`, as the sources give it. */
export function buildPageScript() {
  const output = mkdtempSync(join(tmpdir(), "nestcall-page-"));
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const args = [compiler, "-p", "src/trace/page/client/tsconfig.json", "--outDir", output];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`The script of the page does not compile:\n${stdout}`);
    return moduleText(bundle(output, "trace/page/client/main.js"));
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function bundle(folder, main) {
  const names = new Map();
  const parts = [];
  const visit = (path) => {
    const known = names.get(path);
    if (known === "") throw new Error(`${path} imports itself over others.`);
    if (known !== undefined) return known;
    names.set(path, "");
    const text = readFileSync(join(folder, path), "utf8");
    const code = text.replace(IMPORT, (_line, list, source) => {
      const from = visit(normalize(join(dirname(path), source)));
      return `const {${list.replace(/ as /g, ": ")}} = ${from};\n`;
    });
    const name = `m${parts.length}`;
    names.set(path, name);
    parts.push(asFunction(name, code, path));
    return name;
  };
  visit(main);
  return `"use strict";\n(() => {\n${parts.join("\n")}\n})();\n`;
}

function asFunction(name, code, path) {
  const given = Array.from(code.matchAll(EXPORT), ([, exported]) => exported);
  const body = code
    .replace(EXPORT, "")
    .replace(/^export \{\};\n?/m, "")
    .trim();
  if (/^(?:import|export)\b/m.test(body))
    throw new Error(`${path} has an import or export of a form that is not known here.`);
  return `const ${name} = (() => {\n${body}\nreturn { ${given.join(", ")} };\n})();`;
}

function moduleText(code) {
  // Either would end or hide the script that it stands in.
  if (/<\/script|<!--/i.test(code)) throw new Error("The script of the page holds what would end it in HTML.");
  return [
    "// Made by scripts/build-page.mjs from client/main.ts and what it imports; run `npm run build:page` after a change there.",
    `export const CLIENT_SCRIPT =\n  ${JSON.stringify(code)};`,
    "",
  ].join("\n");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(target, buildPageScript());
}
