// A disk that does not answer: lookups of chosen paths wait at a gate. Patience is shown by who may go on while the gate
// is closed, never by a clock.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileMutationQueue } from "nestcall";
import { createGate, type Gate } from "nestcall/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

let folder: string;
let slow: Map<string, Gate>;
let run: ReturnType<typeof createFileMutationQueue>["withFileMutationQueue"];
let log: string[];
let starts: Map<string, Gate>;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "slow-lookups-")));
  for (const name of ["slow", "other", "third"]) fs.writeFileSync(at(name), name);
  fs.symlinkSync(at("slow"), at("link"));
  slow = new Map();
  log = [];
  starts = new Map();
  run = createFileMutationQueue().withFileMutationQueue;
  // biome-ignore lint/suspicious/noExplicitAny: the functions are overloaded; what is passed on is what came
  type Lookup = (...args: any[]) => void;
  const late = (lookup: Lookup) =>
    ((...args) => {
      const gate = slow.get(String(args[0]));
      if (gate === undefined) lookup(...args);
      else void gate.promise.then(() => lookup(...args));
    }) as Lookup;
  const { native } = fs.realpath;
  const { stat, lstat } = fs;
  vi.spyOn(fs.realpath, "native").mockImplementation(late(native));
  vi.spyOn(fs, "stat").mockImplementation(late(stat) as never);
  vi.spyOn(fs, "lstat").mockImplementation(late(lstat) as never);
});

afterEach(() => {
  for (const gate of slow.values()) gate.open();
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

function at(name: string): string {
  return join(folder, name);
}

/** Lookups of this path get no answer until the gate is opened. */
function hang(name: string): Gate {
  const gate = createGate();
  slow.set(at(name), gate);
  const open = () => {
    slow.delete(at(name));
    gate.open();
  };
  return { ...gate, open };
}

/** Writes down when it runs; holds the files until `gate` is open. */
function use(label: string, names: string | string[], gate?: Gate, signal?: AbortSignal): Promise<void> {
  const paths = [names].flat().map(at);
  const fn = async () => {
    log.push(`${label} starts`);
    startGate(label).open();
    await gate?.promise;
    log.push(`${label} ends`);
  };
  return run(paths, fn, signal === undefined ? {} : { signal });
}

function startGate(label: string): Gate {
  const gate = starts.get(label) ?? createGate();
  starts.set(label, gate);
  return gate;
}

function startOf(label: string): Promise<void> {
  return startGate(label).promise;
}

/** Calls on free files, one after the other: when they are through, whoever could start has started. */
async function othersGoOn(...labels: string[]): Promise<void> {
  for (const label of labels) await use(label, "other");
}

test("F1: a lookup that never answers keeps no other file waiting", async () => {
  const gate = hang("slow");
  const stuck = use("stuck", "slow");
  await Promise.all([use("other", "other"), use("third", "third")]);
  expect(log).not.toContain("stuck starts");
  gate.open();
  await stuck;
  expect(log.at(-1)).toBe("stuck ends");
});

test("F1: several lookups that never answer keep no other file waiting", async () => {
  const gates = ["slow", "link", "third"].map(hang);
  const stuck = ["slow", "link", "third"].map((name) => use(name, name));
  await othersGoOn("a", "b");
  expect(log).toEqual(["a starts", "a ends", "b starts", "b ends"]);
  for (const gate of gates.reverse()) gate.open();
  await Promise.all(stuck);
});

test("F1: other calls on other files asked before, between and after a late call all go on", async () => {
  const before = use("before", "other");
  const gate = hang("slow");
  const stuck = use("stuck", "slow");
  const between = use("between", "other");
  const after = use("after", "third");
  await Promise.all([before, between, after]);
  expect(log.filter((line) => line.endsWith("starts"))).not.toContain("stuck starts");
  gate.open();
  await stuck;
});

test("F1: calls on one lexical path keep their order when the lookup is late", async () => {
  const gate = hang("slow");
  const first = use("first", "slow");
  await othersGoOn("other"); // by now the first is late
  const second = use("second", "slow");
  const third = use("third", "slow");
  gate.open();
  await Promise.all([first, second, third]);
  expect(log.slice(2)).toEqual([
    "first starts",
    "first ends",
    "second starts",
    "second ends",
    "third starts",
    "third ends",
  ]);
});

test("F1: a call whose second path is late keeps its turn at the first", async () => {
  const gate = hang("slow");
  const both = use("both", ["third", "slow"]);
  await othersGoOn("other"); // by now it is late
  const later = use("later", "third");
  await othersGoOn("a", "b", "c");
  expect(log).not.toContain("later starts");
  gate.open();
  await Promise.all([both, later]);
  expect(log.slice(-4)).toEqual(["both starts", "both ends", "later starts", "later ends"]);
});

test("F1: a late call waits for whoever holds its file under another name by then", async () => {
  const gate = hang("link");
  const late = use("late", "link");
  const holding = createGate();
  const held = use("holder", "slow", holding);
  await startOf("holder");
  gate.open();
  await othersGoOn("a", "b", "c");
  expect(log).not.toContain("late starts");
  holding.open();
  await Promise.all([held, late]);
  expect(log.slice(-3)).toEqual(["holder ends", "late starts", "late ends"]);
});

test("F1: others wait for a late call once it holds its file", async () => {
  const gate = hang("link");
  const holding = createGate();
  const late = use("late", "link", holding);
  await othersGoOn("other");
  gate.open();
  await startOf("late");
  const next = use("next", "slow");
  await othersGoOn("a", "b", "c");
  expect(log).not.toContain("next starts");
  holding.open();
  await Promise.all([late, next]);
  expect(log.slice(-3)).toEqual(["late ends", "next starts", "next ends"]);
});

test("F7: an aborted call whose lookup hangs leaves at once, and its function never runs", async () => {
  const gate = hang("slow");
  const controller = new AbortController();
  const stuck = use("stuck", "slow", undefined, controller.signal);
  const follower = use("follower", "slow");
  controller.abort("enough");
  await expect(stuck).rejects.toBe("enough");
  await othersGoOn("other");
  gate.open();
  await follower;
  expect(log).toEqual(["other starts", "other ends", "follower starts", "follower ends"]);
});

test("F7: a late call that was aborted leaves its place on the lexical path", async () => {
  const gate = hang("slow");
  const controller = new AbortController();
  const both = use("both", ["third", "slow"], undefined, controller.signal);
  await othersGoOn("other");
  const later = use("later", "third");
  controller.abort("enough");
  await expect(both).rejects.toBe("enough");
  await later; // the lookup still hangs
  expect(log.slice(-2)).toEqual(["later starts", "later ends"]);
  gate.open();
});

test("F10: a late lookup that fails rejects its call alone", async () => {
  fs.symlinkSync(at("loop"), at("loop"));
  const gate = hang("loop");
  const stuck = use("stuck", "loop");
  const settled = expect(stuck).rejects.toMatchObject({ code: "ELOOP" });
  await othersGoOn("other");
  gate.open();
  await settled;
  await use("after", "slow");
  expect(log).not.toContain("stuck starts");
});

test("F3: a second look that hangs stops no other file, and keeps its place", async () => {
  const holding = createGate();
  const holder = use("holder", "slow", holding);
  await startOf("holder");
  const waiter = use("waiter", "slow");
  await othersGoOn("other"); // the waiter has been looked up
  const gate = hang("slow");
  holding.open();
  await holder;
  const last = use("last", "link");
  await othersGoOn("a", "b", "c");
  expect(log).not.toContain("waiter starts");
  expect(log).not.toContain("last starts");
  gate.open();
  await Promise.all([waiter, last]);
  expect(log.slice(-4)).toEqual(["waiter starts", "waiter ends", "last starts", "last ends"]);
});

test("F3, F7: a call whose second look hangs can be aborted, and the next one goes on", async () => {
  const holding = createGate();
  const controller = new AbortController();
  const holder = use("holder", "slow", holding);
  await startOf("holder");
  const waiter = use("waiter", "slow", undefined, controller.signal);
  const next = use("next", "slow");
  await othersGoOn("other");
  const gate = hang("slow");
  holding.open();
  await holder;
  controller.abort("enough");
  await expect(waiter).rejects.toBe("enough");
  gate.open();
  await next;
  expect(log.slice(-2)).toEqual(["next starts", "next ends"]);
});
