// Rows of features.md about tools that were written elsewhere: E21 to E29, E34.
import { createExecutor, REGISTRY_LIMITS, type Tool, Type } from "nestcall";
import { expect, test } from "vitest";
import { composeDeclarations } from "../../src/registry/declarations.js";
import { diagnose } from "../../src/registry/diagnostics.js";
import { declared, definitionOf, registryOf, taking } from "../helpers/declarations.js";
import { at, endOf, textOf, tool } from "../helpers/engine.js";

const EMOJI = "😀"; // four bytes, two code units

const describedAs = (description: string) => tool("mcp__s__t", () => "ran", { description });
const bytesOf = (text: string) => Buffer.byteLength(text);
const declaredDescription = (text: string) => at(declared(registryOf([], [describedAs(text)])), 0).description;

/** A tool whose definition takes exactly this many bytes; the description is short. */
function sizedTool(bytes: number): Tool {
  const build = (filler: number) => taking("mcp__s__big", { a: { type: "string", description: "x".repeat(filler) } });
  const rest = bytesOf(definitionOf(at(declared(registryOf([build(0)])), 0)));
  return build(bytes - rest);
}

test("E21: an external description of 1,000 bytes passes, one byte more is cut between two code points", () => {
  expect(declaredDescription("a".repeat(1_000))).toBe("a".repeat(1_000));
  expect(declaredDescription("a".repeat(1_001))).toBe("a".repeat(1_000));
  expect(declaredDescription(EMOJI.repeat(250))).toBe(EMOJI.repeat(250));
  for (let ahead = 1; ahead <= 4; ahead += 1) {
    const kept = Math.floor((1_000 - ahead) / 4);
    expect(declaredDescription(`${"a".repeat(ahead)}${EMOJI.repeat(250)}`)).toBe(
      "a".repeat(ahead) + EMOJI.repeat(kept),
    );
  }
  expect(declaredDescription(`${"é".repeat(499)}€`)).toBe("é".repeat(499)); // 1,001 bytes
});

test("E21: half of a pair in an external description is replaced, so that the request stays valid", () => {
  expect(declaredDescription("a\ud83d b")).toBe("a\ufffd b");
  expect(declaredDescription(`${"a".repeat(999)}\ud83d`)).toBe("a".repeat(999));
});

test("E22: an external definition of 8,000 bytes passes unchanged, one byte more loses its schema", () => {
  const [whole, large] = [sizedTool(8_000), sizedTool(8_001)];
  const kept = at(declared(registryOf([], [whole])), 0);
  expect(kept).toMatchObject({ bytes: 8_000, description: whole.description });
  expect(JSON.stringify(kept.inputSchema)).toBe(JSON.stringify(whole.inputSchema));

  const capped = at(declared(registryOf([], [large])), 0);
  expect(capped.inputSchema).toEqual({ type: "object" });
  expect(capped.description).toMatch(/^The test tool mcp__s__big\. \[.*mcp__s__big.*left out.*8,000 bytes/);
});

test("E22: a long description is cut once more for the notice, which is never cut", () => {
  const schema = { type: "object", properties: { a: { enum: [..."x".repeat(5_000)] } } };
  for (const description of ["a".repeat(5_000), EMOJI.repeat(400), `${"a".repeat(900)} end`]) {
    const large = tool("n".repeat(64), () => "ran", { inputSchema: schema, description, strict: false });
    const text = at(declared(registryOf([], [large])), 0).description;
    expect(bytesOf(text)).toBeGreaterThan(990);
    expect(bytesOf(text)).toBeLessThanOrEqual(1_000);
    expect(text).toContain("n".repeat(64));
    expect(text.endsWith("Arguments are still checked.]")).toBe(true);
    expect(text.isWellFormed()).toBe(true);
  }
});

test("E22: the size is that of what is declared: a long description alone costs no schema", () => {
  const long = taking("mcp__s__long", { a: { type: "string" } }, { description: "d".repeat(20_000) });
  expect(at(declared(registryOf([], [long])), 0).inputSchema).toEqual(long.inputSchema);
});

test("E22: the schema that is declared is the one that was measured, whatever it gives when it is read again", () => {
  let reads = 0;
  const growing = {
    toJSON: () => {
      reads += 1;
      return { enum: ["x".repeat(reads > 1 ? 20_000 : 1)] };
    },
  };
  const inputSchema = { type: "object", properties: { a: growing }, additionalProperties: false };
  const registry = registryOf([], [tool("mcp__s__growing", () => "ran", { inputSchema, strict: false })]);
  reads = 0;
  const first = at(declared(registry), 0);
  Object.assign(inputSchema.properties, { b: { description: "y".repeat(20_000) } });
  for (const declaration of [first, ...declared(registry)]) {
    expect(declaration.bytes).toBe(bytesOf(definitionOf(declaration)));
    expect(declaration.bytes).toBeLessThanOrEqual(8_000);
    expect(Object.isFrozen((declaration.inputSchema as typeof inputSchema).properties.a)).toBe(true);
  }
});

test("E23: the caps are those of the declarations; the registry has the whole definition", () => {
  const large = sizedTool(9_000);
  const registry = registryOf([], [large, describedAs("a".repeat(2_000))]);
  const [big, long] = declared(registry);
  expect([big?.inputSchema, long?.description.length]).toEqual([{ type: "object" }, 1_000]);
  expect(registry.get("mcp__s__big")?.inputSchema).toBe(large.inputSchema);
  expect(at(registry.getAllTools(), 0).inputSchema).toBe(large.inputSchema);
  expect(at(registry.getAllTools(), 1).description).toHaveLength(2_000);
});

test("E24: arguments of a capped tool are checked against the schema that was left out", async () => {
  const executor = createExecutor();
  executor.registry.register(sizedTool(9_000), { external: true });
  const { outcomes } = await executor.executeBatch([
    { id: "bad", name: "mcp__s__big", arguments: { a: { no: "text" } } },
    { id: "good", name: "mcp__s__big", arguments: { a: "text" } },
  ]);
  expect(outcomes.map(endOf)).toEqual(["INVALID_ARGUMENTS", "ok"]);
  expect(textOf(at(outcomes, 1))).toBe('{"a":"text"}');
});

test("E25: a decoration reaches internal tools only, and none on the list of exclusions", () => {
  const own = { type: "string" };
  const names = ["files_read", "bash", "tool_search"];
  const registry = registryOf(
    names.map((name) => taking(name, { path: own })),
    [taking("mcp__s__t", { path: own }), taking("mcp__s__u", {})],
  );
  const decoration = { properties: { reason: { type: "string", description: "Why." } }, required: ["reason"] };
  const before = declared(registry);
  const after = declared(registry, { decoration });
  expect(at(after, 0).inputSchema).toEqual({
    type: "object",
    properties: { path: own, reason: decoration.properties.reason },
    additionalProperties: false,
    required: ["reason"],
  });
  expect(after.map((declaration, index) => declaration === before[index])).toEqual([false, true, true, true, true]);
  expect(at(before, 0).inputSchema).toBe(registry.get("files_read")?.inputSchema);
  expect(Object.keys(registry.get("files_read")?.inputSchema ?? {})).not.toContain("required");

  const excluding = declared(registry, { decoration: { ...decoration, exclude: ["files_read"] } });
  expect(excluding.map(({ inputSchema }) => JSON.stringify(inputSchema).includes("reason"))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

test("E26: origin and deferral do not depend on each other: all four combinations list, load and cap correctly", () => {
  for (const external of [false, true]) {
    for (const exposure of ["direct", "deferred"]) {
      const { registry } = createExecutor();
      registry.register(
        tool("t", () => "ran", { exposure, description: "a".repeat(2_000) }),
        { external },
      );
      const names = () => declared(registry).map(({ name }) => name);
      expect([external, exposure, names()]).toEqual([external, exposure, exposure === "direct" ? ["t"] : []]);
      registry.session.activate(["t"]);
      expect(declared(registry).map(({ description }) => description.length)).toEqual([external ? 1_000 : 2_000]);
      expect(registry.getAllTools().map(({ name }) => name)).toEqual(["t"]);
    }
  }
});

test("E27: diagnostics name no external tool, and no namespace with one in it", () => {
  const inSpace = (name: string, space: string) => taking(name, {}, { namespace: { name: space } });
  const registry = registryOf(
    [taking("files_read", {}), inSpace("helper", "acme_crm"), inSpace("notes_add", "notes")],
    [inSpace("mcp__acme__find", "acme_crm"), taking("mcp__acme__sell", {}), inSpace("mcp__acme__buy", "acme_shop")],
  );
  const declarations = declared(registry);
  const diagnostics = diagnose(registry.session.activeEntries(), declarations);
  expect(diagnostics.tools.map(({ name, namespace }) => [name, namespace])).toEqual([
    ["files_read", undefined],
    ["helper", "[namespace 1]"],
    ["notes_add", "notes"],
    ["[external 1]", "[namespace 1]"],
    ["[external 2]", undefined],
    ["[external 3]", "[namespace 2]"],
  ]);
  expect(JSON.stringify(diagnostics)).not.toMatch(/acme|server/);
  expect(diagnostics.tools.map(({ bytes }) => bytes)).toEqual(declarations.map(({ bytes }) => bytes));
  expect(diagnostics.bytes).toBe(declarations.reduce((sum, { bytes }) => sum + bytes, 0));
});

test("E27: a namespace is not named either when its external tool is hidden, inactive or out of scope", () => {
  const namespace = { name: "acmecorp" };
  for (const [more, options] of [
    [{ exposure: "deferred" }, {}],
    [{ exposure: "hidden" }, {}],
    [{}, { defaultActive: false }],
    [{}, { ownerUserId: "somebody" }],
  ] as const) {
    const registry = registryOf([taking("own", {}, { namespace })]);
    registry.register(taking("mcp__acme__t", {}, { namespace, ...more }), { external: true, ...options });
    expect(registry.diagnostics().tools).toMatchObject([{ name: "own", namespace: "[namespace 1]" }]);
  }
});

test("E27: a tool keeps its number when another is hidden, and one of unknown origin is not named either", () => {
  const registry = registryOf([], [describedAs("One."), taking("mcp__s__u", {})]);
  const entries = registry.session.activeEntries();
  const [, second] = declared(registry);
  expect(diagnose(entries, second === undefined ? [] : [second]).tools).toMatchObject([{ name: "[external 2]" }]);
  expect(diagnose([], declared(registry)).tools.map(({ name }) => name)).toEqual(["[unknown]", "[unknown]"]);
});

test("E28: a declaration has no key and no word about where its tool came from", () => {
  const { registry } = createExecutor();
  const options = { external: true, owner: "acme-server", ownerUserId: "user-7", projectId: "pr-9", platform: "web" };
  registry.register(taking("mcp__s__t", { a: { type: "string" } }), options);
  const session = registry.forSession({ userId: "user-7", projectIds: ["pr-9"], platform: "web" });
  const declarations = composeDeclarations(session.activeEntries());
  expect(declarations.map((declaration) => Object.keys(declaration))).toEqual([
    ["name", "description", "inputSchema", "bytes", "tokens"],
  ]);
  expect(JSON.stringify(declarations)).not.toMatch(/external|owner|acme|user-7|pr-9|"web"/);
});

/** The schema as it is, and how often it was read. */
function counted(properties: number, count: { reads: number }): Tool {
  const watch = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (holder, key, receiver) => {
        count.reads += 1;
        const value: unknown = Reflect.get(holder, key, receiver);
        return typeof value === "object" && value !== null ? watch(value) : value;
      },
    });
  const named = Array.from({ length: properties }, (_, index) => [`property_${index}`, { type: "string" }]);
  const inputSchema = watch({ type: "object", properties: Object.fromEntries(named), additionalProperties: false });
  const made = taking(`mcp__s__t${(counter += 1)}`, {});
  return Object.freeze({ ...made, inputSchema }); // not through defineTool, whose own walk is not counted here
}
let counter = 0;

/** Reads of the schemas while this many external tools are declared. */
function readsOf(tools: number, properties: number): number {
  const count = { reads: 0 };
  const entries = Array.from({ length: tools }, () => {
    const made = counted(properties, count);
    return { tool: made, input: { jsonSchema: made.inputSchema } as never, external: true };
  });
  count.reads = 0;
  composeDeclarations(entries);
  const first = count.reads;
  composeDeclarations(entries);
  expect(count.reads).toBe(first); // each schema is inspected once
  return first;
}

test("E29: ten times the tools are at most twelve times the work, and a large schema is not read to its end", () => {
  expect(readsOf(20, 30)).toBeGreaterThan(20 * 30);
  expect(readsOf(200, 30)).toBeLessThanOrEqual(12 * readsOf(20, 30));
  const [large, huge] = [readsOf(1, 2_000), readsOf(1, 20_000)];
  expect(huge).toBe(large);
  expect(large).toBeLessThan(REGISTRY_LIMITS.externalDefinitionBytes);
});

test("E34: without external tools the listing is byte for byte what it is without caps", () => {
  const large = { a: { type: "string", enum: Array.from({ length: 2_000 }, (_, index) => `value ${index}`) } };
  const tools = [
    taking("mcp__s__internal", large, { description: `${EMOJI.repeat(2_000)} \ud83d`, namespace: { name: "space" } }),
    tool("plain", () => "ran", { inputSchema: Type.Object({}) }),
  ];
  const registry = registryOf(tools);
  const uncapped = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  expect(declared(registry).map(definitionOf)).toEqual(uncapped);
  const { tools: diagnosed } = diagnose(registry.session.activeEntries());
  expect(diagnosed.map(({ name, namespace }) => [name, namespace])).toEqual([
    ["mcp__s__internal", "space"],
    ["plain", undefined],
  ]);
});
