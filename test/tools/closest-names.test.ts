import { expect, test } from "vitest";
import { closestNames } from "../../src/tools/closest-names.js";

test.each<[string, readonly string[], readonly string[]]>([
  ["list_sites", ["get_site_health", "get_sites"], ["get_sites"]],
  ["skip_tests", ["path", "skipTests", "skipTest"], ["skipTests", "skipTest"]],
  ["get-sites", ["getSites", "get_site"], ["getSites", "get_site"]],
  ["raed", ["read", "write"], ["read"]],
  ["mutate", ["mutates", "execute"], ["mutates"]],
  ["get_stes", ["get_site_health", "get_sites"], ["get_sites", "get_site_health"]],
  ["zqxj_4", ["top"], []],
  ["", ["a"], []],
])("A5: for %s, %j gives %j", (name, candidates, wanted) => {
  expect(closestNames(name, candidates, 3)).toEqual(wanted);
  expect(closestNames(name, candidates.toReversed(), 3)).toEqual(wanted);
});

test("A5: hostile names and ten thousand candidates cost little", () => {
  const candidates = Array.from({ length: 20_000 }, (_, index) => `tool_number_${index}_${"x".repeat(40)}`);
  expect(closestNames("tool_number_7_x".padEnd(1_000_000, "y"), candidates, 3).length).toBeLessThanOrEqual(3);
});
