// Advice on a definition that is allowed as it is. What must not be is refused by defineTool.
import { defineTool, isDefinedTool } from "./define-tool.js";
import { lintSchema } from "./lint-schema.js";
import { schemaCheckOf } from "./schema-check.js";
import type { Tool, ToolDefinition } from "./tool.js";

export type LintRule =
  | "name-form"
  | "description-complete"
  | "parameter-description"
  | "optional-text"
  | "annotations-given"
  | "annotations-consistent";

export interface LintNote {
  readonly rule: LintRule;
  /** The field or the place in a schema: `description`, `inputSchema.properties.path`. */
  readonly place: string;
  /** One sentence that says what to do, and why. */
  readonly text: string;
}

const NAME_FORM = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;
const SENTENCE_END = /[.!?…。！？]["'`’”»)\]]*$/u;
/** They say nothing about what a tool does. */
const FILLERS: ReadonlySet<string> = new Set(
  "a an and any are be by do does for from in into is it its of on or some that the this to tool tools with".split(" "),
);
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * What the documents advise and no rule wants: a name that reads `<package>_<operation>`, a description that is the
 * whole instruction, a description for each parameter, optional texts that may be empty, and hints that are there and
 * agree with each other.
 *
 * @returns Notes in the order of the fields; empty for a tool that keeps to all of it.
 * @throws NestcallError `INVALID_TOOL` for a definition that `defineTool` refuses.
 */
export function lintTool(tool: Tool | ToolDefinition): LintNote[] {
  const defined = isDefinedTool(tool) ? tool : (defineTool(tool) as unknown as Tool); // checked by defineTool
  const { jsonSchema } = schemaCheckOf(defined.inputSchema);
  return [...lintName(defined), ...lintDescription(defined), ...lintSchema(jsonSchema), ...lintAnnotations(defined)];
}

function lintName({ name }: Tool): LintNote[] {
  if (NAME_FORM.test(name)) return [];
  const text = "A name reads best as <package>_<operation>, in lowercase letters and digits, such as files_read.";
  return [{ rule: "name-form", place: "name", text }];
}

function lintDescription({ name, description, snippet }: Tool): LintNote[] {
  const texts: string[] = [];
  if (!saysMore(description, name)) {
    texts.push("Say more than the name does: what the tool does, when to use it, what it gives back.");
  }
  if (!SENTENCE_END.test(description.trimEnd())) {
    texts.push("End it as a sentence: a text that just stops reads as if something was cut off.");
  }
  if (snippet !== undefined && description.length < snippet.length) {
    texts.push("Put the whole instruction here: an MCP client sees neither snippet nor guidelines.");
  }
  return texts.map((text) => ({ rule: "description-complete", place: "description", text }));
}

/** Whether a word is left once those of the name and the fillers are gone; `Runs` counts as `run`. */
function saysMore(description: string, name: string): boolean {
  const named = wordsOf(name);
  const isNamed = (word: string) =>
    named.some((own) => word.startsWith(own) || (word.length > 2 && own.startsWith(word)));
  return wordsOf(description).some((word) => !FILLERS.has(word) && !isNamed(word));
}

function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  return apart.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function lintAnnotations({ annotations, title, mutates }: Tool): LintNote[] {
  if (HINTS.every((hint) => annotations[hint] === undefined)) {
    const text =
      "Say what the tool does (effect, or MCP's hints): without them it counts as destructive and is asked for.";
    return [{ rule: "annotations-given", place: "annotations", text }];
  }
  const notes: LintNote[] = [];
  const note = (place: string, text: string) => notes.push({ rule: "annotations-consistent", place, text });
  if (annotations.readOnlyHint === true && annotations.destructiveHint === true) {
    note(
      "annotations.destructiveHint",
      "A read-only tool destroys nothing: give one of the two hints, or destructiveHint false.",
    );
  }
  if (annotations.readOnlyHint === true && mutates !== undefined) {
    note("annotations.readOnlyHint", "The tool names files that it changes (mutates), so it is not read-only.");
  }
  if (title !== undefined && annotations.title !== undefined && annotations.title !== title) {
    note("annotations.title", "Hosts show one title or the other: make it the same as title, or leave it out.");
  }
  return notes;
}
