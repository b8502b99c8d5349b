import { createExecutor, defineTool, type NestcallError, type Registry, type Tool, Type } from "nestcall";
import { expect, test } from "vitest";
import { tool } from "../helpers/engine.js";

const SUBSTITUTE = "[The description of this tool cannot be read.]";

/** A registry with a tool that turns bad after it was defined, and what was reported of it. */
function registryWith(field: "title" | "description", becomes: () => unknown) {
  let isBad = false;
  const definition = {
    name: "moody",
    title: "Moody",
    description: "A tool with moods.",
    inputSchema: Type.Object({}, { additionalProperties: false }),
    execute: () => "ran",
  };
  Object.defineProperty(definition, field, { enumerable: true, get: () => (isBad ? becomes() : "Well.") });
  const { registry }: { registry: Registry } = createExecutor({ tools: [tool("before", () => "ran")] });
  registry.register(defineTool(definition) as unknown as Tool);
  registry.register(tool("after", () => "ran"));
  const errors: NestcallError[] = [];
  registry.reportTo((error) => void errors.push(error as NestcallError));
  isBad = true;
  return { registry, errors };
}

const thrower = () => {
  throw new Error("in a bad mood");
};

test.each([
  ["throws", thrower, "in a bad mood"],
  ["gives no text", () => 7, "it is 7"],
  ["gives nothing", () => undefined, "it is undefined"],
])(
  "a description that %s is one tool's affair: it is listed, declared and found without, and reported once",
  (...it) => {
    const [, becomes, why] = it;
    const { registry, errors } = registryWith("description", becomes);
    const seen: string[] = [];
    registry.on("prepare_loadout", ({ tools }) => void seen.push(...tools.map(({ description }) => description)));
    for (let round = 0; round < 2; round += 1) {
      expect(registry.declarations().map(({ name }) => name)).toEqual(["before", "moody", "after"]);
      expect(registry.declarations().find(({ name }) => name === "moody")?.description).toBe(SUBSTITUTE);
      expect(registry.getAllTools().map(({ description }) => description)).toContain(SUBSTITUTE);
      expect(registry.session.getAllTools()).toHaveLength(3);
      expect(registry.session.searchTools("moody").map(({ name }) => name)).toEqual(["moody"]);
    }
    expect(seen).toContain(SUBSTITUTE);
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["INVALID_TOOL", `The description of tool "moody" cannot be read: ${why}.`],
    ]);
  },
);

test("a title that cannot be read is left out", () => {
  const { registry, errors } = registryWith("title", thrower);
  registry.on("prepare_loadout", () => undefined);
  expect(registry.declarations()).toHaveLength(3);
  expect(registry.getAllTools().map(({ title }) => title)).toEqual([undefined, undefined, undefined]);
  expect(registry.session.searchTools("moods").map(({ name }) => name)).toEqual(["moody"]);
  expect(errors).toHaveLength(1);
});

test("a name is read when the tool is defined, and stays", () => {
  let reads = 0;
  const definition = {
    get name() {
      reads += 1;
      return reads > 1 ? thrower() : "steady";
    },
    description: "A tool.",
    inputSchema: Type.Object({}),
    strict: false,
    execute: () => "ran",
  };
  const { registry } = createExecutor({ tools: [defineTool(definition) as unknown as Tool] });
  expect(registry.getAllTools().map(({ name }) => name)).toEqual(["steady"]);
  expect(registry.declarations().map(({ name }) => name)).toEqual(["steady"]);
});
