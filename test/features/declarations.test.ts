// Rows of features.md about what declarations cost and where the caps stand: E57, E58.
import { estimateTokens, REGISTRY_LIMITS, Type } from "nestcall";
import { expect, test } from "vitest";
import { z } from "zod";
import { composeDeclarations } from "../../src/registry/declarations.js";
import { LIMIT_MEANINGS } from "../../src/registry/limits.js";
import { declared, definitionOf, registryOf, taking } from "../helpers/declarations.js";
import { at, tool } from "../helpers/engine.js";
import { readSource } from "../helpers/source-files.js";

test("E57: each declaration says its bytes and about how many tokens it costs, after caps and decoration", () => {
  const tools = [
    taking("plain_tool", { text: { type: "string", description: 'An "é", a 😀 and a\nline.' } }),
    tool("zod_tool", () => "ran", { inputSchema: z.object({ n: z.number() }) }),
    tool("odd_tool", () => "ran", { description: "Half a pair: \ud83d.", inputSchema: Type.Object({}) }),
  ];
  const large = taking("mcp__s__t", { a: { type: "string", description: "x".repeat(9_000) } });
  const decoration = { properties: { reason: { type: "string" } } };
  for (const options of [{}, { decoration }]) {
    for (const declaration of declared(registryOf(tools, [large]), options)) {
      const bytes = Buffer.byteLength(definitionOf(declaration));
      expect([declaration.name, declaration.bytes]).toEqual([declaration.name, bytes]);
      expect(declaration.tokens).toBe(Math.ceil(bytes / 4));
    }
  }
  expect([0, 1, 4, 5, 8_000].map(estimateTokens)).toEqual([0, 1, 1, 2, 2_000]);
});

test("E57: declarations keep the order of registration, are frozen, and are made once", () => {
  const registry = registryOf([taking("b", {}), taking("a", {})], [taking("c", {})]);
  const first = declared(registry);
  expect(first.map(({ name }) => name)).toEqual(["b", "a", "c"]);
  expect(first.every((declaration) => Object.isFrozen(declaration))).toBe(true);
  expect(declared(registry).every((declaration, index) => declaration === first[index])).toBe(true);
});

test("E57: a description that is made when it is read is read each time", () => {
  let text = "First.";
  const made = Object.freeze({
    ...taking("moody", {}),
    get description() {
      return text;
    },
  });
  const entries = [{ tool: made, input: { jsonSchema: made.inputSchema } as never, external: false }];
  expect(at(composeDeclarations(entries), 0).description).toBe("First.");
  text = "Second, and longer.";
  const second = at(composeDeclarations(entries), 0);
  expect([second.description, second.bytes]).toEqual([text, Buffer.byteLength(definitionOf(second))]);
});

test("E57: one tool is capped where it came from elsewhere and not where it is the host's own", () => {
  const long = taking("t", {}, { description: "d".repeat(2_000) });
  const [own, foreign] = [registryOf([long]), registryOf([], [long])];
  expect([own, foreign, own].map((registry) => at(declared(registry), 0).description.length)).toEqual([
    2_000, 1_000, 2_000,
  ]);
});

test("E57: a schema without a JSON form is refused by the tool's name, and left out of an external tool", () => {
  const cycle: { type: string; default?: unknown } = { type: "object" };
  cycle.default = cycle;
  for (const [word, inputSchema] of [
    ["circular", cycle],
    ["BigInt", { type: "object", default: 1n }],
  ] as const) {
    const made = Object.freeze({ ...taking("bad_tool", {}), inputSchema });
    const entry = { tool: made, input: { jsonSchema: inputSchema } as never };
    const message = new RegExp(`^Tool "bad_tool" cannot be declared: .*${word}`);
    expect(() => composeDeclarations([{ ...entry, external: false }])).toThrow(message);
    const [declaration] = composeDeclarations([{ ...entry, external: true }]);
    expect(declaration).toMatchObject({ inputSchema: { type: "object" } });
    expect(declaration?.description).toContain("left out");
  }
});

test("E58: the caps stand in one file, and the table of the docs is made from it", async () => {
  const numbers = Object.values(REGISTRY_LIMITS).filter((value) => value >= 100);
  const holders = readSource().filter(
    ({ path, text }) =>
      path.startsWith("registry/") && numbers.some((value) => new RegExp(`\\b${spellings(value)}\\b`).test(text)),
  );
  expect(holders.map(({ path }) => path)).toEqual(["registry/limits.ts"]);
  const rows = Object.entries(REGISTRY_LIMITS).map(([name, value]) => {
    const meaning = LIMIT_MEANINGS[name as keyof typeof LIMIT_MEANINGS];
    return `| \`${name}\` | ${value.toLocaleString("en-US")} | ${meaning} |`;
  });
  const table = ["| `REGISTRY_LIMITS.` | value | what it is |", "|---|---|---|", ...rows, ""].join("\n");
  await expect(`# Limits\n\n${table}`).toMatchFileSnapshot("../../docs/limits.md");
});

/** 8000, 8_000 and 8,000. */
function spellings(value: number): string {
  return String(value).replace(/(?=(?:\d{3})+$)(?!^)/, "[_,]?");
}
