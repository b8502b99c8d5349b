// Where a `$ref` inside one schema leads. TypeBox takes a reference that leads nowhere as "nothing is valid".

export type SchemaNode = Readonly<Record<string, unknown>>;

export function isSchemaNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value under an own key; never what `Object.prototype` has under it. */
export function ownValue(node: SchemaNode, key: string): unknown {
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

const UNKNOWN_BASE = "http://unknown/";
/** Their values are data: what looks like an `$id` in them is none. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/**
 * The schema that `reference` names within `root`: by pointer, `$id`, `$anchor` or `$dynamicAnchor`. Lenient about
 * the base of a pointer: the root and every part with an `$id` may be it.
 */
export function resolveReference(root: SchemaNode, reference: string): unknown {
  const hash = reference.indexOf("#");
  const id = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = decoded(hash < 0 ? "" : reference.slice(hash + 1));
  if (id === "") {
    const found = followFragment(root, fragment);
    if (found !== undefined) return found;
  }
  for (const node of nodesOf(root)) {
    if (typeof node.$id !== "string" || (id !== "" && !isSameId(node.$id, id))) continue;
    const found = followFragment(node, fragment);
    if (found !== undefined) return found;
  }
  return undefined;
}

function followFragment(node: SchemaNode, fragment: string): unknown {
  if (fragment === "") return node;
  if (fragment.startsWith("/")) return followPointer(node, fragment);
  for (const inner of nodesOf(node)) {
    if (inner.$anchor === fragment || inner.$dynamicAnchor === fragment || inner.$id === `#${fragment}`) return inner;
  }
  return undefined;
}

function followPointer(node: SchemaNode, pointer: string): unknown {
  let current: unknown = node;
  for (const key of pointerSteps(pointer)) {
    if (typeof current !== "object" || current === null) return undefined;
    if (!Object.hasOwn(current, key)) return undefined;
    current = (current as SchemaNode)[key]; // an object, asked above
  }
  return typeof current === "boolean" || isSchemaNode(current) ? current : undefined;
}

/** The steps of a JSON pointer (RFC 6901) that starts with `/`. */
export function pointerSteps(pointer: string): string[] {
  const steps = pointer.slice(1).split("/");
  return pointer.includes("~") ? steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")) : steps;
}

function nodesOf(root: SchemaNode): Set<SchemaNode> {
  const nodes = new Set<SchemaNode>([root]);
  const collect = (value: unknown) => {
    if (Array.isArray(value)) for (const item of value) collect(item);
    else if (isSchemaNode(value)) nodes.add(value);
  };
  // A set gives what is added during the loop too, so this visits all of the schema, each part once.
  for (const node of nodes) for (const key of Object.keys(node)) if (!DATA_KEYWORDS.has(key)) collect(node[key]);
  return nodes;
}

function isSameId(id: string, wanted: string): boolean {
  if (id === wanted) return true;
  try {
    return new URL(id, UNKNOWN_BASE).href.replace(/#$/, "") === new URL(wanted, UNKNOWN_BASE).href;
  } catch {
    return false;
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
