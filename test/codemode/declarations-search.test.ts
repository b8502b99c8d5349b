import { expect, test } from "vitest";
import { searchTools } from "../../src/codemode/declarations/index.js";

const tool = (name: string, description: string, parameters: string[] = [], namespace?: string) => ({
  name,
  description,
  inputSchema: { type: "object", properties: Object.fromEntries(parameters.map((each) => [each, { type: "string" }])) },
  ...(namespace === undefined ? {} : { namespace: { name: namespace } }),
});

const TOOLS = [
  tool("listIssues", "Lists the issues of a repository. Newest first.", ["repository", "state"], "github"),
  tool("create_issue", "Creates an issue.", ["repository", "title", "body"], "github"),
  tool("search-code", "Finds code by its text.", ["query"], "github"),
  tool("send_mail", "Sends a message to somebody.", ["recipient", "subject"], "mail"),
  tool("list_mail", "Lists messages. Mentions issues of delivery once.", ["folder"], "mail"),
  tool("read_file", "Reads a file of the project.", ["filePath"]),
  tool("HTTPRequest", "Asks a server.", ["url"]),
  tool("übersetzen", "Übersetzt einen Text.", ["text"]),
  tool("tianqi", "查询天气预报", ["城市"]),
];
const names = (query: string, options?: Parameters<typeof searchTools>[2]) =>
  searchTools(TOOLS, query, options).map(({ name }) => name);

test.each([
  ["list issues", "listIssues"],
  ["LISTISSUES", "listIssues"],
  ["listIssues", "listIssues"],
  ["creating issues", "create_issue"],
  ["create-issue", "create_issue"],
  ["subject", "send_mail"],
  ["file path", "read_file"],
  ["http", "HTTPRequest"],
  ["request", "HTTPRequest"],
  ["ubersetzen", "übersetzen"],
  ["天气", "tianqi"],
  ["repo", "listIssues"],
])("the query %j finds %s first", (query, first) => {
  expect(names(query)[0]).toBe(first);
});

test("a word of the name counts more than the same word in a description", () => {
  expect(names("issues").toSorted()).toEqual(["create_issue", "listIssues", "list_mail"]);
  expect(names("issues").at(-1)).toBe("list_mail");
});

test("what has no word of the query is not found; a query without words gives the first tools", () => {
  expect(names("zeppelin")).toEqual([]);
  expect(names("  ?! ")).toEqual(TOOLS.slice(0, 8).map(({ name }) => name));
});

test("the limit is a number or an option, 8 unless given, between 1 and 50", () => {
  const many = Array.from({ length: 80 }, (_, index) => tool(`thing_${index}`, "A thing."));
  expect(searchTools(many, "thing")).toHaveLength(8);
  expect(searchTools(many, "thing", 3).map(({ name }) => name)).toEqual(["thing_0", "thing_1", "thing_2"]);
  expect(searchTools(many, "thing", { limit: 1_000 })).toHaveLength(50);
  expect(searchTools(many, "thing", { limit: -1 })).toHaveLength(1);
  expect(searchTools(many, "thing", { limit: Number.NaN })).toHaveLength(8);
});

test("a namespace narrows the search and is shown", () => {
  expect(searchTools(TOOLS, "list", { namespace: "mail" })).toEqual([
    { name: "list_mail", description: "Lists messages.", namespace: "mail" },
  ]);
});

test("the same question has the same answer, whatever was asked before", () => {
  const asked = names("list repository issues mail", { limit: 9 });
  names("mail");
  expect(names("list repository issues mail", { limit: 9 })).toEqual(asked);
  expect(searchTools([...TOOLS], "list repository issues mail", 9).map(({ name }) => name)).toEqual(asked);
});

test("thousands of tools are searched in milliseconds", () => {
  const many = Array.from({ length: 5_000 }, (_, index) =>
    tool(`do_${index}`, `Does thing ${index} with care.`, ["id"]),
  );
  searchTools(many, "warm");
  const start = performance.now();
  expect(searchTools(many, "thing 4321")[0]?.name).toBe("do_4321");
  expect(performance.now() - start).toBeLessThan(200);
});
