// A TypeScript type as data: read once from a schema, written at several lengths.

/** A definition that gets a named alias. Its node is filled in after all who refer to it may exist. */
export interface Definition {
  /** Unique within its schema, `PascalCase`. */
  readonly localName: string;
  node: TypeNode;
  note: TypeNote;
}

/** What a comment can say of a type. */
export interface TypeNote {
  /** One safe line. */
  readonly description?: string;
  /** Short remarks such as `>= 1`, from outside and not yet made safe, as is the default. */
  readonly bounds: readonly string[];
  readonly defaultValue?: string;
  readonly isDeprecated?: boolean;
}

export interface PropertyNode {
  readonly name: string;
  readonly type: TypeNode;
  readonly isOptional: boolean;
  readonly note: TypeNote;
}

export type TypeNode =
  /** `base` is what a literal widens to when a list of them is cut. */
  | { readonly kind: "word"; readonly text: string; readonly base?: "string" | "number" }
  | { readonly kind: "reference"; readonly definition: Definition }
  | { readonly kind: "array"; readonly item: TypeNode }
  | { readonly kind: "tuple"; readonly items: readonly TypeNode[]; readonly required: number; readonly rest?: TypeNode }
  | { readonly kind: "union"; readonly parts: readonly TypeNode[] }
  | IntersectionNode
  /** `indexes` are index signatures: the text of the key's type, and the value's type. */
  | {
      readonly kind: "object";
      readonly properties: readonly PropertyNode[];
      readonly indexes: readonly (readonly [key: string, value: TypeNode])[];
    };

export interface IntersectionNode {
  readonly kind: "intersection";
  /** Shortened when TypeScript would multiply them out to too many branches. */
  parts: readonly TypeNode[];
}

export const NO_NOTE: TypeNote = { bounds: [] };
export const UNKNOWN: TypeNode = { kind: "word", text: "unknown" };
const NEVER: TypeNode = { kind: "word", text: "never" };
export const ANY_OBJECT: TypeNode = { kind: "object", properties: [], indexes: [["string", UNKNOWN]] };

export function word(text: string): TypeNode {
  return { kind: "word", text };
}

export function isWord(node: TypeNode, text: string): boolean {
  return node.kind === "word" && node.text === text;
}

/** The union of the parts: flat, each once; `unknown` swallows the others. */
export function unionOf(parts: readonly TypeNode[]): TypeNode {
  const flat = distinct(parts.flatMap((part) => (part.kind === "union" ? part.parts : [part])));
  const kept = flat.filter((part) => !isWord(part, "never"));
  if (kept.some((part) => isWord(part, "unknown"))) return UNKNOWN;
  if (kept.length === 0) return NEVER;
  return kept.length === 1 ? (kept[0] as TypeNode) : { kind: "union", parts: kept }; // the list has one part
}

/** The intersection of the parts: flat, each once, without `unknown`; `never` swallows the others. */
export function intersectionOf(parts: readonly TypeNode[]): TypeNode {
  const flat = distinct(parts.flatMap((part) => (part.kind === "intersection" ? part.parts : [part])));
  const meaningful = flat.filter((part) => !isWord(part, "unknown"));
  if (meaningful.some((part) => isWord(part, "never"))) return NEVER;
  const hasProperties = meaningful.some(isShapedObject);
  const kept = hasProperties ? meaningful.filter((part) => part !== ANY_OBJECT) : meaningful;
  if (kept.length === 0) return UNKNOWN;
  return kept.length === 1 ? (kept[0] as TypeNode) : { kind: "intersection", parts: kept }; // the list has one part
}

/** Says more than "some object", so that saying that too adds nothing. */
function isShapedObject(node: TypeNode): boolean {
  return node.kind === "object" && node !== ANY_OBJECT && node.properties.length > 0;
}

function distinct(parts: readonly TypeNode[]): TypeNode[] {
  const words = new Set<string>();
  const others = new Set<unknown>();
  return parts.filter((part) => {
    if (part.kind === "word") return words.has(part.text) ? false : words.add(part.text) !== undefined;
    const identity = part.kind === "reference" ? part.definition : part;
    return others.has(identity) ? false : others.add(identity) !== undefined;
  });
}
