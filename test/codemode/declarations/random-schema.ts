// Random JSON Schemas of the kinds that tools have, each with a maker of values for it. Values are only candidates:
// whoever uses them asks the check which of them are valid.
import type { Random } from "../../helpers/random.js";

export interface RandomSchema {
  readonly schema: Record<string, unknown>;
  readonly value: () => unknown;
}
type Part = { readonly schema: unknown; readonly value: () => unknown };

const NAMES =
  'id name path my-key class new default constructor then toString 1st a.b ünï π __proto__x it\'s "q" x-count x-size line\nbreak Node key*/ length'.split(
    " ",
  );
const WORDS = [
  "",
  "a",
  "open",
  "closed",
  'say "hi"',
  "*/",
  "two\nlines",
  "\u202eabc",
  "`tick`",
  "$" + "{x}",
  "\u2028",
  "back\\",
];
const DEFINITION_NAMES = ["Node", "Error", "Record", "tree-node", "a b", "Promise", "Foo<Bar>", "x/y", "7up", "Ünï"];

export function randomSchema(random: Random): RandomSchema {
  return new SchemaMaker(random).make();
}

class SchemaMaker {
  readonly #random: Random;
  readonly #definitions = new Map<string, { readonly key: string; part: Part }>();
  #budget = 40;
  /**
   * Inside a union every object says which keys it has. Else a value of one branch could fit another, open one whose
   * keys it lacks, and a type need not accept keys that a branch does not name.
   */
  #unions = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  make(): RandomSchema {
    const root = this.#object(0);
    const container = this.#random.pick(["$defs", "definitions"]);
    // A definition may make more definitions while it is filled.
    const names = this.#random.between(0, 3);
    for (let index = 0; index < names; index += 1) this.#reference(1);
    const schema = { ...(root.schema as object) } as Record<string, unknown>;
    if (this.#definitions.size > 0) {
      const bodies = [...this.#definitions.values()].map(({ key, part }) => [key, part.schema] as const);
      schema[container] = Object.fromEntries(bodies);
    }
    const text = JSON.stringify(schema).replaceAll('"#/DEFS/', `"#/${container}/`);
    return { schema: JSON.parse(text) as Record<string, unknown>, value: root.value };
  }

  #part(depth: number): Part {
    this.#budget -= 1;
    if (depth > 4 || this.#budget < 0) return this.#leaf();
    const kind = this.#random.weighted({
      leaf: 8,
      object: 4,
      array: 3,
      tuple: 2,
      union: 3,
      all: 2,
      ref: 4,
      map: 2,
      when: 1,
      any: 1,
    });
    const part = this.#partOf(kind, depth);
    return this.#random.chance(0.3) ? this.#described(part) : part;
  }

  #partOf(wanted: string, depth: number): Part {
    const kind = this.#unions > 0 && (wanted === "all" || wanted === "when") ? "object" : wanted;
    switch (kind) {
      case "object":
        return this.#object(depth + 1);
      case "array":
        return this.#array(depth);
      case "tuple":
        return this.#tuple(depth);
      case "union":
        return this.#union(depth);
      case "all":
        return this.#all(depth);
      case "ref":
        return this.#reference(depth);
      case "map":
        return this.#map(depth);
      case "when":
        return this.#conditional(depth);
      case "any":
        return {
          schema: this.#random.pick([true, {}, { title: "Anything" }]),
          value: () => this.#random.pick([1, "x", null, [1], { a: 1 }]),
        };
      default:
        return this.#leaf();
    }
  }

  #leaf(): Part {
    const random = this.#random;
    return random.pick<() => Part>([
      () => ({ schema: { type: "string", maxLength: 20 }, value: () => random.pick(WORDS) }),
      () => ({ schema: { type: "integer", minimum: -5 }, value: () => random.between(-5, 5) }),
      () => ({ schema: { type: "number" }, value: () => random.next() * 1e21 }),
      () => ({ schema: { type: "boolean" }, value: () => random.chance(0.5) }),
      () => ({ schema: { type: ["string", "null"] }, value: () => random.pick(["a", null]) }),
      () => ({ schema: { type: ["integer", "boolean", "null"] }, value: () => random.pick([1, true, null]) }),
      () => this.#enum(),
      () => {
        const value = random.pick<unknown>([
          ...WORDS,
          0,
          -0,
          1e21,
          -2.5,
          true,
          null,
          [1, "a"],
          { a: { b: [null] } },
          [],
          {},
        ]);
        return { schema: { const: value }, value: () => value };
      },
    ])();
  }

  #enum(): Part {
    const values = [...WORDS, 1, -1, true, null, [1], { a: 1 }].filter(() => this.#random.chance(0.4));
    if (values.length === 0) values.push("only");
    const schema = this.#random.chance(0.3) ? { type: ["string", "number", "null"], enum: values } : { enum: values };
    return { schema, value: () => this.#random.pick(values) };
  }

  #described(part: Part): Part {
    if (typeof part.schema !== "object" || part.schema === null) return part;
    const words = this.#random.pick([
      "Plain.",
      "Ends */ early. More.",
      "@ts-expect-error",
      "// @ts-nocheck",
      "/* a\nb */",
      "\u202eevil",
    ]);
    const more = this.#random.chance(0.3)
      ? { default: this.#random.pick<unknown>([1, "*/", null]), deprecated: true }
      : {};
    return { schema: { ...part.schema, description: words, ...more }, value: part.value };
  }

  #object(depth: number): Part {
    const names = [...new Set(Array.from({ length: this.#random.between(0, 5) }, () => this.#random.pick(NAMES)))];
    const parts = names.map((name) => ({ name, part: this.#part(depth), isRequired: this.#random.chance(0.5) }));
    const required = parts.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const extra = this.#extra(depth, names);
    const schema = {
      type: "object",
      properties: Object.fromEntries(parts.map(({ name, part }) => [name, part.schema])),
      ...(required.length > 0 || this.#random.chance(0.3) ? { required } : {}),
      ...extra.schema,
    };
    const value = () => {
      const chosen = parts.filter(({ isRequired }) => isRequired || this.#random.chance(0.6));
      return { ...Object.fromEntries(chosen.map(({ name, part }) => [name, part.value()])), ...extra.value() };
    };
    return this.#random.chance(0.15) && names.length > 0
      ? this.#eitherRequired({ schema, value }, names)
      : { schema, value };
  }

  #eitherRequired(part: Part, names: readonly string[]): Part {
    const keyword = this.#random.pick(["anyOf", "oneOf"]);
    const branches = names.map((name) => ({ required: [name] }));
    return { schema: { ...(part.schema as object), [keyword]: branches }, value: part.value };
  }

  /** Keys that are not named one by one. */
  #extra(depth: number, names: readonly string[]): { schema: object; value: () => object } {
    const random = this.#random;
    switch (random.weighted({ none: 4, closed: 4, open: 1, typed: 2, pattern: 2, both: 1 })) {
      case "closed":
        return { schema: { additionalProperties: false }, value: () => ({}) };
      case "open":
        return {
          schema: { additionalProperties: true },
          value: () => ({ more: random.pick<unknown>([1, "a", null]) }),
        };
      case "typed": {
        const part = this.#part(depth + 1);
        return { schema: { additionalProperties: part.schema }, value: () => ({ more: part.value() }) };
      }
      case "pattern": {
        const part = this.#part(depth + 1);
        const pattern = random.pick(["^x-", "^x-[a-z]+$", "^.*$", "^(x|y)-", "[0-9]$"]);
        const schema = { patternProperties: { [pattern]: part.schema }, additionalProperties: false };
        const key = random.pick(["x-more", "x-other", "y-1"]);
        return { schema, value: () => (names.includes(key) ? {} : { [key]: part.value() }) };
      }
      case "both": {
        const [first, second] = [this.#part(depth + 1), this.#part(depth + 1)];
        const schema = { patternProperties: { "^x-": first.schema }, additionalProperties: second.schema };
        return { schema, value: () => ({ "x-more": first.value(), more: second.value() }) };
      }
      default:
        return { schema: this.#unions > 0 ? { additionalProperties: false } : {}, value: () => ({}) };
    }
  }

  #array(depth: number): Part {
    const item = this.#part(depth + 1);
    const least = this.#random.chance(0.2) ? { minItems: 1 } : {};
    const value = () => Array.from({ length: this.#random.between(0, 3) }, () => item.value());
    return { schema: { type: "array", items: item.schema, ...least }, value };
  }

  #tuple(depth: number): Part {
    const items = Array.from({ length: this.#random.between(1, 3) }, () => this.#part(depth + 1));
    const rest = this.#part(depth + 1);
    const isOld = this.#random.chance(0.4);
    const after = this.#random.pick([
      {},
      isOld ? { additionalItems: false } : { items: false },
      isOld ? { additionalItems: rest.schema } : { items: rest.schema },
    ]);
    const isTyped = Object.values(after).some((part) => part === rest.schema && part !== false);
    const least = this.#random.chance(0.5) ? { minItems: this.#random.between(0, items.length) } : {};
    const schemas = items.map((item) => item.schema);
    const value = () => {
      const places = items.slice(0, this.#random.between(0, items.length)).map((item) => item.value());
      return places.length === items.length && isTyped ? [...places, rest.value()] : places;
    };
    return { schema: { type: "array", [isOld ? "items" : "prefixItems"]: schemas, ...after, ...least }, value };
  }

  #union(depth: number): Part {
    this.#unions += 1;
    const parts = Array.from({ length: this.#random.between(1, 4) }, () => this.#part(depth + 1));
    this.#unions -= 1;
    const schema = { [this.#random.pick(["anyOf", "oneOf"])]: parts.map((part) => part.schema) };
    return { schema, value: () => this.#random.pick(parts).value() };
  }

  /** Objects side by side: what each names, all together. */
  #all(depth: number): Part {
    const parts = Array.from({ length: this.#random.between(1, 3) }, () => this.#object(depth + 2));
    const base = this.#random.chance(0.5) ? this.#object(depth + 2) : { schema: {}, value: () => ({}) };
    const value = () => Object.assign({}, base.value(), ...parts.map((part) => part.value()));
    return { schema: { ...(base.schema as object), allOf: parts.map((part) => part.schema) }, value };
  }

  #map(depth: number): Part {
    const item = this.#part(depth + 1);
    const keys = ["a", "b", "c"].filter(() => this.#random.chance(0.6));
    const isNamed = this.#random.chance(0.4) && keys.length > 0;
    const names = isNamed ? { propertyNames: { type: "string", enum: keys } } : {};
    const value = () =>
      Object.fromEntries(keys.filter(() => this.#random.chance(0.7)).map((key) => [key, item.value()]));
    return { schema: { type: "object", ...names, additionalProperties: item.schema }, value };
  }

  #conditional(depth: number): Part {
    const [yes, no] = [this.#object(depth + 2), this.#object(depth + 2)];
    const hasElse = this.#random.chance(0.6);
    const both = hasElse ? { else: { ...(no.schema as object), type: undefined } } : {};
    const schema = {
      type: "object",
      properties: { kind: { enum: ["one", "two"] } },
      required: ["kind"],
      if: { properties: { kind: { const: "one" } } },
      then: { ...(yes.schema as object), type: undefined },
      ...both,
    };
    const value = () => {
      const isOne = this.#random.chance(0.5);
      const more = isOne ? yes.value() : hasElse ? no.value() : {};
      return { ...(more as object), kind: isOne ? "one" : "two" };
    };
    return { schema, value };
  }

  #reference(depth: number): Part {
    const name = this.#random.pick(DEFINITION_NAMES);
    let definition = this.#definitions.get(name);
    if (definition === undefined) {
      const made = { key: name, part: { schema: true, value: () => null } as Part };
      this.#definitions.set(name, made);
      // Until it is made it is what others see, so that it can refer to itself.
      this.#unions += 1;
      made.part = this.#random.chance(0.7) ? this.#object(depth + 1) : this.#part(depth + 1);
      this.#unions -= 1;
      definition = made;
    }
    const found = definition;
    const pointer = name.replaceAll("~", "~0").replaceAll("/", "~1");
    let depthLeft = 3;
    const value = () => {
      depthLeft -= 1;
      try {
        return depthLeft < 0 ? {} : found.part.value();
      } finally {
        depthLeft += 1;
      }
    };
    return { schema: { $ref: `#/DEFS/${encodeURIComponent(pointer).replaceAll("%2F", "/")}` }, value };
  }
}
