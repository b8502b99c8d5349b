// What a test can find out about its own process.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { turn } from "nestcall/testing";
import { afterAll } from "vitest";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder, by its physical path; removed when the tests of the file are over. */
export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "nestcall-test-")));
  folders.push(folder);
  return folder;
}

/** What nobody caught while `run` ran, and in the turns of the event loop right after it. */
export async function uncaughtDuring(run: () => Promise<unknown>): Promise<unknown[]> {
  const uncaught: unknown[] = [];
  const note = (reason: unknown) => void uncaught.push(reason);
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
  try {
    await run();
    for (let count = 0; count < 5; count += 1) await turn();
    return uncaught;
  } finally {
    process.off("unhandledRejection", note);
    process.off("uncaughtException", note);
  }
}
