// DESIGN 8.1, TC39: what the tools of servers are called here.
import fc from "fast-check";
import { expect, test } from "vitest";
import { namesOfTools } from "../../../src/hosts/mcp/tool-names.js";

const namesOf = (...tools: [server: string, tool: string][]) =>
  namesOfTools(tools.map(([server, tool]) => ({ server, tool })));
const HASHED = /^mcp__.*_[0-9a-f]{8}$/;

test("8.1: server and tool, other characters as _", () => {
  expect(namesOf(["github", "list_issues"], ["my server", "get.it/now"], ["日本", "ü"])).toEqual([
    "mcp__github__list_issues",
    "mcp__my_server__get_it_now",
    "mcp_______",
  ]);
});

test("TC39: two servers with one tool name stay apart without a hash", () => {
  expect(namesOf(["s1", "search"], ["s2", "search"])).toEqual(["mcp__s1__search", "mcp__s2__search"]);
});

test("TC39: a name that is too long is cut, unique, and the same after a restart", () => {
  const [long, other] = namesOf(["s".repeat(60), "t".repeat(40)], ["s".repeat(60), "t".repeat(41)]);
  expect(long).toMatch(/^mcp__s{50}_[0-9a-f]{8}$/);
  expect(long).toHaveLength(64);
  expect(other).not.toBe(long);
  expect(namesOf(["x", "y"], ["s".repeat(60), "t".repeat(40)])[1]).toBe(long);
});

test("8.1: where names would be equal once - counts as _, each gets a hash of both original names", () => {
  const names = namesOf(
    ["a-b", "x"],
    ["a_b", "x"],
    ["a-b", "only"],
    ["s", "read-file"],
    ["s", "read_file"],
    ["s", "read.file"],
  );
  expect(names[2]).toBe("mcp__a-b__only");
  const hashed = names.filter((_, index) => index !== 2);
  for (const name of hashed) expect(name).toMatch(HASHED);
  expect(new Set(hashed.map((name) => name.replaceAll("-", "_"))).size).toBe(5);
});

test("8.1: the border between server and tool cannot be moved", () => {
  const [first, second] = namesOf(["a", "b__c"], ["a__b", "c"]);
  expect([first, second]).toEqual([expect.stringMatching(HASHED), expect.stringMatching(HASHED)]);
  expect(first).not.toBe(second);
});

test("8.1: a tool that is named as another is called with its hash takes nothing from it", () => {
  const [first = ""] = namesOf(["s", "x-y"], ["s", "x_y"]);
  const forged = first.slice("mcp__s__".length);
  const names = namesOf(["s", "x-y"], ["s", "x_y"], ["s", forged]);
  expect(new Set(names).size).toBe(3);
});

test("8.1: any names, in any order: unique, well formed, and always the same for the same tool", () => {
  const part = fc.oneof(
    fc.string({ minLength: 1, maxLength: 80 }),
    fc.constantFrom("a", "a-b", "a_b", "a.b", "a__b", "b__c"),
  );
  const origins = fc.uniqueArray(fc.record({ server: part, tool: part }), {
    selector: ({ server, tool }) => JSON.stringify([server, tool]),
    maxLength: 40,
  });
  fc.assert(
    fc.property(origins, (tools) => {
      const names = namesOfTools(tools);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(new Set(names.map((name) => name.replaceAll("-", "_"))).size).toBe(tools.length);
      expect(namesOfTools(tools.toReversed()).toReversed()).toEqual(names);
    }),
  );
});
