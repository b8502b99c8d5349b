// The official reference servers, and the official packages at the other end, through our client.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, Type } from "nestcall";
import { expect, test, vi } from "vitest";
import { endOf, textOf } from "../../helpers/engine.js";
import { freshFolder } from "../../helpers/process.js";
import { connect, fixture, official } from "./connect.js";

vi.setConfig({ testTimeout: 60_000 });

test("issue: results of three reference servers are joined by one tool of ours", async () => {
  const folder = freshFolder();
  await writeFile(join(folder, "a.txt"), "Ada wrote the first program.");
  const memoryFile = join(folder, "memory.jsonl");
  const { executor, connection } = connect({
    everything: official("everything"),
    files: official("filesystem", folder),
    memory: { ...official("memory"), env: { MEMORY_FILE_PATH: memoryFile } },
  });
  const states = await connection.ready();
  expect(states.map(({ name, status, leftOut }) => [name, status, leftOut])).toEqual([
    ["everything", "connected", []],
    ["files", "connected", []],
    ["memory", "connected", []],
  ]);
  executor.registry.register(
    defineTool({
      name: "join",
      description: "Joins.",
      inputSchema: Type.Object({}),
      effect: "write",
      async execute(_args, ctx) {
        const read = await ctx.executeTool("mcp__files__read_text_file", { path: join(folder, "a.txt") });
        const entities = [{ name: "Ada", entityType: "person", observations: [textOf(read)] }];
        const made = await ctx.executeTool("mcp__memory__create_entities", { entities });
        const graph = await ctx.executeTool("mcp__memory__read_graph", {});
        const sum = await ctx.executeTool("mcp__everything__get-sum", { a: 2, b: 3 });
        return {
          structuredContent: {
            ends: [read, made, graph, sum].map(endOf),
            graph: graph.result.structuredContent,
            sum: textOf(sum),
          },
        };
      },
    }),
  );
  const { result, nestedCalls } = await executor.executeTool("join");
  expect(result.structuredContent).toMatchObject({
    ends: ["ok", "ok", "ok", "ok"],
    graph: { entities: [{ name: "Ada", observations: ["Ada wrote the first program."] }] },
    sum: expect.stringContaining("5"),
  });
  expect(nestedCalls?.calls.map(({ name, status }) => `${name} ${status}`)).toHaveLength(4);
  expect(await readFile(memoryFile, "utf8")).toContain("Ada");
});

test("issue: everything's progress, images, links, structured content, annotations and wrong arguments", async () => {
  const { executor, connection } = connect({ s: official("everything") });
  await connection.ready();
  const updates: string[] = [];
  const onUpdate = (update: object) => updates.push(JSON.stringify(update));
  await executor.executeTool("mcp__s__trigger-long-running-operation", { duration: 0.4, steps: 4 }, { onUpdate });
  expect(updates).toHaveLength(4);
  const image = await executor.executeTool("mcp__s__get-tiny-image");
  expect(image.result.content.map(({ type }) => type)).toContain("image");
  const links = await executor.executeTool("mcp__s__get-resource-links", { count: 2 });
  expect(links.result.content.filter(({ type }) => type === "resource_link")).toHaveLength(2);
  const weather = await executor.executeTool("mcp__s__get-structured-content", { location: "Chicago" });
  expect(weather.result.structuredContent).toMatchObject({ conditions: expect.any(String) });
  expect(endOf(await executor.executeTool("mcp__s__get-sum", { a: "two" }))).toBe("INVALID_ARGUMENTS");
});

test("E12: a missing file is a text that the model can act on", async () => {
  const folder = freshFolder();
  const { executor, connection } = connect({ files: official("filesystem", folder) });
  await connection.ready();
  expect(executor.registry.get("mcp__files__read_text_file")?.annotations.readOnlyHint).toBe(true);
  const outcome = await executor.executeTool("mcp__files__read_text_file", { path: join(folder, "no.txt") });
  expect([endOf(outcome), textOf(outcome)]).toEqual(["TOOL_FAILED", expect.stringContaining("ENOENT")]);
});

test.each([
  [undefined, "2025-11-25", "legacy"],
  ["auto", "2026-07-28", "modern"],
  ["modern", "2026-07-28", "modern"],
])("issue: a stdio server of both eras, protocol %s, is spoken to in %s", async (protocol, version, era) => {
  const entry = { command: process.execPath, args: [fixture("modern-server.mjs")] };
  const { executor, connection, state } = connect({ s: protocol === undefined ? entry : { ...entry, protocol } });
  await connection.ready();
  expect(state()).toMatchObject({ status: "connected", protocolVersion: version });
  expect(textOf(await executor.executeTool("mcp__s__era"))).toBe(era);
  // Started anew, it is not asked again what it speaks.
  process.kill(state().pid ?? 0, "SIGKILL");
  await vi.waitFor(() => expect(state().status).toBe("failed"));
  expect(textOf(await executor.executeTool("mcp__s__era"))).toBe(era);
});
