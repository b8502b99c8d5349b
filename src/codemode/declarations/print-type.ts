// A type as TypeScript text, as long or as short as the detail says.
import type { Detail } from "./detail.js";
import { isInherited } from "./inherited-names.js";
import { firstSentence, propertyName, safeLine } from "./safe-words.js";
import type { Definition, PropertyNode, TypeNode, TypeNote } from "./type-node.js";

export interface PrintOptions {
  readonly detail: Detail;
  /** What the alias of a definition is called at this place. */
  readonly nameOf: (definition: Definition) => string;
}

type ObjectNode = Extract<TypeNode, { kind: "object" }>;

/** Objects without comments up to so many characters stay on one line. */
const LINE_CHARS = 90;
const MAX_NAMES_CHARS = 400;

/** The type; further lines start with `indent`. */
export function printType(node: TypeNode, options: PrintOptions, indent: string, level = 0): string {
  const inner = (part: TypeNode) => printType(part, options, indent, level + 1);
  switch (node.kind) {
    case "word":
      return node.text;
    case "reference":
      return options.detail.isShallow ? shallow(node.definition.node) : options.nameOf(node.definition);
    case "array":
      return `${grouped(inner(node.item), node.item)}[]`;
    case "tuple":
      return tupleText(node, inner);
    case "union":
      return unionText(node.parts, options, (part) => printType(part, options, indent, level));
    case "intersection":
      return node.parts
        .map((part) => bracketed(printType(part, options, indent, level), part.kind === "union"))
        .join(" & ");
    default:
      return options.detail.isShallow && level > 0 ? "object" : objectText(node, options, indent, level);
  }
}

/** A definition that is not written: an object stays one, of anything else nothing is said. */
function shallow(node: TypeNode): string {
  if (node.kind === "object") return "object";
  if (node.kind === "intersection") return node.parts.some(({ kind }) => kind === "object") ? "object" : "unknown";
  return node.kind === "array" || node.kind === "tuple" ? "unknown[]" : "unknown";
}

function grouped(text: string, node: TypeNode): string {
  return bracketed(text, node.kind === "union" || node.kind === "intersection");
}

function bracketed(text: string, isNeeded: boolean): string {
  return isNeeded ? `(${text})` : text;
}

function tupleText(node: Extract<TypeNode, { kind: "tuple" }>, inner: (part: TypeNode) => string): string {
  const places = node.items.map((item, index) => {
    const text = inner(item);
    return index < node.required ? text : `${grouped(text, item)}?`;
  });
  if (node.rest !== undefined) places.push(`...${grouped(inner(node.rest), node.rest)}[]`);
  return `[${places.join(", ")}]`;
}

function unionText(parts: readonly TypeNode[], { detail }: PrintOptions, print: (part: TypeNode) => string): string {
  const literals = parts.filter((part) => part.kind === "word" && part.base !== undefined);
  const texts = new Set<string>();
  let count = 0;
  for (const part of parts) {
    const base = part.kind === "word" ? part.base : undefined;
    if (base !== undefined && ++count > detail.maxLiterals) texts.add(base);
    else texts.add(print(part));
  }
  const text = [...texts].join(" | ");
  const hidden = literals.length - detail.maxLiterals;
  return hidden > 0 ? `${text} /* +${hidden} more */` : text;
}

function objectText(node: ObjectNode, options: PrintOptions, indent: string, level: number): string {
  const { properties, indexes } = node;
  if (properties.length === 0) {
    if (indexes.length === 0) return "Record<string, never>";
    const [[key, value] = ["", undefined]] = indexes;
    if (indexes.length === 1 && key === "string" && value?.kind === "word") return `Record<string, ${value.text}>`;
  }
  const whole = membersText(node, options, indent, level);
  if (options.detail.optional === "written") return whole;
  const collapsed = collapsedText(node, options, indent, level);
  return collapsed.length < whole.length ? collapsed : whole;
}

function membersText(node: ObjectNode, options: PrintOptions, indent: string, level: number): string {
  const deeper = `${indent}  `;
  const members = node.properties.map((property) => propertyText(property, options, deeper, level));
  for (const [key, value] of node.indexes) {
    members.push({ note: "", text: `[key: ${key}]: ${printType(value, options, deeper, level + 1)}` });
  }
  const line = `{ ${members.map(({ text }) => text).join("; ")} }`;
  const isPlain = members.every(({ note, text }) => note === "" && !text.includes("\n"));
  if (options.detail.isOneLine || (isPlain && line.length <= LINE_CHARS)) return line;
  const lines = members.map(({ note, text }) => `${note === "" ? "" : `${deeper}/** ${note} */\n`}${deeper}${text};`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function propertyText(property: PropertyNode, options: PrintOptions, indent: string, level: number) {
  const type = printType(property.type, options, indent, level + 1);
  const text = `${propertyName(property.name)}${property.isOptional ? "?" : ""}: ${type}`;
  return { note: options.detail.isOneLine ? "" : noteText(property.note, options.detail), text };
}

/** The required properties, and what else there is as a comment; any key is accepted, so nothing valid is refused. */
function collapsedText(node: ObjectNode, options: PrintOptions, indent: string, level: number): string {
  const isKept = ({ name, isOptional }: PropertyNode) => !isOptional || isInherited(name);
  const optional = node.properties.filter((property) => !isKept(property));
  const members = node.properties
    .filter(isKept)
    .map((property) => propertyText(property, options, `${indent}  `, level).text);
  if (optional.length > 0) members.push(`/* ${optionalText(optional, options.detail)} */ [key: string]: unknown`);
  else
    for (const [key, value] of node.indexes)
      members.push(`[key: ${key}]: ${printType(value, options, indent, level + 1)}`);
  return `{ ${members.join("; ")} }`;
}

function optionalText(optional: readonly PropertyNode[], detail: Detail): string {
  const count = `+${optional.length} optional`;
  if (detail.optional !== "named") return count;
  const names: string[] = [];
  let length = 0;
  for (const { name } of optional) {
    const text = safeLine(name, 60);
    length += text.length + 2;
    if (length > MAX_NAMES_CHARS) break;
    names.push(text);
  }
  return `${count}: ${names.join(", ")}${names.length < optional.length ? ", …" : ""}`;
}

/** The comment beside a property or a definition; empty when there is nothing to say. */
export function noteText(note: TypeNote, detail: Detail): string {
  const { description, bounds, defaultValue, isDeprecated } = note;
  if (detail.descriptionChars === 0) return "";
  const shorten = detail.isFirstSentence ? firstSentence : safeLine;
  const words = description === undefined ? "" : shorten(description, detail.descriptionChars);
  const remarks = [
    ...(detail.hasBounds ? bounds : []),
    ...(defaultValue === undefined ? [] : [`default ${defaultValue}`]),
  ].map((remark) => safeLine(remark, 120));
  const bracket = remarks.length === 0 ? "" : `[${remarks.join(", ")}]`;
  return [isDeprecated === true ? "@deprecated" : "", words, bracket].filter((part) => part !== "").join(" ");
}
