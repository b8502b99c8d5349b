// TypeBox says that a `then` failed, but lists no reasons (those of an `else` it does). A4 and A3 want them, so a schema
// is asked for its problems in a form where each condition stands a second time, turned round: what `then` wants is in
// the `else` of an added `allOf` branch. It means the same, and every pointer into the schema leads where it led.
import { setOwn } from "./repair-value.js";
import type { SchemaNode } from "./schema-references.js";

export interface OutspokenSchema {
  readonly schema: object;
  /** A path of the schema as it was given for one of this schema; undefined when another problem says the same. */
  readonly givenPath: (schemaPath: string) => string | undefined;
}

/** Their keys are names of the author's choice. */
export const MAPS: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"],
]);
/** Their values are data. */
export const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);

/** The schema with each `then` where TypeBox tells why it failed; undefined when it has none. */
export function outspokenSchema(root: object): OutspokenSchema | undefined {
  const { hasThen, longestAllOf } = surveyOf(root);
  if (!hasThen) return undefined;
  // No branch of the schema's own has this number, so a path shows by itself that it goes through an added one.
  const added = `/allOf/${longestAllOf}`;
  const throughAdded = new RegExp(`${added}/else(?=/|$)`, "g");
  const givenPath = (schemaPath: string) => {
    const path = schemaPath.replace(throughAdded, "/then");
    return path.endsWith(added) ? undefined : path;
  };
  return { schema: new Rewriting(longestAllOf).part(root) as object, givenPath };
}

function surveyOf(root: object): { readonly hasThen: boolean; readonly longestAllOf: number } {
  let [hasThen, longestAllOf] = [false, 0];
  const nodes = new Set<object>([root]);
  // A set gives what is added during the loop too.
  for (const node of nodes) {
    hasThen ||= isCondition(node as SchemaNode);
    for (const [key, value] of Object.entries(node)) {
      if (key === "allOf" && Array.isArray(value)) longestAllOf = Math.max(longestAllOf, value.length);
      if (typeof value === "object" && value !== null && !DATA.has(key)) nodes.add(value as object);
    }
  }
  return { hasThen, longestAllOf };
}

function isCondition(node: SchemaNode): boolean {
  if (!Object.hasOwn(node, "if") || !Object.hasOwn(node, "then")) return false;
  return node.allOf === undefined || Array.isArray(node.allOf);
}

class Rewriting {
  readonly #index: number;
  /** A part that is used twice is rewritten once; one that contains itself stays as it is. */
  readonly #done = new Map<object, unknown>();

  /** @param index - Where the added branch of each `allOf` stands. */
  constructor(index: number) {
    this.#index = index;
  }

  part(part: unknown, isMap = false): unknown {
    if (typeof part !== "object" || part === null) return part;
    if (this.#done.has(part)) return this.#done.get(part);
    this.#done.set(part, part);
    const rewritten = Array.isArray(part) ? this.#list(part) : this.#node(part as SchemaNode, isMap);
    this.#done.set(part, rewritten);
    return rewritten;
  }

  #list(parts: readonly unknown[]): readonly unknown[] {
    const rewritten = parts.map((part) => this.part(part));
    return rewritten.every((part, index) => part === parts[index]) ? parts : rewritten;
  }

  /** @param isMap - Its keys are names of the author's choice, not keywords. */
  #node(node: SchemaNode, isMap: boolean): SchemaNode {
    const changes: Record<string, unknown> = {};
    for (const key of Object.keys(node)) {
      if (!isMap && DATA.has(key)) continue;
      const below = this.part(node[key], !isMap && MAPS.has(key));
      if (below !== node[key]) setOwn(changes, key, below);
    }
    if (!isMap && isCondition(node)) {
      const { if: question, then: wanted, allOf: given = [] } = { ...node, ...changes } as SchemaNode;
      const branches = [...(given as readonly unknown[])]; // isCondition asked
      while (branches.length < this.#index) branches.push(true);
      changes.allOf = [...branches, { if: { not: question }, else: wanted }];
    }
    return Object.keys(changes).length === 0 ? node : copyWith(node, changes);
  }
}

/** TypeBox keeps marks under keys that are not enumerable, so the copy has everything but what was changed. */
export function copyWith(node: SchemaNode, changes: SchemaNode): SchemaNode {
  const properties = Object.getOwnPropertyDescriptors(node) as Record<string, PropertyDescriptor>;
  for (const key of Object.keys(changes)) {
    setOwn(properties, key, { value: changes[key], enumerable: true, configurable: true, writable: true });
  }
  return Object.create(Object.getPrototypeOf(node) as object | null, properties) as SchemaNode;
}
