// The published JSON Schema of the configuration says what the reader takes: the same keys, the same refusals.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readGatewayConfig } from "nestcall/mcp";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/codemode/limits.js";
import { schemaCheckOf } from "../../src/tools/schema-check.js";
import { root } from "../examples/built.js";

const schema = JSON.parse(readFileSync(join(root, "schema", "nestcall.schema.json"), "utf8")) as {
  readonly properties: {
    readonly limits: { readonly properties: { readonly script: { readonly properties: object } } };
  };
};
const check = schemaCheckOf(schema);
const takesSchema = (value: unknown) => check.accepts?.(value) === true;
function takesReader(value: unknown): boolean {
  try {
    return readGatewayConfig(value).servers.problems.length === 0;
  } catch {
    return false;
  }
}
const s = { command: "node" };

test.each<[boolean, unknown]>([
  [true, { mcpServers: { s } }],
  [true, { servers: { s: { type: "stdio", ...s, args: ["x"], env: { A: "b" }, cwd: "/", timeoutMs: 5 } }, inputs: [] }],
  [true, { mcpServers: { s: { url: "http://localhost/mcp", headers: { A: "b" }, protocol: "auto" } } }],
  [true, { mcpServers: {}, policy: { allow: ["a*"], ask: [], deny: [{ tool: "b", when: { path: "/etc/*" } }] } }],
  [true, { mcpServers: {}, exposure: "direct", budgets: { "*": { maxCalls: 0 } } }],
  [true, { mcpServers: {}, exposure: { a: "hidden" }, limits: { maxDepth: 3, approvalMs: 1, script: { cpuMs: 9 } } }],
  [false, {}],
  [false, { mcpServers: { s: { ...s, url: "http://localhost" } } }],
  [false, { mcpServers: { s: { ...s, alwaysAllow: [] } } }],
  [false, { mcpServers: {}, polices: {} }],
  [false, { mcpServers: {}, policy: { deny: ["a.b"] } }],
  [false, { mcpServers: {}, policy: { deny: "a" } }],
  [false, { mcpServers: {}, policy: { deny: [{ tool: "a", when: { b: 1 } }] } }],
  [false, { mcpServers: {}, exposure: "open" }],
  [false, { mcpServers: {}, budgets: { a: {} } }],
  [false, { mcpServers: {}, limits: { script: { cpu: 1 } } }],
])("7: that schema and reader both take it is %s of %j", (expected, definition) => {
  expect([takesSchema(definition), takesReader(definition)]).toEqual([expected, expected]);
});

test("7: the schema knows every limit of a script", () => {
  expect(Object.keys(schema.properties.limits.properties.script.properties)).toEqual(Object.keys(DEFAULT_LIMITS));
});
