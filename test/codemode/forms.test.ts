// The source forms of design/codemode.md 7, one test a form, and the lines that errors name in each.
import { afterAll, describe, expect, test } from "vitest";
import { Lab, labRuntime } from "./lab.js";
import { runForm, SOURCE_FORMS } from "./source-forms.js";

const runtime = labRuntime();
afterAll(() => runtime.close());

const run = (source: string) => new Lab(runtime).run(source);
const FENCE = "```";

test.each(SOURCE_FORMS)("forms: $name", (form) => runForm(new Lab(runtime), form));

describe("7.1, lines are those of the text that the model wrote", () => {
  const BEFORE = {
    nothing: "",
    "a byte order mark": "\ufeff",
    "a hash-bang": "#!/usr/bin/env node\n",
    "a line of options": '// @options: { "cpuMs": 1000 }\n',
    "a fence": `${FENCE}ts\n`,
    "prose and a fence": `Here it is.\nWatch.\n\n${FENCE}ts\n`,
    "CRLF lines": "const crlf = 1;\r\n",
  };
  const BODY = {
    "plain code": { source: 'const a = 1;\nthrow new Error("here");', line: 2 },
    "a last expression": { source: "const a = {};\na.b.c", line: 2 },
    "an arrow function": { source: "async () => {\n  const a = {};\n  return a.b.c;\n}", line: 3 },
    "an export": { source: "export default async () => {\n  const a = {};\n  return a.b.c;\n};", line: 3 },
    types: { source: "interface A {\n  b?: { c: number };\n}\nconst a: A = {};\nreturn a.b!.c;", line: 5 },
    "an enum": { source: "enum E {\n  A,\n}\nconst a = {};\nreturn a.b[E.A];", line: 5 },
    "a syntax error": { source: "const a = 1;\nconst = 2;", line: 2 },
    "a syntax error among types": { source: "const a: number = 1;\nconst b: = 2;", line: 2 },
    "a failed call": { source: "const a = 1;\nawait tools.fail({});", line: 2 },
    "a failed call after others": {
      source: "await tools.echo({});\nawait tools.echo({});\nawait tools.fail({});",
      line: 3,
    },
  };
  const cases = Object.entries(BEFORE).flatMap(([first, before]) =>
    Object.entries(BODY).map(([second, { source, line }]) => ({ first, second, before, source, line })),
  );
  test.each(cases)("$second after $first", async ({ before, source, line }) => {
    const after = before.includes(FENCE) ? `\n${FENCE}` : "";
    const { status, error } = await run(`${before}${source}${after}`);
    expect([status, error?.line]).toEqual(["error", line + before.split("\n").length - 1]);
  });
});

describe("7.1, options of a script", () => {
  test("a limit that it lowers ends it", async () => {
    const { status, error } = await run('// @options: { "cpuMs": 50 }\nfor (;;) {}');
    expect([status, error?.limit]).toEqual(["limit", "cpu"]);
  });

  test("a limit that it raises beyond the host's stays the host's", async () => {
    const lab = new Lab(runtime);
    const source = '// @options: { "cpuMs": 60000 }\nfor (;;) {}';
    const { status, error, timings } = await lab.run(source, lab.tools, { limits: { cpuMs: 100 } });
    expect([status, error?.limit]).toEqual(["limit", "cpu"]);
    expect(timings.cpuMs).toBeLessThan(5000);
  });
});

test("forms: a source beyond 256 KiB is refused", async () => {
  const { status, error } = await run(`return 7; // ${"x".repeat(256 * 1024)}`);
  expect(status).not.toBe("ok");
  expect(error?.message).toMatch(/256|262,?144/);
});

test("forms: a source that is no text is refused with a message", async () => {
  await expect(run(7 as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
});

test("forms: TypeScript that stays wrong is told with the line of the source", async () => {
  const { error } = await run("interface A {\n  n: number;\n}\nconst a: A = { n: 1 };\nreturn a.n +;");
  expect(error).toMatchObject({ name: "SyntaxError", line: 5 });
});
