import { expect, test } from "vitest";
import { describeNamespace, scriptNames } from "../../src/codemode/declarations/index.js";

const membersOf = (...names: string[]) => Object.fromEntries(scriptNames(names.map((name) => ({ name }))).members);
const warningsOf = (...names: string[]) => scriptNames(names.map((name) => ({ name }))).warnings;

test("TC37: an alias is there while nothing else claims it, and never answers for another tool", () => {
  expect(membersOf("github-list-issues")).toEqual({
    "github-list-issues": "github-list-issues",
    github_list_issues: "github-list-issues",
  });
  expect(membersOf("github-list-issues", "github_list_issues")).toEqual({
    "github-list-issues": "github-list-issues",
    github_list_issues: "github_list_issues",
  });
});

test("row 60: every tool is reachable by its exact name, then and toJSON only by their own forms", () => {
  const names = "then toJSON constructor toString __proto__ hasOwnProperty class 1st a.b my-tool my_tool".split(" ");
  const { members, warnings } = scriptNames(names.map((name) => ({ name })));
  expect(new Map(members)).toEqual(
    new Map([
      ...names.slice(2).map((name) => [name, name] as const),
      ["then_", "then"],
      ["toJSON_", "toJSON"],
      ["_1st", "1st"],
      ["a_b", "a.b"],
    ]),
  );
  expect(members).toHaveLength(new Map(members).size);
  expect(warnings).toEqual([]);
});

test("two tools that need one alias get none, and a warning names both", () => {
  expect(membersOf("a-b", "a.b")).toEqual({ "a-b": "a-b", "a.b": "a.b" });
  expect(warningsOf("a-b", "a.b")).toEqual([
    'The tools "a-b", "a.b" would all be a_b in scripts, so none is. Use tools["exact-name"].',
  ]);
});

test("a tool named then_ keeps its name; the tool then is reported as out of reach", () => {
  expect(membersOf("then", "then_", "then!")).toEqual({ then_: "then_", "then!": "then!" });
  expect(warningsOf("then", "then_")).toEqual([
    'The tool "then" cannot be called: its name in scripts, then_, is that of another tool.',
  ]);
  expect(membersOf("then", "then!")).toEqual({ then_: "then", "then!": "then!" });
});

test("no alias is __proto__, and two tools of one name are one", () => {
  expect(scriptNames([{ name: "--proto--" }, { name: "x" }, { name: "x" }]).members).toEqual([
    ["--proto--", "--proto--"],
    ["x", "x"],
  ]);
});

test("a namespace's object has exact names, aliases, and short forms that nothing else claims", () => {
  const github = { name: "github" };
  const tools = ["mcp__github__list-issues", "github_get", "get", "github-search", "github_search"].map((name) => ({
    name,
    namespace: github,
  }));
  const [namespace] = scriptNames(tools).namespaces;
  expect(namespace?.global).toBe("github");
  expect(Object.fromEntries(namespace?.members ?? [])).toEqual({
    "mcp__github__list-issues": "mcp__github__list-issues",
    mcp__github__list_issues: "mcp__github__list-issues",
    list_issues: "mcp__github__list-issues",
    github_get: "github_get",
    get: "get",
    "github-search": "github-search",
    github_search: "github_search",
  });
});

test("a namespace whose name is taken, or contested, has no global", () => {
  const globalOf = (...names: string[]) =>
    scriptNames(names.map((name, index) => ({ name: `t${index}`, namespace: { name } }))).namespaces.map(
      ({ global }) => global,
    );
  expect(globalOf("tools", "Math", "class", "text", "my space", "ok")).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "my_space",
    "ok",
  ]);
  expect(globalOf("a-b", "a.b")).toEqual([undefined, undefined]);
  expect(globalOf("a-b", "a_b")).toEqual([undefined, "a_b"]);
});

test("P54: describeNamespace gives the instructions, the first that a member states", () => {
  const tools = [
    { name: "a", namespace: { name: "n" } },
    { name: "b", namespace: { name: "n", description: "D.", instructions: "I." }, listed: false },
    { name: "c", namespace: { name: "n", description: "Other.", instructions: "Other." } },
    { name: "d" },
  ];
  expect(describeNamespace(tools, "n")).toEqual({
    name: "n",
    description: "D.",
    instructions: "I.",
    tools: ["a", "b", "c"],
  });
  expect(describeNamespace(tools, "none")).toBeUndefined();
});
