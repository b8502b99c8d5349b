// The forms in which models write scripts (design/codemode.md 7), each with what it must give.
import { expect } from "vitest";
import type { Lab } from "./lab.js";

export interface SourceForm {
  readonly name: string;
  readonly source: string;
  /** Wanted value; default 7. */
  readonly value?: unknown;
  /** Wanted among the warnings; without it there must be none. */
  readonly warning?: RegExp;
  /** The script must fail with this message instead. */
  readonly error?: RegExp;
}

const FENCE = "```";
const getSeven = "const row = await tools.echo({ n: 7 });";

export const SOURCE_FORMS: readonly SourceForm[] = [
  { name: "a body with return", source: `${getSeven}\nreturn row.n;` },
  { name: "an expression", source: "3 + 4" },
  { name: "a last expression", source: `${getSeven}\nrow.n` },
  { name: "a last expression with a semicolon", source: `${getSeven}\nrow.n;` },
  { name: "a last expression that is a promise", source: "tools.echo(7)" },
  { name: "an awaited last expression", source: "await tools.echo(7)" },
  { name: "an object in brackets", source: "({ n: 7 })", value: { n: 7 } },
  { name: "a loop before the last expression", source: "let sum = 0;\nfor (const n of [3, 4]) sum += n;\nsum" },
  { name: "a return inside a branch", source: "if (true) {\n  return 7;\n}\nreturn 8;" },
  { name: "no value", source: "const seven = 7;", value: undefined },
  { name: "an arrow function", source: "async () => {\n  return 7;\n}" },
  { name: "an arrow function with a semicolon", source: "async () => 7;" },
  {
    name: "an arrow function that takes the tools",
    source: `async ({ tools }) => {\n  ${getSeven}\n  return row.n;\n}`,
  },
  { name: "an arrow function after a comment", source: "// Gives seven.\nasync () => 7" },
  { name: "an arrow function in brackets", source: "(async () => 7)" },
  { name: "a function expression", source: "(async function () { return 7; })" },
  {
    name: "a main function that is called",
    source: `async function main() {\n  ${getSeven}\n  return row.n;\n}\nmain();`,
  },
  { name: "a main function that is awaited", source: "async function main() { return 7; }\nawait main()" },
  {
    name: "a main function whose value is returned",
    source: "async function main() { return 7; }\nreturn await main();",
  },
  { name: "a function that calls itself", source: "(async () => { return 7; })()" },
  { name: "a function that calls itself after a semicolon", source: ";(async () => 7)();" },
  { name: "export default function", source: `export default async function () {\n  ${getSeven}\n  return row.n;\n}` },
  {
    name: "export default named function",
    source: "export default async function main({ tools }) { return await tools.echo(7); }",
  },
  { name: "export default arrow", source: "export default async ({ tools }) => (await tools.echo({ n: 7 })).n;" },
  { name: "export default value", source: "const seven = 7;\nexport default seven;" },
  { name: "a fence", source: `${FENCE}js\nreturn 7;\n${FENCE}` },
  { name: "a fence with blank lines around it", source: `\n${FENCE}javascript\n3 + 4\n${FENCE}\n\n` },
  { name: "a fence without a language", source: `${FENCE}\nasync () => 7\n${FENCE}` },
  { name: "a fence of TypeScript", source: `${FENCE}typescript\nconst n: number = 7;\nreturn n;\n${FENCE}` },
  {
    name: "a fence with prose around it",
    source: `Here is it:\n\n${FENCE}js\nreturn 7;\n${FENCE}\nThat gives seven.`,
    warning: /fence|prose|block/i,
  },
  { name: "a fence inside a text", source: `const text = "${FENCE}js";\nreturn text.length + 2;` },
  {
    name: "a fence inside a template",
    source: "const doc = `\n\\`\\`\\`js\nreturn 8;\n\\`\\`\\`\n`;\nreturn doc.length > 7 ? 7 : 0;",
  },
  { name: "a type annotation", source: "const n: number = 7;\nreturn n;" },
  { name: "a type annotation before a last expression", source: "const n: number = 7;\nn" },
  {
    name: "an interface",
    source: "interface Row { readonly n: number; m?: string }\nconst row: Row = { n: 7 };\nreturn row.n;",
  },
  {
    name: "a type alias",
    source: "type Rows = ReadonlyArray<{ n: number }>;\nconst rows: Rows = [{ n: 7 }];\nreturn rows[0]!.n;",
  },
  { name: "as", source: "const n = 7 as unknown as number;\nreturn n;" },
  { name: "satisfies", source: "return { n: 7 } satisfies { n: number };", value: { n: 7 } },
  { name: "generics", source: "function same<T>(value: T): T { return value; }\nreturn same<number>(7);" },
  {
    name: "a tool called with a type argument",
    source: "const row = await tools.echo<{ n: number }>({ n: 7 });\nreturn row.n;",
  },
  { name: "a tool called with a type argument, as last expression", source: "(await tools.echo<Row>({ n: 7 })).n" },
  {
    name: "a tool in brackets called with a type argument",
    source: 'class Row {}\nconst row = await tools["echo"]<Row>({ n: 7 });\nreturn row.n;',
  },
  {
    name: "a function called with type arguments",
    source:
      "class Row {}\nconst rows = await parallel<Row, Array<Row>>([3, 4], (n) => n, 2);\nreturn rows[0] + rows[1];",
  },
  {
    name: "a comparison without spaces",
    source: "const [a, b, c] = [1, 2, 3];\nreturn a<b && c>(2) ? 7 : 0;",
  },
  {
    name: "a comparison that looks like a type argument",
    source: "const [a, b, c] = [1, 2, 3];\nreturn a < b && c > (2) ? 7 : 0;",
  },
  {
    name: "a typed arrow function",
    source: "async ({ tools }: { tools: any }): Promise<number> => (await tools.echo({ n: 7 })).n",
  },
  {
    name: "a typed export default",
    source: "export default async function main({ tools }: any): Promise<number> {\n  return 7;\n}",
  },
  { name: "an enum", source: "enum Colour { Red = 7, Blue }\nreturn Colour.Red;" },
  {
    name: "a parameter property",
    source: "class Point { constructor(readonly x: number) {} }\nreturn new Point(7).x;",
  },
  {
    name: "a class with typed fields",
    source:
      "class Box<T> { private value?: T; set(v: T): this { this.value = v; return this; } get(): T | undefined { return this.value; } }\nreturn new Box<number>().set(7).get();",
  },
  { name: "a hash-bang", source: "#!/usr/bin/env node\nreturn 7;" },
  { name: "a byte order mark", source: "\ufeffreturn 7;" },
  { name: "lines that end in CRLF", source: `${getSeven}\r\n// a comment\r\nreturn row.n;\r\n` },
  { name: "a comment at the end", source: "return 7; // seven" },
  { name: "a comment at the end of an expression", source: "3 + 4 // seven" },
  { name: "a comment as in HTML", source: "<!-- seven\nreturn 7;" },
  { name: "strict code", source: '"use strict";\nreturn 7;' },
  { name: "a line of options", source: '// @options: { "cpuMs": 1000 }\nreturn 7;' },
  { name: "a line of options before an arrow function", source: '// @options: { "cpuMs": 1000 }\nasync () => 7' },
  { name: "an option that is unknown", source: '// @options: { "speed": 9 }\nreturn 7;', warning: /speed/ },
  { name: "options that are no JSON", source: "// @options: { speed\nreturn 7;", warning: /options/ },
  {
    name: "a function that is declared and never called",
    source: "async function main() {\n  return 7;\n}",
    value: undefined,
    warning: /main/,
  },
  {
    name: "an import",
    source: 'import fs from "node:fs";\nreturn fs.readFileSync("x", "utf8");',
    error: /import.*tools/s,
  },
  {
    name: "a named import",
    source: 'import { readFile } from "fs/promises";\nexport default async () => 7;',
    error: /import.*tools/s,
  },
];

/** Runs one form, and expects what its row says. */
export async function runForm(lab: Lab, form: SourceForm): Promise<void> {
  const { name, source, warning, error } = form;
  const run = await lab.run(source);
  if (error !== undefined) {
    expect([name, run.status, run.error?.message]).toEqual([name, "error", expect.stringMatching(error)]);
    return;
  }
  const wanted = "value" in form ? form.value : 7;
  expect([name, run.status, run.error?.message, run.value]).toEqual([name, "ok", undefined, wanted]);
  if (warning === undefined) expect([name, run.warnings]).toEqual([name, []]);
  else expect([name, run.warnings.join("\n")]).toEqual([name, expect.stringMatching(warning)]);
}
