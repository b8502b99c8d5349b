// A script that pays five invoices is killed in the middle, at the worst moment: one payment has been made, and nobody
// has written down that it was. The process that goes on replays the journal: what is in it is not done again, the
// payment in doubt is up to the host, and the rest is done. Checks that every invoice was paid exactly once.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createExecutor, defineTool, Type } from "nestcall";
import { createCodemodeRuntime, createCodemodeTool } from "nestcall/codemode";

// What a model would write. It knows that a payment may be in doubt, and does not pay again by itself.
const code = `
const paid = [];
for (const invoice of ["A1", "A2", "A3", "A4", "A5"]) {
  try {
    await tools.pay({ invoice, cents: 1000 });
    paid.push(invoice);
  } catch (error) {
    if (error.code !== "IN_DOUBT") throw error;
    console.log("To be checked by a person: " + invoice);
  }
}
return paid;`;

/** The journal as JSON lines; a line that the end of the process cut off does not count. */
function openJournal(path: string) {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  const entries = lines.map((line): unknown => JSON.parse(line));
  return {
    [Symbol.iterator]: () => entries[Symbol.iterator](),
    push(entry: unknown): number {
      appendFileSync(path, `${JSON.stringify(entry)}\n`); // there before the call leaves
      return entries.push(entry);
    },
  };
}

const readLines = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []);

/** Runs the script with the journal and the ledger of this folder. */
async function run(folder: string, { dieAt }: { readonly dieAt?: string }) {
  const ledger = join(folder, "ledger.txt");
  const pay = defineTool({
    name: "pay",
    description: "Pays an invoice. Paying twice costs twice.",
    inputSchema: Type.Object({ invoice: Type.String(), cents: Type.Integer() }, { additionalProperties: false }),
    effect: "write", // and not idempotent
    exposure: "codemode",
    execute({ invoice }) {
      appendFileSync(ledger, `${invoice}\n`);
      if (invoice === dieAt) process.kill(process.pid, "SIGKILL");
      return `paid ${invoice}`;
    },
  });
  const executor = createExecutor({ tools: [pay] });
  const runtime = createCodemodeRuntime();
  const inDoubt: string[] = [];
  executor.registry.register(
    createCodemodeTool({
      runtime,
      executor,
      journal: () => openJournal(join(folder, "journal.jsonl")),
      // The host looks at what cannot lie: a payment that is in the ledger is not made again.
      confirmInDoubt({ toolCallId, arguments: args }) {
        inDoubt.push(toolCallId);
        return !readLines(ledger).includes((args as { readonly invoice: string }).invoice);
      },
    }),
  );
  const outcome = await executor.executeTool("codemode", { code }, { toolCallId: "job" });
  await executor.close();
  await runtime.close();
  return { outcome, inDoubt, ledger: readLines(ledger) };
}

const [, , given] = process.argv;
if (given !== undefined) {
  await run(given, { dieAt: "A3" });
} else {
  const folder = await mkdtemp(join(tmpdir(), "nestcall-resume-"));
  try {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder], { stdio: "inherit" });
    const [, signal] = (await once(child, "exit")) as [number | null, string | null];
    assert.equal(signal, "SIGKILL");
    assert.deepEqual(readLines(join(folder, "ledger.txt")), ["A1", "A2", "A3"]);
    console.log(`killed after ${readLines(join(folder, "ledger.txt")).length} payments`);

    const { outcome, inDoubt, ledger } = await run(folder, {});
    assert.equal(outcome.status, "ok", outcome.error?.message);
    assert.deepEqual(ledger, ["A1", "A2", "A3", "A4", "A5"]); // each once
    assert.deepEqual(inDoubt, ["job/3"]);
    // The record has the calls that this process made; those before are in the journal.
    assert.deepEqual(
      outcome.nestedCalls?.calls.map(({ id, status }) => `${id} ${status}`),
      ["job/4 ok", "job/5 ok"],
    );
    const texts = outcome.result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    console.log(`resumed, made ${outcome.nestedCalls?.calls.length} more, nothing twice\n${texts.join("\n")}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
