import { getEventListeners } from "node:events";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileMutationQueue, type MutationQueue, NestcallError } from "nestcall";
import { createGate, type Gate, turn } from "nestcall/testing";
import { afterAll, expect, test } from "vitest";
import { createRandom, forEachSeed, type Random, seedOfThisRun } from "../helpers/random.js";

const CASES = 200;
const SEED = seedOfThisRun();
const HANG_MS = 30_000;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** One use of the queue: what it asks for, and what its function does. */
interface Request {
  readonly label: string;
  readonly paths: readonly string[];
  readonly above: Request | undefined;
  readonly steps: readonly ("gate" | "inner" | "beside" | "left")[];
  readonly throws: boolean;
  readonly controller: AbortController | undefined;
  readonly children: Request[];
  state: "called" | "running" | "settled";
}

/** A world of files with many names; `fileOf` says which names are one file. */
interface World {
  readonly fileOf: ReadonlyMap<string, string>;
  /** Puts a new file where one was, or where none was, under the same names. */
  readonly replace: readonly (() => void)[];
}

function makeWorld(): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "random-queue-")));
  folders.push(folder);
  const at = (name: string) => `${folder}/${name}`;
  mkdirSync(at("x"));
  symlinkSync(folder, at("again"));
  for (const name of ["linked", "replaced", "plain"]) writeFileSync(at(name), name);
  linkSync(at("linked"), at("hard"));
  for (const name of ["linked", "replaced", "missing"]) symlinkSync(at(name), at(`to-${name}`));
  const names: Record<string, string[]> = {
    linked: ["linked", "hard", "to-linked", "x/../linked", "again/hard"],
    replaced: ["replaced", "to-replaced", "./x/../replaced", "again/replaced"],
    missing: ["missing", "to-missing", "x/../missing"],
    plain: ["plain", "again/./plain"],
  };
  const fileOf = new Map(Object.entries(names).flatMap(([file, all]) => all.map((name) => [at(name), file] as const)));
  const renameOver = (name: string) => () => {
    writeFileSync(at("new"), "new");
    renameSync(at("new"), at(name));
  };
  return {
    fileOf,
    replace: [renameOver("replaced"), renameOver("missing"), () => rmSync(at("missing"), { force: true })],
  };
}

class Case {
  readonly world = makeWorld();
  readonly queue: MutationQueue;
  readonly random: Random;
  readonly running = new Set<Request>();
  readonly unsettled = new Set<Request>();
  readonly gates = new Set<Gate>();
  readonly signals: AbortSignal[] = [];
  readonly problems: string[] = [];
  readonly called = new Map<string, Request[]>();
  readonly started = new Map<string, Request[]>();
  readonly settled: Promise<void>[] = [];
  deadlocks = 0;
  #made = 0;

  constructor(random: Random, queue: MutationQueue) {
    this.random = random;
    this.queue = queue;
  }

  /** Asks the queue, and watches what becomes of it. Never rejects. */
  ask(above: Request | undefined): Promise<void> {
    const { random } = this;
    this.#made += 1;
    const names = [...this.world.fileOf.keys()];
    const depth = above === undefined ? 0 : above.above === undefined ? 1 : 2;
    const hasSignal = random.chance(0.25);
    const request: Request = {
      label: `r${this.#made}`,
      paths: Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => random.pick(names)),
      above,
      steps: Array.from({ length: random.between(0, 3) }, () =>
        depth === 2 ? "gate" : random.weighted({ gate: 4, inner: 3, beside: 1, left: 1 }),
      ),
      throws: random.chance(0.15),
      controller: hasSignal ? new AbortController() : undefined,
      children: [],
      state: "called",
    };
    above?.children.push(request);
    this.unsettled.add(request);
    if (above === undefined) for (const path of new Set(request.paths)) listed(this.called, path).push(request);
    const settled = this.#watch(request);
    this.settled.push(settled);
    return settled;
  }

  async #watch(request: Request): Promise<void> {
    const { controller } = request;
    if (controller !== undefined) this.signals.push(controller.signal);
    const thrown = new Error(`thrown by ${request.label}`);
    try {
      const options = controller === undefined ? {} : { signal: controller.signal };
      const value = await this.queue.withFileMutationQueue(request.paths, () => this.#hold(request, thrown), options);
      if (value !== request.label) this.problems.push(`${request.label} gave ${value}`);
    } catch (error) {
      this.#judge(request, error, thrown);
    } finally {
      request.state = "settled";
      this.unsettled.delete(request);
    }
  }

  #judge(request: Request, error: unknown, thrown: Error): void {
    if (error === thrown || (request.controller?.signal.aborted && error === request.controller.signal.reason)) return;
    if (!(error instanceof NestcallError) || error.code !== "DEADLOCK") {
      this.problems.push(`F7: ${request.label} rejected with ${error}`);
      return;
    }
    this.deadlocks += 1;
    if (request.above === undefined) this.problems.push(`F6: ${request.label} holds nothing and was refused`);
    else if (!this.#closesCycle(request)) this.problems.push(`F6: ${request.label} was refused without a cycle`);
  }

  /** Whether somebody who has, or asked for, one of these files waits below for something that leads back to the caller. */
  #closesCycle(request: Request): boolean {
    const above = new Set<Request>();
    for (let up = request.above; up !== undefined; up = up.above) above.add(up);
    const seen = new Set<Request>([request]);
    const open = [request];
    for (let waiting = open.pop(); waiting !== undefined; waiting = open.pop()) {
      for (const other of this.unsettled) {
        if (seen.has(other) || !this.#shareFile(waiting, other) || isAbove(other, waiting)) continue;
        seen.add(other);
        if (above.has(other)) return true;
        open.push(...below(other).filter((inner) => inner.state === "called"));
      }
    }
    return false;
  }

  async #hold(request: Request, thrown: Error): Promise<string> {
    for (const other of this.running) {
      if (this.#shareFile(request, other) && !isAbove(other, request)) {
        this.problems.push(`F1: ${request.label} (${request.paths}) runs beside ${other.label} (${other.paths})`);
      }
    }
    if (request.state !== "called") this.problems.push(`F7: ${request.label} starts when it is ${request.state}`);
    request.state = "running";
    this.running.add(request);
    if (request.above === undefined)
      for (const path of new Set(request.paths)) listed(this.started, path).push(request);
    const beside: Promise<void>[] = [];
    for (const step of request.steps) {
      if (step === "gate") await this.#waitAtGate();
      else if (step === "inner") await this.ask(request);
      else if (step === "beside") beside.push(this.ask(request));
      else void this.ask(request);
    }
    await Promise.all(beside);
    this.running.delete(request);
    if (request.throws) throw thrown;
    return request.label;
  }

  async #waitAtGate(): Promise<void> {
    const gate = createGate();
    this.gates.add(gate);
    await gate.promise;
    this.gates.delete(gate);
  }

  #shareFile(left: Request, right: Request): boolean {
    const files = new Set(left.paths.map((path) => this.world.fileOf.get(path)));
    return right.paths.some((path) => files.has(this.world.fileOf.get(path)));
  }

  async run(): Promise<void> {
    const { random } = this;
    const until = performance.now() + HANG_MS;
    for (let left = random.between(2, 14); left > 0 || this.unsettled.size > 0; ) {
      for (let count = random.between(0, 3); count > 0; count -= 1) await stat(tmpdir());
      await turn();
      const abortable = [...this.unsettled].filter(({ controller }) => controller?.signal.aborted === false);
      const action = random.weighted({
        call: left > 0 ? 2 : 0,
        gate: this.gates.size > 0 ? 2 : 0,
        abort: abortable.length > 0 ? 0.4 : 0,
        replace: 0.3,
      });
      if (action === "call" && left > 0) {
        left -= 1;
        void this.ask(undefined);
      } else if (action === "gate") random.pick([...this.gates]).open();
      else if (action === "abort") random.pick(abortable).controller?.abort(new Error("aborted"));
      else random.pick(this.world.replace)();
      if (performance.now() > until)
        throw new Error(`hangs: ${[...this.unsettled].map((request) => describe(request))}`);
    }
    await Promise.all(this.settled);
  }

  async check(): Promise<void> {
    expect(this.problems).toEqual([]);
    for (const [path, started] of this.started) {
      const inCallOrder = this.called.get(path)?.filter((request) => started.includes(request));
      expect(labels(started), `F1: starts on ${path} in the order of the calls`).toEqual(labels(inCallOrder));
    }
    for (const path of this.world.fileOf.keys()) {
      expect(await this.queue.withFileMutationQueue(path, () => "free"), `F7: ${path} is free`).toBe("free");
    }
    for (const signal of this.signals) expect(getEventListeners(signal, "abort"), "T5").toEqual([]);
  }
}

function listed(map: Map<string, Request[]>, path: string): Request[] {
  const list = map.get(path) ?? [];
  map.set(path, list);
  return list;
}

function labels(requests: readonly Request[] | undefined): string[] | undefined {
  return requests?.map(({ label }) => label);
}

function describe({ label, state, paths }: Request): string {
  return `${label} ${state} ${paths}`;
}

function isAbove(high: Request, low: Request): boolean {
  for (let up = low.above; up !== undefined; up = up.above) if (up === high) return true;
  return false;
}

function below(request: Request): Request[] {
  return request.children.flatMap((child) => [child, ...below(child)]);
}

test.each([
  ["a queue", false, CASES],
  ["a queue across processes", true, CASES / 2],
])(
  `F1-F7: any uses of files with many names, in any order, keep the rules in %s (NESTCALL_SEED=${SEED})`,
  {
    timeout: 180_000,
  },
  async (_which, crossProcess, cases) => {
    let deadlocks = 0;
    await forEachSeed(SEED, cases, async (seed) => {
      const made = new Case(createRandom(seed), createFileMutationQueue({ crossProcess }));
      await made.run();
      await made.check();
      deadlocks += made.deadlocks;
    });
    expect(deadlocks, "cases with a cycle are among them").toBeGreaterThan(0);
  },
);

test.each([
  ["the same order", ["plain", "replaced"], ["plain", "replaced"], 0],
  ["opposite orders", ["plain", "replaced"], ["replaced", "plain"], 1],
  ["opposite orders under other names", ["x/../linked", "replaced"], ["to-replaced", "hard"], 1],
  ["opposite orders of other files", ["plain", "replaced"], ["linked", "missing"], 0],
])("F6: two callers that take two files in %s meet %#", { timeout: HANG_MS }, async (_what, first, second, cycles) => {
  const { fileOf } = makeWorld();
  const full = (name: string) => [...fileOf.keys()].find((path) => path.endsWith(`/${name}`)) as string;
  const { withFileMutationQueue } = createFileMutationQueue();
  const codes: unknown[] = [];
  let holding = 0;
  const bothHold = createGate();
  const isShared = fileOf.get(full(first[0] as string)) === fileOf.get(full(second[0] as string));
  const take = ([outer, inner]: readonly string[]) =>
    withFileMutationQueue(full(outer as string), async () => {
      holding += 1;
      if (holding === 2 || isShared) bothHold.open();
      await bothHold.promise;
      await withFileMutationQueue(full(inner as string), () => {}).catch((error) => codes.push(error.code));
    });
  await Promise.all([take(first), take(second)]);
  expect(codes).toEqual(Array(cycles).fill("DEADLOCK"));
});
