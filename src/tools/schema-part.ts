// A check of one part of a schema alone, with the definitions that it refers to.
import { type SchemaCheck, schemaCheckOf } from "./schema-check.js";
import type { SchemaNode } from "./schema-references.js";

const parts = new WeakMap<SchemaNode, WeakMap<SchemaNode, SchemaCheck | null>>();

/** The check of `part`, made once; undefined when it refers to what only the whole of `root` has. */
export function checkOfPart(root: SchemaNode, part: SchemaNode): SchemaCheck | undefined {
  let known = parts.get(root);
  if (known === undefined) {
    known = new WeakMap();
    parts.set(root, known);
  }
  let check = known.get(part);
  if (check === undefined) {
    check = makeCheck(root, part);
    known.set(part, check);
  }
  return check ?? undefined;
}

function makeCheck(root: SchemaNode, part: SchemaNode): SchemaCheck | null {
  const { $defs, definitions } = root;
  const references = referencesIn([part, $defs, definitions]);
  if (references.size === 0) return schemaCheckOf(part);
  for (const reference of references) {
    // "#" and pointers elsewhere would mean another place once the part is the root.
    if (/^#(?!\/(?:\$defs|definitions)\/)/.test(reference)) return null;
  }
  const shared = { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) };
  return schemaCheckOf({ ...shared, ...part });
}

function referencesIn(schema: unknown): Set<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>([schema]);
  // The set grows while it is read, so every object below is visited, once.
  for (const node of seen) {
    for (const [key, value] of Object.entries(node as object)) {
      if (key === "$ref" && typeof value === "string") found.add(value);
      else if (typeof value === "object" && value !== null) seen.add(value);
    }
  }
  return found;
}
