// The file of --record (8.1): the root call and the record of what it called; `nestcall trace` shows it.
import { writeFile } from "node:fs/promises";
import { thrownText } from "../errors/text.js";
import type { RootCallOutcome } from "../executor/batch-outcome.js";
import { note } from "./output.js";

type RootRecord = Pick<RootCallOutcome, "toolCall" | "status" | "error" | "durationMs" | "usage" | "nestedCalls">;

/** Without results: a record never holds any. */
function rootRecord({ toolCall, status, error, durationMs, usage, nestedCalls }: RootCallOutcome): RootRecord {
  return {
    toolCall,
    status,
    ...(error === undefined ? {} : { error }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(usage === undefined ? {} : { usage }),
    ...(nestedCalls === undefined ? {} : { nestedCalls }),
  };
}

export async function writeRecord(path: string | undefined, outcome: RootCallOutcome): Promise<void> {
  if (path === undefined) return;
  await writeTo(path, `${JSON.stringify(rootRecord(outcome), undefined, 2)}\n`);
  note(`The record is in ${path}; \`nestcall trace ${path}\` shows it.`);
}

/** @throws Error that names the file. */
export async function writeTo(path: string, text: string, mode = 0o666): Promise<void> {
  try {
    await writeFile(path, text, { mode });
  } catch (error) {
    throw new Error(unwritable(path, error));
  }
}

export function unwritable(path: string, error: unknown): string {
  return `${path} cannot be written: ${thrownText(error)}`;
}
