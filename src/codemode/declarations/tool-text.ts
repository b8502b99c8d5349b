// The declaration of one tool at every step of detail.
import type { DeclaredName, DeclaredNames } from "./declared-names.js";
import type { DeclaredTool } from "./declared-tool.js";
import { pascalCase } from "./definition-name.js";
import { DETAIL_STEPS, type Detail } from "./detail.js";
import { noteText, printType } from "./print-type.js";
import { readSchema, type SchemaReading } from "./read-schema.js";
import { firstSentence, methodName, safeLines, tokensOf } from "./safe-words.js";
import { ANY_OBJECT, type Definition, type TypeNode, UNKNOWN } from "./type-node.js";

/** The last step: only the name is left. */
export const NAME_ONLY = DETAIL_STEPS.length;
/** The step before: the required properties. */
export const BARE = NAME_ONLY - 1;
/** Where aliases are declared: inside a namespace they cannot meet names of the standard library. */
export const ALIAS_NAMESPACE = "defs";

export interface ToolText {
  /** The member of `tools`, with its comment, indented by two. */
  readonly member: string;
  readonly names: readonly DeclaredName[];
  /** Of the member and all definitions that it needs. */
  readonly tokens: number;
}

/** From here on properties are missing. */
const FIRST_CUT_STEP = DETAIL_STEPS.findIndex(({ optional }) => optional !== "written");
const UNDESCRIBED_STEP = DETAIL_STEPS.findIndex(({ descriptionChars }) => descriptionChars === 0);
const HINT = " // see describeTool";
const UNKNOWN_READING: SchemaReading = { type: UNKNOWN, definitions: [] };

/** One tool, read once and written at the steps that are asked for. */
export class ToolDeclaration {
  readonly tool: DeclaredTool;
  /** The property of `tools` that calls it. */
  readonly property: string;
  readonly #names: DeclaredNames;
  readonly #saysText: boolean;
  readonly #texts = new Map<number, ToolText>();
  #read: { readonly input: SchemaReading; readonly output: SchemaReading } | undefined;

  /** @param saysText - Whether the result of a tool without an output schema is explained beside it. */
  constructor(tool: DeclaredTool, property: string, names: DeclaredNames, saysText: boolean) {
    this.tool = tool;
    this.property = property;
    this.#names = names;
    this.#saysText = saysText;
  }

  at(step: number): ToolText {
    let text = this.#texts.get(step);
    if (text === undefined) {
      text = this.#write(step);
      this.#texts.set(step, text);
    }
    return text;
  }

  /** The first step whose text has at most so many tokens; the last one if none has. */
  stepWithin(tokens: number): number {
    // Without descriptions a text is short and quickly made; when even that is too long, longer ones need no try.
    let step = this.at(UNDESCRIBED_STEP).tokens > tokens ? UNDESCRIBED_STEP + 1 : 0;
    while (step < NAME_ONLY && this.at(step).tokens > tokens) step += 1;
    return step;
  }

  /** Only when asked for: of thousands of tools most are never written. */
  #readings() {
    if (this.#read === undefined) {
      const { name, inputSchema, outputSchema } = this.tool;
      const owner = pascalCase(name) || "Tool";
      const input = inputSchema === undefined ? UNKNOWN_READING : readSchema(inputSchema, `${owner}Args`);
      const output = outputSchema === undefined ? UNKNOWN_READING : readSchema(outputSchema, `${owner}Result`);
      this.#names.add(input.definitions, owner);
      this.#names.add(output.definitions, `${owner}Result`);
      this.#read = { input, output };
    }
    return this.#read;
  }

  #write(step: number): ToolText {
    const detail = DETAIL_STEPS[step];
    if (detail === undefined) {
      const member = `  ${methodName(this.property)}(args?: object): Promise<unknown>;${HINT}`;
      return { member, names: [], tokens: tokensOf(member) };
    }
    const { input, output } = this.#readings();
    const found = detail.isShallow ? [] : [...input.definitions, ...output.definitions];
    const names = [...new Set(found.map((definition) => this.#names.of(definition)))];
    const member = this.#member(input.type, output.type, step, detail);
    const aliases = names.map((name) => definitionText(name, detail, this.#names));
    return { member, names, tokens: tokensOf([...aliases, member].join("\n")) };
  }

  #member(input: TypeNode, output: TypeNode, step: number, detail: Detail): string {
    const nameOf = (definition: Definition) => `${ALIAS_NAMESPACE}.${this.#names.of(definition).name}`;
    const args = argsText(input, printType(input, { detail, nameOf }, "  "));
    const isText = this.#saysText && this.tool.outputSchema === undefined;
    const result = isText ? "unknown /* text */" : printType(output, { detail, nameOf }, "  ");
    const hint = step >= FIRST_CUT_STEP ? HINT : "";
    return `${this.#comment(detail)}  ${methodName(this.property)}(${args}): Promise<${result}>;${hint}`;
  }

  #comment(detail: Detail): string {
    const { description, title } = this.tool;
    const text = typeof description === "string" && description.trim() !== "" ? description : (title ?? "");
    const chars = detail.toolDescriptionChars;
    if (chars === 0 || typeof text !== "string" || text.trim() === "") return "";
    const lines = detail.isFirstSentence ? [firstSentence(text, chars)] : safeLines(text, chars);
    if (lines.length === 1) return lines[0] === "" ? "" : `  /** ${lines[0]} */\n`;
    return `  /**\n${lines.map((line) => `   *${line === "" ? "" : ` ${line}`}\n`).join("")}   */\n`;
  }
}

/** The alias of a definition, inside the block of aliases. */
export function definitionText({ name, definition }: DeclaredName, detail: Detail, names: DeclaredNames): string {
  const note = noteText(definition.note, detail);
  const type = printType(definition.node, { detail, nameOf: (each) => names.of(each).name }, "  ");
  return `${note === "" ? "" : `  /** ${note} */\n`}  type ${name} = ${type};`;
}

/** The parameter: optional when the schema accepts `{}`, which is what a call without arguments gives. */
function argsText(type: TypeNode, text: string): string {
  if (type === ANY_OBJECT) return "args?: object";
  return `args${acceptsNothing(type) ? "?" : ""}: ${text}`;
}

function acceptsNothing(type: TypeNode, depth = 0): boolean {
  switch (type.kind) {
    case "word":
      return type.text === "unknown";
    case "reference":
      return depth < 8 && acceptsNothing(type.definition.node, depth + 1);
    case "object":
      return type.properties.every(({ isOptional }) => isOptional);
    case "union":
      return type.parts.some((part) => acceptsNothing(part, depth + 1));
    case "intersection":
      return type.parts.every((part) => acceptsNothing(part, depth + 1));
    default:
      return false;
  }
}
