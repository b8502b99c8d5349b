// Rows of features.md that are advice: A4, A6, A26; and the other notes of lintTool.
import { blankToAbsent, defineTool, type LintNote, lintTool, NestcallError, type Tool, Type } from "nestcall";
import { expect, test } from "vitest";
import { z } from "zod";
import { at, type Data, refusal } from "../helpers/engine.js";

const GOOD = {
  name: "files_read",
  description: "Reads a text file and gives back its lines, numbered from 1.",
  inputSchema: Type.Object(
    { path: Type.String({ description: "Relative to the working directory.", minLength: 1 }) },
    { additionalProperties: false },
  ),
  effect: "read",
  execute: () => "ran",
};
const define = (fields: Data) => defineTool({ ...GOOD, ...fields } as never) as unknown as Tool;
const notesOn = (fields: Data) => lintTool(define(fields));
const placesOf = (notes: readonly LintNote[]) => notes.map(({ rule, place }) => `${rule} ${place}`);

test("a tool that keeps to all of it has no notes, defined or not", () => {
  expect(notesOn({})).toEqual([]);
  expect(lintTool(GOOD as never)).toEqual([]);
  expect(() => lintTool({ ...GOOD, name: "no name" } as never)).toThrow(NestcallError);
});

test("A4: a name that does not read <package>_<operation> is defined all the same, with a note", () => {
  for (const name of ["read", "readFile", "Files_read", "files-read", "files__read", "_files_read", "mcp__s__t"]) {
    expect([name, placesOf(notesOn({ name }))]).toEqual([name, ["name-form name"]]);
  }
  for (const name of ["files_read", "web2_search", "git_log_short", "s3_2"]) expect(notesOn({ name })).toEqual([]);
});

test("A6: an empty description is refused", () => {
  for (const description of ["", "  \n", undefined]) expect(refusal({ description })).toContain("description must be");
});

test("A6: a description says more than the name, and ends as a sentence", () => {
  const isNoted = (description: string, name = "run_checks") =>
    notesOn({ name, description }).map(({ rule, place, text }) => `${rule} ${place} ${text.split(" ")[0]}`);
  const more = "description-complete description Say";
  const end = "description-complete description End";
  for (const text of ["Run checks.", "Runs the checks.", "Run a check.", "Tool to run some checks.", "runChecks."]) {
    expect([text, isNoted(text)]).toEqual([text, [more]]);
  }
  expect(isNoted("run_checks")).toEqual([more, end]);
  expect(isNoted("Runs the type check and the unit tests")).toEqual([end]);
  for (const text of [
    "Runs the type check and the unit tests.",
    "Runs the unit tests!\n",
    "Runs the unit tests (all of them).",
    "Runs what is in `npm test.`",
    "运行单元测试。",
  ]) {
    expect([text, isNoted(text)]).toEqual([text, []]);
  }
});

test("A6: the whole instruction is in the description, since an MCP client sees nothing else", () => {
  const snippet = "Reads a file; give the path relative to the working directory, and the lines that you want.";
  expect(notesOn({ snippet }).map(({ text }) => text)).toEqual([expect.stringContaining("MCP client")]);
  expect(notesOn({ snippet: "Reads a file." })).toEqual([]);
});

const described = (schema: Data) => ({ description: "What it is.", ...schema });
const object = (properties: Data, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

test("A26: minLength on an optional text is noted, wherever it is; on a required one it is not", () => {
  const text = described({ type: "string", minLength: 1 });
  const inputSchema = object(
    {
      required: text,
      optional: text,
      nullable: described({ anyOf: [{ type: "string", minLength: 2 }, { type: "null" }] }),
      list: described({ type: "array", items: object({ inner: text }) }),
      referred: described({ $ref: "#/$defs/word" }),
      either: described({ oneOf: [object({ deep: text }, ["deep"]), object({ deeper: text })] }),
      untyped: described({ minLength: 1 }),
      fine: described({ type: "string", minLength: 0, maxLength: 200, pattern: "^a" }),
      items: described({ type: "array", minItems: 1 }),
      odd: described({ type: "integer", minLength: 1 }),
    },
    ["required"],
  );
  expect(placesOf(notesOn({ inputSchema: { ...inputSchema, $defs: { word: { ...text } } } }))).toEqual(
    [
      "inputSchema.properties.optional",
      "inputSchema.properties.nullable",
      "inputSchema.properties.list.items.properties.inner",
      "inputSchema.properties.referred",
      "inputSchema.properties.either.oneOf[1].properties.deeper",
      "inputSchema.properties.untyped",
    ].map((place) => `optional-text ${place}`),
  );
});

test("A26: a TypeBox or zod schema is read as its JSON Schema", () => {
  const text = Type.Optional(Type.String({ description: "What it is.", minLength: 1 }));
  const notes = [
    notesOn({ inputSchema: Type.Object({ query: text }, { additionalProperties: false }) }),
    notesOn({ inputSchema: z.object({ query: z.string().min(1).describe("What it is.").optional() }) }),
  ];
  for (const each of notes) expect(placesOf(each)).toEqual(["optional-text inputSchema.properties.query"]);
  expect(at(notes[0], 0).text).toContain("blankToAbsent");
});

test("A26: blankToAbsent trims, and takes blank, null and absent for the same", () => {
  for (const blank of ["", "  ", "\n\t ", "\u00a0", null, undefined]) expect(blankToAbsent(blank)).toBeUndefined();
  expect(blankToAbsent("  a b \n")).toBe("a b");
});

test("a parameter without a description is noted once, at the first place that uses it", () => {
  const node = { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } } };
  const inputSchema = {
    ...object({
      bare: { type: "string" },
      blank: { type: "string", description: " " },
      branch: { anyOf: [described({ type: "string" }), { type: "null" }] },
      referred: { $ref: "#/$defs/known" },
      tree: described({ $ref: "#/$defs/node" }),
      again: described({ $ref: "#/$defs/node" }),
      "odd key": {},
    }),
    $defs: { node, known: described({ type: "string" }) },
  };
  expect(placesOf(notesOn({ inputSchema, strict: false }))).toEqual(
    [
      "inputSchema.properties.bare",
      "inputSchema.properties.blank",
      "inputSchema.properties.tree.properties.children",
      'inputSchema.properties["odd key"]',
    ].map((place) => `parameter-description ${place}`),
  );
});

test("hints that are missing or contradict each other are noted", () => {
  const hints = (annotations: Data, more: Data = {}) => placesOf(notesOn({ effect: undefined, annotations, ...more }));
  expect(hints({})).toEqual(["annotations-given annotations"]);
  expect(hints({ title: "T" })).toEqual(["annotations-given annotations"]);
  expect(hints({ openWorldHint: false })).toEqual([]);
  expect(hints({ readOnlyHint: true, destructiveHint: true })).toEqual([
    "annotations-consistent annotations.destructiveHint",
  ]);
  expect(hints({ readOnlyHint: true, destructiveHint: false })).toEqual([]);
  expect(hints({ readOnlyHint: true }, { mutates: () => [] })).toEqual([
    "annotations-consistent annotations.readOnlyHint",
  ]);
  expect(hints({ readOnlyHint: true, title: "A" }, { title: "B" })).toEqual([
    "annotations-consistent annotations.title",
  ]);
  expect(hints({ readOnlyHint: true, title: "A" }, { title: "A" })).toEqual([]);
});
