// What the checks read in the place of a schema: the same, with regular expressions that are not tried again and again on
// one text, and, in schemas that somebody else wrote, not at all where they may take long.
import { longestQuickText } from "./pattern-cost.js";
import { setOwn } from "./repair-value.js";
import { copyWith, DATA, MAPS } from "./schema-conditions.js";
import type { SchemaNode } from "./schema-references.js";

/** A shorter text takes no time worth remembering. */
const MIN_REMEMBERED_CHARS = 10;
/** Only what is slow is remembered, and only until what runs now is done: repair and explanation ask at once. */
const SLOW_MS = 0.5;
const remembered = new Map<string, Map<string, boolean>>();

/** TypeBox takes a `RegExp` as a `pattern` and asks nothing of it but `test`. */
class CheckedPattern extends RegExp {
  readonly #given: string;
  readonly #pattern: RegExp;
  readonly #maxChars: number;

  constructor(given: string, maxChars: number) {
    super("");
    this.#given = given;
    this.#pattern = new RegExp(given, "u"); // as TypeBox makes it
    this.#maxChars = maxChars;
  }

  override test(text: string): boolean {
    if (text.length <= MIN_REMEMBERED_CHARS) return text.length > this.#maxChars || this.#pattern.test(text);
    if (text.length > this.#maxChars) return true;
    const known = remembered.get(this.#given)?.get(text);
    if (known !== undefined) return known;
    const start = performance.now();
    const isMatch = this.#pattern.test(text);
    if (performance.now() - start >= SLOW_MS) remember(this.#given, text, isMatch);
    return isMatch;
  }

  override toString(): string {
    return this.#given;
  }
}

function remember(pattern: string, text: string, isMatch: boolean): void {
  if (remembered.size === 0) queueMicrotask(() => remembered.clear());
  const texts = remembered.get(pattern) ?? new Map<string, boolean>();
  remembered.set(pattern, texts.set(text, isMatch));
}

/** The parameters of a failed rule as the schema has them. */
export function givenParams(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return params.pattern instanceof CheckedPattern ? { ...params, pattern: String(params.pattern) } : params;
}

/**
 * The schema itself when there is nothing to replace, else a copy in which every pointer leads where it led.
 *
 * @param isExternal - Somebody else wrote it. Then a `pattern` takes every text that is longer than `longestQuickText`, and
 *   `patternProperties` with a pattern that is not tried in a time that grows with the key are left out, along with what is
 *   wanted of the keys that are left over.
 * @throws SyntaxError for a pattern that is no regular expression.
 */
export function checkedSchema(root: object, isExternal: boolean): object {
  return new Copying(isExternal).part(root) as object;
}

class Copying {
  readonly #isExternal: boolean;
  readonly #done = new Map<object, unknown>();

  constructor(isExternal: boolean) {
    this.#isExternal = isExternal;
  }

  part(part: unknown, isMap = false): unknown {
    if (typeof part !== "object" || part === null) return part;
    if (this.#done.has(part)) return this.#done.get(part);
    this.#done.set(part, part); // one that contains itself stays as it is
    const copy = Array.isArray(part) ? this.#list(part) : this.#node(part as SchemaNode, isMap);
    this.#done.set(part, copy);
    return copy;
  }

  #list(parts: readonly unknown[]): readonly unknown[] {
    const copies = parts.map((part) => this.part(part));
    return copies.every((part, index) => part === parts[index]) ? parts : copies;
  }

  #node(node: SchemaNode, isMap: boolean): SchemaNode {
    const changes: Record<string, unknown> = {};
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (!isMap && DATA.has(key)) continue;
      const copy =
        !isMap && key === "pattern" && typeof value === "string"
          ? new CheckedPattern(value, this.#isExternal ? longestQuickText(value) : Number.POSITIVE_INFINITY)
          : this.part(value, !isMap && MAPS.has(key));
      if (copy !== value) setOwn(changes, key, copy);
    }
    if (!isMap && this.#isExternal) Object.assign(changes, withoutSlowKeys({ ...node, ...changes }));
    return Object.keys(changes).length === 0 ? node : copyWith(node, changes);
  }
}

/** Linear: a text ten times as long takes ten times as long. */
const LINEAR_CHARS = 100_000;

function withoutSlowKeys({ patternProperties }: SchemaNode): SchemaNode {
  if (typeof patternProperties !== "object" || patternProperties === null) return {};
  const quick = Object.entries(patternProperties).filter(([pattern]) => longestQuickText(pattern) >= LINEAR_CHARS);
  if (quick.length === Object.keys(patternProperties).length) return {};
  return { patternProperties: Object.fromEntries(quick), additionalProperties: true, unevaluatedProperties: true };
}
