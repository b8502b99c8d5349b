import { expect, test } from "vitest";
import { renderDeclarations } from "../../src/codemode/declarations/index.js";
import { schemaCheckOf } from "../../src/tools/schema-check.js";
import { createRandom, type Random, seedOfThisRun } from "../helpers/random.js";
import { randomSchema } from "./declarations/random-schema.js";
import { typeCheck } from "./declarations/type-check.js";

const SCHEMAS = 150;
const VALUES = 12;

/** Values that the check accepts, of those that the maker proposes and of changed ones. */
function validValues(schema: object, value: () => unknown, random: Random): unknown[] {
  const check = schemaCheckOf(schema);
  const found = new Map<string, unknown>();
  for (let tries = 0; tries < VALUES * 3 && found.size < VALUES; tries += 1) {
    const proposed: unknown = JSON.parse(JSON.stringify(value()));
    const candidate = tries % 2 === 0 ? proposed : changed(proposed, random);
    if (isAccepted((value) => check.accepts?.(value) === true, candidate))
      found.set(JSON.stringify(candidate), candidate);
  }
  return [...found.values()];
}

function isAccepted(accepts: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return accepts(value);
  } catch (error) {
    if (error instanceof RangeError) return false; // a definition that is nothing but itself: the check finds no end
    throw error;
  }
}

/** Without a key or an item, or with another value at some place; never with a key that was not there. */
function changed(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.chance(0.2)) {
    return random.pick<unknown>([null, 1, -3, "a", "open", true, [], {}, [1], ["a", 1]]);
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return value;
  const key = random.pick(keys);
  if (Array.isArray(value)) {
    const index = Number(key);
    return random.chance(0.3) ? value.slice(0, index) : value.with(index, changed(value[index], random));
  }
  const { [key]: part, ...others } = value as Record<string, unknown>;
  return random.chance(0.4) ? others : { ...others, [key]: changed(part, random) };
}

/** On one line for the compiler too, which counts two more signs as line ends. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

test.each([
  ["all of it", { budgetTokens: 100_000 }],
  ["little of it", { budgetTokens: 120 }],
  ["some of it", { budgetTokens: 300 }],
])(
  "C6: declarations of random schemas compile and accept what the check accepts, with %s shown",
  async (_name, options) => {
    const seed = seedOfThisRun();
    const cases = Array.from({ length: SCHEMAS }, (_, index) => {
      const { schema, value } = randomSchema(createRandom(seed + index));
      const values = validValues(schema, value, createRandom(seed - index));
      const tool = { name: "probe", inputSchema: schema, outputSchema: schema };
      const result = "((result: Awaited<ReturnType<typeof tools.probe>>) => result)";
      const results = values.map((each) => `${result}(${literal(each)})`);
      const calls = values.map((each) => `tools.probe(${literal(each)})`);
      return { schema, declarations: renderDeclarations([tool], options), statements: [...calls, ...results] };
    });

    const verdicts = await typeCheck(cases);

    expect(cases.flatMap(({ statements }) => statements).length, "values were found").toBeGreaterThan(SCHEMAS * 4);
    for (const [index, { errors, statements }] of verdicts.entries()) {
      const { schema, declarations, statements: texts } = cases[index] as (typeof cases)[number];
      const where = `NESTCALL_SEED=${seed + index}\n${JSON.stringify(schema)}\n${declarations}`;
      expect(errors, where).toEqual([]);
      const refused = statements.flatMap((error, sample) =>
        error === undefined ? [] : [`${texts[sample]}: ${error}`],
      );
      expect(refused, where).toEqual([]);
    }
  },
  120_000,
);
