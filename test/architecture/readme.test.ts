import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the README's first program is example 01, line by line", () => {
  const [, program] = read("README.md").split("```ts\n");
  expect(program?.split("\n```")[0]).toBe(read("examples/01-first-nested-call.ts").trimEnd());
});

test("every example has a row in the README's table", () => {
  const rows = read("README.md").match(/\(examples\/[^)]+\)/g) ?? [];
  expect(rows.map((row) => row.slice(10, -1))).toEqual([
    "01-first-nested-call.ts",
    "02-review-guard/main.ts",
    "03-sequential-file-tools.ts",
    "04-batch-terminate.ts",
    "05-script-host.ts",
    "06-file-agent.ts",
    "07-codemode.ts",
    "08-resume.ts",
    "09-three-doors.ts",
  ]);
});
