// docs/command-line.md: its configuration is one, and what it says of JSON is what comes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readGatewayConfig } from "nestcall/mcp";
import { expect, test } from "vitest";
import { schemaCheckOf } from "../../src/tools/schema-check.js";
import { root } from "../examples/built.js";

const docs = readFileSync(join(root, "docs", "command-line.md"), "utf8");

test("the configuration of the docs is read, decides as they say, and fits the published schema", () => {
  const definition: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(docs)?.[1] ?? "");
  const config = readGatewayConfig(definition, { environment: { DOCS_TOKEN: "t" } });
  expect(config.servers.problems).toEqual([]);
  const decide = (name: string, args?: object) => config.policy.decide({ name, annotations: {} }, args).verdict;
  expect(decide("mcp__files__create_directory")).toBe("allow");
  expect(decide("mcp__docs__search")).toBe("ask");
  expect(decide("mcp__files__move_file")).toBe("deny");
  expect(decide("mcp__files__write_file", { path: "/etc/hosts" })).toBe("deny");
  expect(decide("mcp__files__write_file", { path: "a.txt" })).toBe("ask");
  expect(["mcp__files__read_text_file", "mcp__docs__x"].map(config.exposure.of)).toEqual(["direct", "deferred"]);
  const schema = JSON.parse(readFileSync(join(root, "schema", "nestcall.schema.json"), "utf8")) as object;
  expect(schemaCheckOf(schema).accepts?.(definition)).toBe(true);
});
