// The image of every idle sandbox, compared with the one that scripts start from.
import { expect } from "vitest";
import { inspectRuntime } from "../../../src/codemode/inspect-runtime.js";
import type { Runtime } from "../lab.js";

export async function expectPristine(runtime: Runtime): Promise<void> {
  const { workers } = await inspectRuntime(runtime);
  const idle = workers.flatMap(({ slots }) => slots).filter(({ state }) => state === "idle");
  expect(idle.length).toBeGreaterThan(0);
  for (const slot of idle) expect(slot.memoryHash).toBe(slot.imageHash);
}

/** The threads that are there, to see whether one was kept. */
export async function threadsOf(runtime: Runtime): Promise<number[]> {
  const { workers } = await inspectRuntime(runtime);
  return workers.map(({ threadId }) => threadId);
}
