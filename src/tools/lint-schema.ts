// Advice on the properties of a schema, wherever in it they are.
import type { LintNote } from "./lint-tool.js";
import { type PlacePath, placeText, quotedText } from "./place-text.js";
import { isSchemaNode, ownValue, resolveReference, type SchemaNode } from "./schema-references.js";

const MAPS = ["patternProperties", "dependentSchemas"] as const;
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const SINGLES = ["items", "additionalProperties", "then", "else"] as const;

/** Notes on properties without a description, and on optional texts that refuse an empty one (A26). */
export function lintSchema(root: object): LintNote[] {
  const notes: LintNote[] = [];
  if (isSchemaNode(root)) visit(root, ["inputSchema"], { root, seen: new Set(), notes });
  return notes;
}

interface Walk {
  readonly root: SchemaNode;
  /** A part that is used again has its notes at the first place; recursion ends here. */
  readonly seen: Set<SchemaNode>;
  readonly notes: LintNote[];
}

function visit(node: unknown, path: PlacePath, walk: Walk): void {
  if (!isSchemaNode(node) || walk.seen.has(node)) return;
  walk.seen.add(node);
  const required = ownValue(node, "required");
  for (const [name, property] of members(node, "properties")) {
    const place = [...path, "properties", name];
    const isRequired = Array.isArray(required) && required.includes(name);
    if (isSchemaNode(property)) lintProperty(property, place, { ...walk, name, isRequired });
    visit(property, place, walk);
  }
  for (const keyword of MAPS) {
    for (const [name, part] of members(node, keyword)) visit(part, [...path, keyword, name], walk);
  }
  for (const keyword of LISTS) {
    const list = ownValue(node, keyword);
    if (Array.isArray(list)) list.forEach((part, index) => void visit(part, [...path, keyword, index], walk));
  }
  for (const keyword of SINGLES) visit(ownValue(node, keyword), [...path, keyword], walk);
  visit(targetOf(node, walk.root), path, walk);
}

interface PropertyWalk extends Walk {
  readonly name: string;
  readonly isRequired: boolean;
}

function lintProperty(property: SchemaNode, path: PlacePath, { root, notes, name, isRequired }: PropertyWalk): void {
  const forms = formsOf(property, root);
  if (!forms.some((form) => isFilled(ownValue(form, "description")))) {
    const text = `Describe ${quotedText(name, 60)}: its unit, its default, what is not meant.`;
    notes.push({ rule: "parameter-description", place: placeText(path), text });
  }
  if (!isRequired && forms.some(refusesBlank)) {
    const text = `Take minLength off ${quotedText(name, 60)}: models fill an optional text with "". Treat blank as absent (blankToAbsent).`;
    notes.push({ rule: "optional-text", place: placeText(path), text });
  }
}

/** The schema itself, what it refers to, and its branches: a text or null is a text. */
function formsOf(property: SchemaNode, root: SchemaNode): readonly SchemaNode[] {
  const forms = new Set<SchemaNode>([property]);
  // A set gives what is added during the loop too, each form once.
  for (const form of forms) {
    const branches = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => ownValue(form, keyword) ?? []);
    for (const part of [...branches, targetOf(form, root)]) if (isSchemaNode(part)) forms.add(part);
  }
  return [...forms];
}

function refusesBlank(form: SchemaNode): boolean {
  const minLength = ownValue(form, "minLength");
  const type = ownValue(form, "type");
  const isText = type === undefined || type === "string" || (Array.isArray(type) && type.includes("string"));
  return isText && typeof minLength === "number" && minLength > 0;
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function members(node: SchemaNode, keyword: string): readonly (readonly [string, unknown])[] {
  const value = ownValue(node, keyword);
  return isSchemaNode(value) ? Object.entries(value) : [];
}

function targetOf(node: SchemaNode, root: SchemaNode): unknown {
  const reference = ownValue(node, "$ref");
  return typeof reference === "string" ? resolveReference(root, reference) : undefined;
}
