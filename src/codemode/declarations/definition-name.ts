// What the alias of a referenced definition is called.
import type { SchemaNode } from "../../tools/schema-references.js";

const MAX_CHARS = 40;
/** Names that the rendered text itself uses, and that an alias inside `defs` would shadow. */
const USED_BY_THE_TEXT: ReadonlySet<string> = new Set(["Record", "Promise", "Array"]);

/** From the last telling step of `#/$defs/tree-node`: `TreeNode`. */
export function definitionName(reference: string, target: SchemaNode): string {
  const fragment = reference.slice(reference.indexOf("#") + 1);
  const steps = decoded(fragment)
    .split("/")
    .filter((step) => !/^(?:|\$defs|definitions|properties|items|\d+)$/.test(step));
  const last = steps.at(-1) ?? (typeof target.title === "string" ? target.title : "");
  return pascalCase(last) || "Definition";
}

/** Letters and digits of the text as `PascalCase`, at most 40; empty when there are none. */
export function pascalCase(text: string): string {
  const plain = text
    .slice(0, 4 * MAX_CHARS)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");
  const words = plain.split(/[^A-Za-z0-9]+/);
  const joined = words.map((each) => each.charAt(0).toUpperCase() + each.slice(1)).join("");
  const name = joined.slice(0, MAX_CHARS);
  if (/^\d/.test(name)) return `N${name}`;
  return USED_BY_THE_TEXT.has(name) ? `${name}Type` : name;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
