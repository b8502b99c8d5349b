// STYLE 6: every code has a row in the README's error table, and the table has no other.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ErrorCode } from "nestcall";
import { expect, test } from "vitest";
import { ROOT } from "../helpers/source-files.js";

/** What DESIGN 4.3 lists. */
const DESIGN = [
  "INVALID_TOOL",
  "UNKNOWN_TOOL",
  "INVALID_ARGUMENTS",
  "BLOCKED",
  "ABORTED",
  "TIMEOUT",
  "DEPTH_EXCEEDED",
  "CALLS_EXCEEDED",
  "DEADLOCK",
  "CALLER_FINISHED",
  "INVALID_RESULT",
  "INVALID_OUTPUT",
  "TOOL_FAILED",
  "TRANSPORT_FAILED",
  "HOOK_FAILED",
  "CLOSED",
];

test("4.3: the codes are those of the design, each equal to its name", () => {
  expect(Object.keys(ErrorCode).sort()).toEqual([...DESIGN].sort());
  expect(Object.entries(ErrorCode).filter(([name, code]) => name !== code)).toEqual([]);
});

test("4.3: the README's error table has one row for each code, with its meaning and remedy", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \|([^|\n]+)\|([^|\n]+)\|/gm)];
  const told = rows.filter(([, , meaning, remedy]) => meaning?.trim() !== "" && remedy?.trim() !== "");
  expect(told.map(([, code]) => code).sort()).toEqual(Object.keys(ErrorCode).sort());
});
