// One definition through any front door (A29): the same checks for each. A door is described by `DoorUnderTest`; its tests
// are made by `testDoor`, and their names start with the row that they show.
import { type Static, type ToolAnnotations, Type } from "nestcall";
import { drawingToText } from "nestcall/trace";
import { expect, test } from "vitest";
import { drawResultContent } from "../../src/registry/default-renderers.js";

interface SampleResult {
  readonly content: readonly ({ readonly type: "text"; readonly text: string } | SampleImage)[];
  readonly details: unknown;
  readonly isError?: boolean;
}
interface SampleImage {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/** What the author of the sample says, in no door's words. */
export interface Sample {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly snippet: string;
  readonly guidelines: readonly string[];
  readonly effect: "read" | "write" | "destructive";
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  readonly schema: typeof SAMPLE_SCHEMA;
  readonly run: (input: SampleInput, signal: AbortSignal) => SampleResult | Promise<SampleResult>;
}

/** What a host or a model is shown of the sample, under our names. */
export interface ShownTool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly schema: unknown;
  readonly annotations: ToolAnnotations | undefined;
  /** `undefined` where the host has no such list. */
  readonly snippet: string | undefined;
  readonly guidelines: readonly string[] | undefined;
}
/** What came back for the model, and beside it. */
export interface Reply {
  readonly isError: boolean;
  readonly content: readonly unknown[];
  readonly details: unknown;
}
export interface OpenDoor {
  readonly shown: ShownTool;
  readonly call: (args: unknown, signal?: AbortSignal) => Promise<Reply>;
}

export interface DoorUnderTest {
  readonly name: string;
  readonly open: (sample: Sample) => OpenDoor | Promise<OpenDoor>;
  /** Fields of the sample for which the host has no place. */
  readonly leavesOut?: readonly ("snippet" | "guidelines")[];
  /** `one line`: the door itself puts the text of a failure on a line. `data`: whoever draws the text makes it harmless. */
  readonly failureText: "one line" | "data";
}

/** The constraints of the documents' own sample (A31). */
const SAMPLE_SCHEMA = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200, description: "One line." }),
    project: Type.String({ pattern: "^[a-z][a-z0-9-]*$" }),
    priority: Type.Optional(Type.Enum(["low", "normal", "high"])),
  },
  { additionalProperties: false },
);
type SampleInput = Static<typeof SAMPLE_SCHEMA>;

const INPUT = { title: "Fix it", project: "web" };
const EVIL = "first\nforged: line\u001b[31mred\u202e\u2028x";
const UNSAFE = ["\u001b", "\u202e", "\u2028"];

/** An issue is created; the titles `throw`, `fail`, `wait` and `draw` do what they say. */
function run({ title, project, priority = "normal" }: SampleInput, signal: AbortSignal) {
  if (title === "throw") throw new Error(EVIL);
  if (title === "fail") return { content: [text(EVIL)], details: { reason: "closed" }, isError: true };
  if (title === "draw")
    return { content: [{ type: "image", data: "AA==", mimeType: "image/png" } as const], details: {} };
  if (title === "wait")
    return new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  return { content: [text(`Created in ${project}, priority ${priority}.`)], details: { secret: "s3cret", priority } };
}
const text = (value: string) => ({ type: "text" as const, text: value });

const SAMPLE: Sample = {
  name: "tracker_create_issue",
  title: "Create issue",
  description: "Creates an issue in a project of the tracker and says so.",
  snippet: "Create an issue in the tracker",
  guidelines: ["Search for duplicates first.", "Give it a title of one line."],
  effect: "write",
  idempotent: false,
  openWorld: true,
  schema: SAMPLE_SCHEMA,
  run,
};

const HINTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

export function testDoor(door: DoorUnderTest): void {
  const open = () => door.open(SAMPLE);
  const has = (field: "snippet" | "guidelines") => door.leavesOut?.includes(field) !== true;

  test(`A5: ${door.name}: the title is what people read`, async () => {
    const { shown } = await open();
    expect([shown.name, shown.title, shown.description]).toEqual([SAMPLE.name, SAMPLE.title, SAMPLE.description]);
  });

  test(`A7: ${door.name}: the snippet is ${has("snippet") ? "told" : "left out"}`, async () => {
    expect((await open()).shown.snippet).toBe(has("snippet") ? SAMPLE.snippet : undefined);
  });

  test(`A8: ${door.name}: the guidelines are ${has("guidelines") ? "told" : "left out"}`, async () => {
    expect((await open()).shown.guidelines).toEqual(has("guidelines") ? SAMPLE.guidelines : undefined);
  });

  test(`A9: ${door.name}: the effect is told as MCP's hints, all that apply`, async () => {
    expect((await open()).shown.annotations).toEqual(HINTS);
    const reading = await door.open({ ...SAMPLE, effect: "read", idempotent: true, openWorld: false });
    expect(reading.shown.annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
    const losing = await door.open({ ...SAMPLE, effect: "destructive" });
    expect(losing.shown.annotations).toEqual({ ...HINTS, destructiveHint: true });
  });

  test(`A13: ${door.name}: a result may come at once or later, and an abort reaches the tool`, async () => {
    const { call } = await open();
    const later = await door.open({ ...SAMPLE, run: async (input, signal) => await run(input, signal) });
    expect(await call(INPUT)).toEqual(await later.call(INPUT));
    const controller = new AbortController();
    const waiting = call({ ...INPUT, title: "wait" }, controller.signal);
    setImmediate(() => controller.abort(new Error("stopped")));
    expect((await waiting).isError).toBe(true);
  });

  test(`A14: ${door.name}: content and details come back as they were given, an image too`, async () => {
    const { call } = await open();
    expect((await call({ ...INPUT, title: "draw" })).content).toEqual([
      { type: "image", data: "AA==", mimeType: "image/png" },
    ]);
    const reply = await call(INPUT);
    expect(reply.details).toEqual({ secret: "s3cret", priority: "normal" });
    expect(JSON.stringify(reply.content)).not.toContain("s3cret");
  });

  test(`A29: ${door.name}: the one definition does what it does through every door`, async () => {
    const { call } = await open();
    const told = { content: [text("Created in web, priority high.")], details: { secret: "s3cret", priority: "high" } };
    expect(await call({ ...INPUT, priority: "high" })).toEqual({ isError: false, ...told });
  });

  test(`A30: ${door.name}: bad input never reaches the tool, and no line of the report is the caller's`, async () => {
    let runs = 0;
    const { call } = await door.open({ ...SAMPLE, run: (input, signal) => (runs++, run(input, signal)) });
    for (const bad of [
      { title: "t" },
      { ...INPUT, priority: EVIL },
      { ...INPUT, [EVIL]: 1 },
      { ...INPUT, title: "" },
    ]) {
      const { isError, content } = await call(bad);
      expect([isError, runs]).toEqual([true, 0]);
      const lines = textOf(content).split("\n");
      expect(lines.filter((line) => line.startsWith("forged"))).toEqual([]);
      for (const unsafe of UNSAFE) expect(textOf(content)).not.toContain(unsafe);
    }
  });

  test.each(["throw", "fail"])(
    `A30: ${door.name}: a failure that the tool reports by %s is a failure with its text`,
    async (title) => {
      const { call } = await open();
      const { isError, content, details } = await call({ ...INPUT, title });
      expect(isError).toBe(true);
      if (title === "fail") expect(details).toEqual({ reason: "closed" });
      const shown = door.failureText === "one line" ? textOf(content) : drawn(content);
      expect(shown).toContain("first");
      for (const unsafe of UNSAFE) expect(shown).not.toContain(unsafe);
      if (door.failureText === "one line") expect(shown.split("\n")).toHaveLength(1);
      else expect(textOf(content)).toBe(EVIL);
    },
  );

  test(`A31: ${door.name}: the schema is told as it was written, with every constraint`, async () => {
    const { shown, call } = await open();
    expect(JSON.parse(JSON.stringify(shown.schema))).toEqual(JSON.parse(JSON.stringify(SAMPLE_SCHEMA)));
    for (const bad of [{ title: "x".repeat(201) }, { project: "Web" }, { priority: "urgent" }]) {
      expect((await call({ ...INPUT, ...bad })).isError).toBe(true);
    }
    expect((await call({ ...INPUT, title: "x".repeat(200) })).isError).toBe(false);
  });
}

function textOf(content: readonly unknown[]): string {
  return content.map((block) => (block as { readonly text?: string }).text ?? "").join("\n");
}

/** As the library itself draws a failed result in a terminal. */
function drawn(content: readonly unknown[]): string {
  return drawingToText(drawResultContent({ content, isError: true }, {}), { width: 200 });
}
