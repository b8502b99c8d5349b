// From a JSON Schema (draft 7 to 2020-12) to a type that accepts every value the schema accepts. Where TypeScript
// cannot say it, the type is wider, never narrower.
import { isSchemaNode, ownValue, resolveReference, type SchemaNode } from "../../tools/schema-references.js";
import { isStandardSchema, standardJsonSchema } from "../../tools/standard-schema.js";
import { BranchLimit } from "./branch-limit.js";
import { definitionName } from "./definition-name.js";
import { literalType, typeNameOf } from "./literal-type.js";
import { arrayType, objectType } from "./read-structure.js";
import { noteOf } from "./schema-note.js";
import {
  ANY_OBJECT,
  type Definition,
  type IntersectionNode,
  intersectionOf,
  isWord,
  NO_NOTE,
  type TypeNode,
  UNKNOWN,
  unionOf,
  word,
} from "./type-node.js";
import {
  both,
  hasArrayKeywords,
  hasObjectKeywords,
  impliedKinds,
  StatedKinds,
  type ValueKind,
  type ValueKinds,
} from "./value-kinds.js";

/** What a schema says, with the definitions that need a name: those it refers to, in the order of their first use. */
export interface SchemaReading {
  readonly type: TypeNode;
  readonly definitions: readonly Definition[];
}

/** Hostile and machine-made schemas: what is beyond is `unknown`. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 48;

/** Reads the schema; `rootName` is the name of the root when it refers to itself. */
export function readSchema(schema: unknown, rootName: string): SchemaReading {
  const root = plainSchema(schema);
  const reader = new SchemaReader(root, rootName);
  const inline = reader.read(root);
  return { type: reader.finish(inline), definitions: reader.definitions };
}

/** A Standard Schema as the JSON Schema it gives; one that gives none says nothing. */
export function plainSchema(schema: unknown): unknown {
  if (!isStandardSchema(schema)) return schema;
  const answer = standardJsonSchema(schema);
  return answer.problem === undefined ? answer.jsonSchema : true;
}

export class SchemaReader {
  readonly definitions: Definition[] = [];
  readonly #root: unknown;
  readonly #rootName: string;
  readonly #targets = new Map<unknown, Definition>();
  readonly #resolved = new Map<string, unknown>();
  readonly #kinds = new StatedKinds((reference) => this.#resolve(reference));
  readonly #intersections: IntersectionNode[] = [];
  readonly #usedNames = new Set<string>();
  #nodes = 0;
  #depth = 0;

  constructor(root: unknown, rootName: string) {
    this.#root = root;
    this.#rootName = rootName;
  }

  /** Reads what was referred to, and what that refers to; then the type of the root. */
  finish(inline: TypeNode): TypeNode {
    const targets = this.#targets; // a map gives what is added during the loop too
    for (const [target, definition] of targets) {
      if (target === this.#root) definition.node = inline;
      else definition.node = this.read(target);
      definition.note = target === this.#root ? NO_NOTE : noteOf(target);
    }
    for (const definition of this.definitions) breakCircle(definition);
    const limit = new BranchLimit();
    for (const intersection of this.#intersections) limit.shorten(intersection);
    const self = targets.get(this.#root);
    return self === undefined ? inline : { kind: "reference", definition: self };
  }

  /** The type of a part of the schema; `inherited` is what the surroundings say about the kind of value. */
  read(schema: unknown, inherited?: ValueKinds): TypeNode {
    if (schema === false) return word("never");
    if (!isSchemaNode(schema)) return UNKNOWN;
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || this.#depth >= MAX_DEPTH) return UNKNOWN;
    this.#depth += 1;
    try {
      return this.#readNode(schema, inherited);
    } finally {
      this.#depth -= 1;
    }
  }

  #readNode(schema: SchemaNode, inherited: ValueKinds): TypeNode {
    const kinds = both(inherited, this.#kinds.of(schema)) ?? impliedKinds(schema);
    const parts = [this.#own(schema, kinds), ...this.#references(schema), ...this.#branches(schema, kinds)];
    const type = intersectionOf(parts);
    if (type.kind === "intersection") this.#intersections.push(type);
    return schema.nullable === true ? unionOf([type, word("null")]) : type;
  }

  /** What `type`, `const`, `enum`, `properties` and `items` say. */
  #own(schema: SchemaNode, kinds: ValueKinds): TypeNode {
    if (Object.hasOwn(schema, "const") && schema.const !== undefined) return literalType(schema.const);
    if (Array.isArray(schema.enum)) return enumType(schema.enum, kinds);
    if (kinds === undefined) return UNKNOWN;
    const saysMore = ownValue(schema, "type") !== undefined || hasObjectKeywords(schema) || hasArrayKeywords(schema);
    if (!saysMore) return UNKNOWN;
    return unionOf([...kinds].map((kind) => this.#ofKind(schema, kind)));
  }

  #ofKind(schema: SchemaNode, kind: ValueKind): TypeNode {
    if (kind === "object") return objectType(schema, this);
    return kind === "array" ? arrayType(schema, this) : word(kind);
  }

  #references(schema: SchemaNode): TypeNode[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema;
    return [$ref, $dynamicRef, $recursiveRef]
      .filter((reference) => typeof reference === "string")
      .map((reference) => this.#reference(reference));
  }

  #reference(reference: string): TypeNode {
    const target = this.#resolve(reference);
    if (target === false) return word("never");
    if (!isSchemaNode(target)) return UNKNOWN; // remote, or leading nowhere
    let definition = this.#targets.get(target);
    if (definition === undefined) {
      const wanted = target === this.#root ? this.#rootName : definitionName(reference, target);
      definition = { localName: this.#freeName(wanted), node: UNKNOWN, note: NO_NOTE };
      this.#targets.set(target, definition);
      this.definitions.push(definition);
    }
    return { kind: "reference", definition };
  }

  #resolve(reference: string): unknown {
    if (!isSchemaNode(this.#root)) return undefined;
    if (!this.#resolved.has(reference)) this.#resolved.set(reference, resolveReference(this.#root, reference));
    return this.#resolved.get(reference);
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#usedNames.has(name); count += 1) name = `${wanted}${count}`;
    this.#usedNames.add(name);
    return name;
  }

  #branches(schema: SchemaNode, kinds: ValueKinds): TypeNode[] {
    const { allOf, dependentSchemas, dependencies } = schema;
    const types: TypeNode[] = [];
    if (Array.isArray(allOf)) types.push(...allOf.map((branch) => this.read(branch, kinds)));
    for (const list of [schema.anyOf, schema.oneOf]) {
      if (Array.isArray(list))
        types.push(
          orAnyObject(
            list.map((branch) => this.read(branch, kinds)),
            kinds,
          ),
        );
    }
    for (const map of [dependentSchemas, dependencies]) {
      if (!isSchemaNode(map)) continue;
      // Either the key is there and the schema holds, or it is not: the second is "any object".
      const conditional = Object.values(map).filter(isSchemaNode);
      types.push(...conditional.map((part) => orAnyObject([this.read(part, kinds), UNKNOWN], kinds)));
    }
    if (schema.if !== undefined) {
      const [yes, no] = [this.read(schema.then, kinds), this.read(schema.else, kinds)];
      types.push(orAnyObject([yes, no], kinds));
    }
    return types;
  }
}

/** The union; of objects, "anything" is written as any object, so that the other branches' keys stay known. */
function orAnyObject(types: readonly TypeNode[], kinds: ValueKinds): TypeNode {
  const isObject = kinds?.size === 1 && kinds.has("object");
  if (!isObject || types.every((type) => isWord(type, "unknown"))) return unionOf(types);
  return unionOf(types.map((type) => (isWord(type, "unknown") ? ANY_OBJECT : type)));
}

function enumType(values: readonly unknown[], kinds: ValueKinds): TypeNode {
  const admitted = values.filter((value) => {
    const name = typeNameOf(value);
    return kinds === undefined || (kinds as ReadonlySet<string>).has(name);
  });
  return unionOf(admitted.map((value) => literalType(value)));
}

/** `type A = B; type B = A | string` does not compile: what leads back without an object or array between is unknown. */
function breakCircle(definition: Definition): void {
  definition.node = withoutReturn(definition.node, new Set([definition]));
}

function withoutReturn(node: TypeNode, path: ReadonlySet<Definition>): TypeNode {
  if (node.kind === "union" || node.kind === "intersection") {
    const parts = node.parts.map((part) => withoutReturn(part, path));
    if (parts.every((part, index) => part === node.parts[index])) return node;
    return node.kind === "union" ? unionOf(parts) : intersectionOf(parts);
  }
  if (node.kind !== "reference") return node;
  return leadsBack(node.definition, path) ? UNKNOWN : node;
}

function leadsBack(definition: Definition, goals: ReadonlySet<Definition>): boolean {
  const seen = new Set<Definition>([definition]);
  for (const current of seen) {
    if (goals.has(current)) return true;
    for (const next of directReferences(current.node)) seen.add(next); // a set gives what is added during the loop too
  }
  return false;
}

function directReferences(node: TypeNode): Definition[] {
  if (node.kind === "reference") return [node.definition];
  return node.kind === "union" || node.kind === "intersection" ? node.parts.flatMap(directReferences) : [];
}
