import type { NestcallError, Tool } from "nestcall";
import { createExecutor } from "nestcall";
import { expect, test } from "vitest";
import type { Loadout, LoadoutHandler } from "../../src/registry/loadout.js";
import { declared, registryOf, taking } from "../helpers/declarations.js";
import { at, endOf, textOf, tool } from "../helpers/engine.js";

const described = (name: string, description = "As it was.") => tool(name, () => "ran", { description });
const textsOf = (tools: readonly Tool[], handlers: readonly LoadoutHandler[], external: readonly Tool[] = []) =>
  declared(registryOf(tools, external), { handlers }).map(({ name, description }) => `${name}: ${description}`);

test("P5: a hidden declaration stays active, and callable by the model and by tools", async () => {
  const executor = createExecutor({ tools: [described("shown"), described("out_of_sight")] });
  const handlers = [() => ({ hide: ["out_of_sight", "never_registered"] })];
  expect(declared(executor.registry, { handlers }).map(({ name }) => name)).toEqual(["shown"]);
  expect(executor.registry.getActiveTools()).toEqual(["shown", "out_of_sight"]);
  expect(executor.registry.isActive("out_of_sight")).toBe(true);
  const { outcomes } = await executor.executeBatch([{ id: "m", name: "out_of_sight" }]);
  expect(outcomes.map(endOf)).toEqual(["ok"]);
  expect(textOf(at(outcomes, 0))).toBe("ran");
  await executor.close();
});

test("handlers run in order, each sees what those before it left, and the session", () => {
  const seen: Loadout[] = [];
  const registry = registryOf([described("a"), described("b"), described("constructor")], []);
  const handlers: LoadoutHandler[] = [
    (loadout) => void seen.push(loadout),
    () => ({ descriptions: { a: "First.", nobody: "Ignored." }, hide: ["b"] }),
    (loadout) => void seen.push(loadout),
    ({ tools }) => ({ descriptions: { a: `${tools[0]?.description} Second.`, b: "Too late." } }),
  ];
  const result = declared(registry, { handlers, session: registry.session });
  expect(result.map(({ name, description }) => `${name}: ${description}`)).toEqual([
    "a: First. Second.",
    "constructor: As it was.",
  ]);
  expect(seen.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ["a", "b", "constructor"],
    ["a", "constructor"],
  ]);
  expect(seen.map(({ session }) => session === registry.session)).toEqual([true, true]);
  expect(registry.get("a")?.description).toBe("As it was.");
});

test("a handler sees name, title, description, origin, exposure, annotations and namespace", () => {
  const seen: unknown[] = [];
  const full = { title: "T", effect: "read", namespace: { name: "space" }, description: "a".repeat(1_500) };
  const handlers: LoadoutHandler[] = [({ tools }) => void seen.push(...tools)];
  declared(registryOf([taking("own", {}, full)], [described("mcp__s__t", "b".repeat(1_500))]), { handlers });
  expect(seen).toEqual([
    {
      name: "own",
      title: "T",
      description: "a".repeat(1_500),
      external: false,
      exposure: "direct",
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      namespace: { name: "space" },
    },
    { name: "mcp__s__t", description: "b".repeat(1_000), external: true, exposure: "direct", annotations: {} },
  ]);
});

test("E21: an external description is capped after the handlers too, an internal one is not", () => {
  const long = "x".repeat(3_000);
  const handlers = [() => ({ descriptions: { own: long, mcp__s__t: long } })];
  const texts = textsOf([described("own")], handlers, [described("mcp__s__t")]);
  expect(texts).toEqual([`own: ${long}`, `mcp__s__t: ${"x".repeat(1_000)}`]);
});

test("E22: a handler that rewords a capped tool does not lose the notice, nor double it", () => {
  const schema = { a: { type: "string", description: "x".repeat(9_000) } };
  const handlers: LoadoutHandler[] = [
    ({ tools }) => ({ descriptions: { mcp__s__big: `${tools[0]?.description} And more.` } }),
  ];
  const [text = ""] = textsOf([], handlers, [taking("mcp__s__big", schema)]);
  expect(text).toMatch(/^mcp__s__big: The test tool mcp__s__big\. And more\. \[[^[]*left out[^[]*\]$/);
});

test("what a handler throws changes nothing and goes to onError; the others still run", () => {
  const errors: unknown[] = [];
  const handlers: LoadoutHandler[] = [
    () => ({ descriptions: { a: "Before." } }),
    () => {
      throw new Error("broken");
    },
    () => ({ hide: ["b"] }),
  ];
  const registry = registryOf([described("a"), described("b")]);
  const result = declared(registry, { handlers, onError: (error) => void errors.push(error) });
  expect(result.map(({ name, description }) => `${name}: ${description}`)).toEqual(["a: Before."]);
  expect(errors).toEqual([new Error("broken")]);
  expect(declared(registry, { handlers })).toEqual(result);
});

test.each([
  ["a text", "hide it", 'the string "hide it"'],
  ["a list", [], "an array"],
  ["a key that nobody knows", { desc: { a: "x" }, hide: ["b"] }, '"desc"'],
  ["a list of descriptions", { descriptions: ["x"] }, "descriptions"],
  ["a description that is no text", { descriptions: { a: 1 } }, "descriptions"],
  ["a blank description", { descriptions: { a: " " }, hide: ["b"] }, "descriptions"],
  ["a name to hide that is no list", { hide: "b" }, "hide"],
  ["a hidden thing that is no name", { hide: [1] }, "hide"],
  [
    "an answer that throws when it is read",
    {
      get hide() {
        throw new Error("unreadable");
      },
    },
    "unreadable",
  ],
] as const)("%s is reported, and nothing of it is applied", (_case, answer, word) => {
  const errors: NestcallError[] = [];
  const registry = registryOf([described("a"), described("b")]);
  const handlers = [() => answer as never];
  const result = declared(registry, { handlers, onError: (error) => void errors.push(error as NestcallError) });
  expect(result).toEqual(declared(registry));
  expect(errors.map(({ message }) => message.includes(word))).toEqual([true]);
  if (word !== "unreadable") expect(errors.map(({ code }) => code)).toEqual(["INVALID_ARGUMENTS"]);
});

test("an answer is read once: what a getter gives the next time is not declared", () => {
  let reads = 0;
  const answer = {
    get descriptions() {
      reads += 1;
      return { a: reads === 1 ? "Read." : 7 } as never;
    },
  };
  expect(textsOf([described("a")], [() => answer])).toEqual(["a: Read."]);
});

test("a promise is reported at once, and its rejection is nobody's unhandled one", async () => {
  const errors: NestcallError[] = [];
  const handlers = [(() => Promise.reject(new Error("late"))) as never];
  const registry = registryOf([described("a")]);
  expect(declared(registry, { handlers, onError: (error) => void errors.push(error as NestcallError) })).toHaveLength(
    1,
  );
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("gave a promise")]);
  await new Promise(setImmediate); // an unhandled rejection would fail the test run
});

test("no answer, null and an empty one leave the very same declarations", () => {
  const registry = registryOf([described("a")], [described("b", "x".repeat(2_000))]);
  const plain = declared(registry);
  for (const answer of [undefined, null, {}, { hide: [], descriptions: {} }]) {
    const same = declared(registry, { handlers: [() => answer as never] });
    expect(same.map((declaration, index) => declaration === plain[index])).toEqual([true, true]);
  }
});
