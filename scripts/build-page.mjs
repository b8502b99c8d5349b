// `npm run build:page`: puts the script of the trace page into one text, which the page carries. The compiler checks the
// sources; esbuild makes one script of them. A test compares the result with the sources (test/trace/page/trace-page.test.ts).
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "src/trace/page/client-script.ts");

/** @throws Error with what the compiler found. */
export function checkPageScript() {
  const args = [join(root, "node_modules/typescript/bin/tsc"), "-p", "src/trace/page/client/tsconfig.json", "--noEmit"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`The script of the page does not compile:\n${stdout}`);
}

/** The text of `client-script.ts`, as the sources give it. */
export function buildPageScript() {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: ["src/trace/page/client/main.ts"],
    bundle: true,
    format: "iife",
    target: "es2022",
    minify: true,
    write: false,
  });
  const code = outputFiles[0].text;
  // Either would end or hide the script that it stands in.
  if (/<\/script|<!--/i.test(code)) throw new Error("The script of the page holds what would end it in HTML.");
  return [
    "// Made by scripts/build-page.mjs from client/main.ts and what it imports; run `npm run build:page` after a change there.",
    `export const CLIENT_SCRIPT =\n  ${JSON.stringify(code)};`,
    "",
  ].join("\n");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkPageScript();
  writeFileSync(target, buildPageScript());
}
