// What a client is told while it waits for a person (8.1).
import type { RootCallOutcome } from "nestcall";
import { createGate } from "nestcall/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ClientCall, type Visit } from "../../../../src/hosts/mcp/serve/client-call.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("8.1: a call that waits for a person says so every 15 s, since clients give up what is silent", async () => {
  const answer = createGate<boolean>();
  const lines: string[] = [];
  const visit: Visit = { signals: [], way: () => answer.promise, say: (line) => lines.push(line) };
  const run = () => new Promise<RootCallOutcome>(() => {});
  const call = ClientCall.begin({ id: "a", name: "x", args: {}, visit, run }, () => {});
  const asked = call.ask("May it?", "T/1 wipe", new AbortController().signal);
  expect(lines).toEqual(["T/1 wipe … waits for approval"]);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(lines).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(lines).toHaveLength(2);
  answer.open(true);
  expect(await asked).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([lines.length, vi.getTimerCount()]).toEqual([2, 0]);
});
