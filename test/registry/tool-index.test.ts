// The index behind searchTools: what is found, in which order, and that no query and no replacement breaks it.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type IndexSearchOptions, ToolIndex } from "../../src/registry/tool-index.js";
import type { ToolInfo } from "../../src/tools/tool.js";

function info(name: string, more: Partial<ToolInfo> = {}): ToolInfo {
  return { name, description: "", inputSchema: { type: "object" }, annotations: {}, exposure: "deferred", ...more };
}
function indexOf(...infos: readonly ToolInfo[]): ToolIndex {
  const index = new ToolIndex();
  for (const tool of infos) index.set(tool.name, tool);
  return index;
}
const namesOf = (index: ToolIndex, query: string, options?: IndexSearchOptions) =>
  index.search(query, options).map(({ name }) => name);

test.each([
  ["a word of the name", info("list_issues"), "issues"],
  ["a word of a name with capitals", info("listOpenIssues"), "open"],
  ["a word of a name with dashes", info("list-open-issues"), "open"],
  ["an abbreviation in a name with capitals", info("parseHTTPHeaders"), "http"],
  ["a word of the title", info("x1", { title: "Merge branches" }), "merge"],
  ["a word of the description", info("x1", { description: "Deploys the site." }), "site"],
  ["a parameter", info("x1", { inputSchema: { type: "object", properties: { dueDate: {} } } }), "due"],
  [
    "a parameter of an inner object",
    info("x1", {
      inputSchema: { type: "object", properties: { a: { type: "array", items: { properties: { colour: {} } } } } },
    }),
    "colour",
  ],
  ["the namespace", info("x1", { namespace: { name: "calendar" } }), "calendar"],
  ["what the namespace is for", info("x1", { namespace: { name: "n", description: "Appointments." } }), "appointment"],
  ["the beginning of a word", info("x1", { description: "The repository." }), "repo"],
  ["another number", info("x1", { description: "One category, many branches." }), "categories branch"],
  ["another case", info("x1", { description: "Deploys" }), "DEPLOYS"],
  ["a word with accents, without them", info("x1", { description: "Créer une tâche" }), "creer tache"],
  ["a part of a text without spaces", info("x1", { description: "創建新的問題" }), "問題"],
])("5: a tool is found by %s", (_what, tool, query) => {
  const index = indexOf(info("other", { description: "Nothing of the kind." }), tool);
  expect(namesOf(index, query)).toEqual([tool.name]);
});

test("5: what no tool has finds nothing, and words that every text has do not count beside others", () => {
  const index = indexOf(info("list_issues", { description: "Lists the issues of a repository." }));
  expect(namesOf(index, "weather")).toEqual([]);
  expect(namesOf(index, "the weather of a town")).toEqual([]);
  expect(namesOf(index, "the")).toEqual(["list_issues"]);
  expect(namesOf(index, "")).toEqual([]);
  expect(namesOf(index, "  _-!  ")).toEqual([]);
});

test("5: a tool of exactly this name comes first, then those whose names begin so, then the others by their words", () => {
  const much = "Run checks, run all checks, run them again: checks, checks, checks.";
  const index = indexOf(
    info("much", { description: much }),
    info("run_checks_twice"),
    info("run_checks"),
    info("runChecksLater"),
  );
  for (const query of ["run_checks", "run checks", "runChecks", "RUN-CHECKS"]) {
    expect(namesOf(index, query)).toEqual(["run_checks", "run_checks_twice", "runChecksLater", "much"]);
  }
  expect(namesOf(index, "runchecksl")).toEqual(["runChecksLater"]);
  const [first, second, , last] = index.search("run_checks").map(({ score }) => Math.floor(score));
  expect([first, second, last]).toEqual([2, 1, 0]);
});

test("5: a rare word outweighs a common one, the name outweighs the description, a word outweighs its beginning", () => {
  const common = ["a1", "a2", "a3"].map((name) => info(name, { description: "Reads the file." }));
  const index = indexOf(...common, info("rare", { description: "Reads the calendar." }));
  expect(namesOf(index, "read calendar")[0]).toBe("rare");
  const named = indexOf(info("x1", { description: "Deploys it." }), info("deploy_x2"));
  expect(namesOf(named, "deploys x")[0]).toBe("deploy_x2");
  const begun = indexOf(info("x1", { description: "portfolio" }), info("x2", { description: "port" }));
  expect(namesOf(begun, "port")).toEqual(["x2", "x1"]);
});

test("5: equals stay in the order of registration, and a replaced tool keeps its place", () => {
  const names = ["delta", "alpha", "charlie", "bravo"];
  const index = indexOf(...names.map((name) => info(name, { description: "Same." })));
  expect(namesOf(index, "same")).toEqual(names);
  index.set("alpha", info("alpha", { description: "Same!" }));
  expect(namesOf(index, "same")).toEqual(names);
  expect(namesOf(index, "same", { limit: 2 })).toEqual(["delta", "alpha"]);
});

test("5: ten are found unless a limit is given", () => {
  const index = indexOf(...Array.from({ length: 30 }, (_, n) => info(`t${n}`, { description: "Same." })));
  expect(namesOf(index, "same")).toHaveLength(10);
  expect(namesOf(index, "same", { limit: 25 })).toHaveLength(25);
});

test("5: what is added or replaced between two searches counts at once, however often it is replaced", () => {
  const index = indexOf(info("a", { description: "old" }), info("b", { description: "other" }));
  expect(namesOf(index, "old")).toEqual(["a"]);
  index.set("c", info("c", { description: "old" }));
  index.set("a", info("a", { description: "new" }));
  expect(namesOf(index, "old")).toEqual(["c"]);
  for (let round = 0; round < 50; round += 1) {
    index.set("a", info("a", { description: `round${round}` }));
    expect(namesOf(index, `round${round}`)).toEqual(["a"]);
    expect(namesOf(index, "new")).toEqual([]);
  }
  const fresh = [
    info("a", { description: "round49" }),
    info("b", { description: "other" }),
    info("c", { description: "old" }),
  ];
  expect(index.search("old")).toEqual(indexOf(...fresh).search("old"));
});

test("5: what the filter leaves out is not found, and does not show in the scores of the rest", () => {
  const words = fc.constantFrom("read", "file", "issue", "list", "merge", "branch", "readme");
  const tool = fc.record({ text: fc.array(words, { maxLength: 8 }), isIn: fc.boolean() });
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 12 }), fc.array(words, { minLength: 1, maxLength: 3 }), (tools, query) => {
      const infos = tools.map(({ text }, n) => info(`t${n}`, { description: text.join(" ") }));
      const isIn = ({ name }: ToolInfo) => tools[Number(name.slice(1))]?.isIn === true;
      const [all, some] = [indexOf(...infos), indexOf(...infos.filter(isIn))];
      expect(all.search(query.join(" "), { filter: isIn })).toEqual(some.search(query.join(" ")));
    }),
  );
});

test("5: a query of any text is answered", () => {
  const index = indexOf(
    info("list_issues", { description: "Lists. 創建 \ud800 x" }),
    info("__proto__"),
    info("constructor"),
  );
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "__proto__",
      "constructor",
      "(",
      "[a",
      "\\",
      "\ud800",
      "\u0000",
      "a".repeat(100_000),
      "a b ".repeat(50_000),
    ),
  );
  fc.assert(
    fc.property(hostile, (query) => void index.search(query)),
    { numRuns: 500 },
  );
  expect(namesOf(index, "__proto__")[0]).toBe("__proto__");
  expect(namesOf(index, "constructor")[0]).toBe("constructor");
});

test.each<[string, readonly unknown[], string]>([
  ["a query that is no text", [5], "searchTools takes a text to search for; it got 5."],
  ["no query", [], "it got undefined"],
  ["a limit of 0", ["x", { limit: 0 }], "options.limit must be a whole number above 0; it is 0."],
  ["half a limit", ["x", { limit: 1.5 }], "it is 1.5"],
  ["a limit that is a text", ["x", { limit: "5" }], "options.limit"],
  ["a filter that is no function", ["x", { filter: true }], "options.filter must be a function; it is true."],
  ["options that are a number", ["x", 5], "searchTools takes options as an object"],
])("5: %s is refused", (_what, args, text) => {
  const search = indexOf().search as (...args: readonly unknown[]) => unknown;
  expect(() => search.apply(indexOf(), args as unknown[])).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENTS", message: expect.stringContaining(text) }) as never,
  );
});
