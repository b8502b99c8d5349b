// Twelve schemas that renderers get wrong, with 17 arguments that must be accepted and 22 that must be refused.

export interface AwkwardSchema {
  readonly what: string;
  readonly schema: object;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

const tree = {
  type: "object",
  properties: { root: { $ref: "#/$defs/Node" } },
  required: ["root"],
  $defs: {
    Node: {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
      required: ["name"],
    },
  },
};

const nullable = {
  type: "object",
  properties: {
    limit: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] },
    order: { type: ["string", "null"] },
    state: { enum: ["open", "closed", null] },
  },
  required: ["limit"],
};

const literals = {
  type: "object",
  properties: {
    kind: { const: "note" },
    mark: { type: "string", enum: ['say "hi"', "end */ here", "two\nlines", "back\\slash"] },
  },
  required: ["kind", "mark"],
};

const arrays = {
  type: "object",
  properties: {
    counts: { type: "array", items: { type: ["number", "null"] } },
    tags: { type: "array", items: { anyOf: [{ const: "a" }, { const: "b" }] } },
  },
  required: ["counts"],
};

const allOfAnyOf = {
  type: "object",
  properties: { id: { type: "string" } },
  required: ["id"],
  allOf: [
    {
      anyOf: [
        { type: "object", properties: { email: { type: "string" } }, required: ["email"] },
        { type: "object", properties: { phone: { type: "number" } }, required: ["phone"] },
      ],
    },
  ],
};

const tuple = {
  type: "object",
  properties: {
    range: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 2 },
  },
  required: ["range"],
};

const patterns = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
  patternProperties: { "^x-": { type: "number" } },
  additionalProperties: false,
};

const eitherRequired = {
  type: "object",
  properties: { path: { type: "string" }, url: { type: "string" }, depth: { type: "integer" } },
  anyOf: [{ required: ["path"] }, { required: ["url"] }],
};

const described = {
  type: "object",
  properties: { where: { $ref: "#/definitions/place" } },
  required: ["where"],
  definitions: {
    place: {
      description: "A place on the map.",
      type: "object",
      properties: { lat: { type: "number", minimum: -90, maximum: 90 }, lon: { type: "number" } },
      required: ["lat", "lon"],
    },
  },
};

const ordered = {
  type: "object",
  properties: { zebra: { type: "string" }, apple: { type: "boolean" }, mango: { type: "string" } },
  required: ["mango", "zebra"],
};

const wide = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `field_${index}`,
      {
        type: index % 2 === 0 ? "string" : "number",
        description: `What the form asks at place ${index}. It is explained at some length, as forms do.`,
      },
    ]),
  ),
  required: ["field_0", "field_1", "field_150", "field_299"],
};

const shared = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 24 }, (_, index) => [`p${index}`, { $ref: `#/$defs/Part${index % 12}` }]),
  ),
  required: ["p0"],
  $defs: Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `Part${index}`,
      {
        type: "object",
        properties: { size: { type: "number" }, next: { $ref: `#/$defs/Part${(index + 1) % 12}` } },
        required: ["size"],
      },
    ]),
  ),
};

const requiredOfWide = { field_0: "a", field_1: 1, field_150: "b", field_299: 2 };

export const AWKWARD_SCHEMAS: readonly AwkwardSchema[] = [
  {
    what: "a definition that refers to itself",
    schema: tree,
    valid: [{ root: { name: "a" } }, { root: { name: "a", children: [{ name: "b", children: [{ name: "c" }] }] } }],
    invalid: [
      { root: { name: "a", children: [{ name: 1 }] } },
      { root: { name: "a", children: [{ name: "b", children: ["c"] }] } },
    ],
  },
  {
    what: "null in unions, type lists and enums",
    schema: nullable,
    valid: [
      { limit: null, order: null, state: null },
      { limit: 3, order: "asc", state: "open" },
    ],
    invalid: [{ limit: "3" }, { limit: 1, state: "other" }],
  },
  {
    what: "literals with quotes, comment ends and line ends",
    schema: literals,
    valid: [
      { kind: "note", mark: "end */ here" },
      { kind: "note", mark: "two\nlines" },
    ],
    invalid: [
      { kind: "memo", mark: "end */ here" },
      { kind: "note", mark: "say hi" },
    ],
  },
  {
    what: "arrays of nullable and of unions",
    schema: arrays,
    valid: [{ counts: [1, null, 2], tags: ["a", "b"] }],
    invalid: [{ counts: null }, { counts: [1], tags: "a" }],
  },
  {
    what: "anyOf inside allOf",
    schema: allOfAnyOf,
    valid: [{ id: "1", email: "a@b.c" }],
    invalid: [{ id: "1" }, { email: "a@b.c" }],
  },
  {
    what: "a closed tuple",
    schema: tuple,
    valid: [{ range: ["a", 1] }],
    invalid: [{ range: [1, "a"] }, { range: ["a", 1, 2] }],
  },
  {
    what: "keys by pattern",
    schema: patterns,
    valid: [{ name: "a", "x-count": 1 }],
    invalid: [
      { name: "a", "x-count": "1" },
      { name: "a", other: 1 },
    ],
  },
  {
    what: "one of several keys is required",
    schema: eitherRequired,
    valid: [{ path: "a", depth: 1 }, { url: "b" }],
    invalid: [{ path: 1 }, { depth: 1 }],
  },
  {
    what: "a described definition",
    schema: described,
    valid: [{ where: { lat: 1, lon: 2 } }],
    invalid: [{ where: { lat: 1 } }, { where: "here" }],
  },
  {
    what: "properties in another order than the required list",
    schema: ordered,
    valid: [{ zebra: "z", mango: "m", apple: true }],
    invalid: [{ zebra: "z" }],
  },
  {
    what: "300 described fields",
    schema: wide,
    valid: [{ ...requiredOfWide, field_2: "c", field_298: "d" }],
    invalid: [
      { ...requiredOfWide, field_150: 5 },
      { field_0: "a", field_1: 1, field_150: "b" },
    ],
  },
  {
    what: "12 definitions used twice each",
    schema: shared,
    valid: [{ p0: { size: 1, next: { size: 2 } }, p23: { size: 3 } }, { p0: { size: 1 } }],
    invalid: [{ p0: { size: "1" } }],
  },
];
