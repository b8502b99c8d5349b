// The type of one JSON value: `const`, and each value of an `enum`.
import { quoted } from "./safe-words.js";
import { ANY_OBJECT, NO_NOTE, type PropertyNode, type TypeNode, UNKNOWN, word } from "./type-node.js";

const MAX_DEPTH = 8;

export function literalType(value: unknown, depth = 0): TypeNode {
  switch (typeof value) {
    case "string":
      return { kind: "word", text: quoted(value), base: "string" };
    case "number":
      return numberType(value);
    case "boolean":
      return word(String(value));
    case "object":
      return value === null ? word("null") : structureType(value, depth);
    default:
      return UNKNOWN; // no JSON value
  }
}

function numberType(value: number): TypeNode {
  if (!Number.isFinite(value)) return word("number");
  return { kind: "word", text: Object.is(value, -0) ? "0" : String(value), base: "number" };
}

function structureType(value: object, depth: number): TypeNode {
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH) return { kind: "array", item: UNKNOWN };
    return { kind: "tuple", items: value.map((item) => literalType(item, depth + 1)), required: value.length };
  }
  if (depth >= MAX_DEPTH) return ANY_OBJECT;
  const properties = Object.entries(value).map(
    ([name, item]): PropertyNode => ({ name, type: literalType(item, depth + 1), isOptional: false, note: NO_NOTE }),
  );
  return { kind: "object", properties, indexes: [] };
}

/** The JSON type of a value, as `type` names it. */
export function typeNameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}
