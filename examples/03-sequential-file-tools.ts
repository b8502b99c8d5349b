// Tools that read, change and write back: the engine lets them take turns, so that no change is lost.
// Checks twenty parallel edits of one file under four spellings, and twenty calls that share one number in memory.
import assert from "node:assert/strict";
import { link, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { createExecutor, defineTool, Type } from "nestcall";

const closed = { additionalProperties: false };
const lineOfFile = Type.Object(
  { path: Type.String({ description: "Absolute path of an existing file." }), line: Type.String() },
  closed,
);

/** Not safe by itself: two of these at once both read the old text, and the second write wipes out the first. */
async function addLine(path: string, line: string): Promise<void> {
  const text = await readFile(path, "utf8");
  await turn();
  await writeFile(path, `${text}${line}\n`);
}

const appendDeclared = defineTool({
  name: "append_declared",
  description: "Appends a line to a file. Declares the file, so the engine holds it for the whole call.",
  inputSchema: lineOfFile,
  effect: "write",
  mutates: ({ path }) => [path],
  execute: ({ path, line }) => addLine(path, line),
});

const appendInside = defineTool({
  name: "append_inside",
  description: "Appends a line to a file. Takes the file itself, only for the part that needs it.",
  inputSchema: lineOfFile,
  effect: "write",
  execute: ({ path, line }, ctx) => ctx.withFileMutationQueue(path, () => addLine(path, line)),
});

let tickets = 0;
const takeTicket = defineTool({
  name: "take_ticket",
  description: "Gives the next ticket number. Sequential: calls of it never overlap.",
  inputSchema: Type.Object({}),
  outputSchema: Type.Object({ ticket: Type.Integer() }, closed),
  effect: "write",
  executionMode: "sequential",
  async execute() {
    const before = tickets;
    await turn(); // without the lane, everyone would have read the same number by now
    tickets = before + 1;
    return { structuredContent: { ticket: tickets } };
  },
});

const takeTickets = defineTool({
  name: "take_tickets",
  description: "Takes twenty tickets at the same time.",
  inputSchema: Type.Object({}),
  effect: "write",
  async execute(_args, ctx) {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ctx.executeTool(takeTicket, {})));
    return { structuredContent: outcomes.map((outcome) => outcome.result.structuredContent?.ticket) };
  },
});

const folder = await mkdtemp(join(tmpdir(), "nestcall-files-"));
const executor = createExecutor({ tools: [appendDeclared, appendInside, takeTicket, takeTickets] });
try {
  const file = join(folder, "notes.md");
  await writeFile(file, "");
  await mkdir(join(folder, "x"));
  await symlink(file, join(folder, "symlink.md"));
  await link(file, join(folder, "hard-link.md"));
  const spellings = [file, `${folder}/symlink.md`, `${folder}/hard-link.md`, `${folder}/./x/../notes.md`];

  const batch = await executor.executeBatch(
    Array.from({ length: 20 }, (_, index) => ({
      id: `edit-${index}`,
      name: index % 2 === 0 ? "append_declared" : "append_inside",
      arguments: { path: spellings[(index >> 1) % spellings.length], line: `line ${index}` },
    })),
  );
  assert.deepEqual(
    batch.outcomes.filter((outcome) => outcome.isError),
    [],
  );
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const wanted = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  assert.deepEqual(lines.toSorted(), wanted.toSorted());
  console.log(`${lines.length} parallel edits of one file under ${spellings.length} spellings, none lost`);

  const outcome = await executor.executeTool(takeTickets, {});
  assert.deepEqual(
    outcome.result.structuredContent,
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  console.log(`${tickets} parallel calls of a sequential tool, each with a number of its own`);
} finally {
  await executor.close();
  await rm(folder, { recursive: true });
}
