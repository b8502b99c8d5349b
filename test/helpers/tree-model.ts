// What the rules of DESIGN.md say about a tree, worked out from what the test's own side did (its calls, its hooks, its
// tools' returns, the aborts), and never from the engine. Where the design leaves two answers, both are accepted.
import { getEventListeners } from "node:events";
import type { NestedCallRecord, ToolCallOutcome, ToolExecutionEvent } from "nestcall";
import { expect } from "vitest";
import type { CallPlan, TreePlan } from "./tree-plan.js";
import { type Arguments, argumentsOf, type Entry, LONG_NAME, patchOf, type TreeRun, usageOf } from "./tree-run.js";

type Phase = "deciding" | "waiting" | "running" | "settling" | "done";
type Status = "ok" | "error" | "aborted";
type Stop = "own" | "above" | "orphan";

interface Call {
  readonly plan: CallPlan;
  readonly parent: Call | undefined;
  readonly id: string;
  readonly depth: number;
  readonly root: Root;
  readonly children: Call[];
  /** `executeTool` on a closed scope (S3): no events, no record. */
  readonly isRefusedByScope: boolean;
  made: number;
  phase: Phase;
  stop: Stop | undefined;
  status: Status;
  /** What the code may be; undefined where the design does not say. */
  codes: readonly string[] | undefined;
  /** The arguments that run, or the snapshot of a refused call. */
  effective: unknown;
  /** What the hook made of them, good or bad. */
  patched: unknown;
  executedAt: number | undefined;
  returnedAt: number | undefined;
  isGivenUp: boolean;
  recordStatuses: readonly string[];
  ownUsage: unknown;
  hook: "none" | "may" | "must";
  reachesResultHook: boolean;
}
interface Root {
  readonly index: number;
  readonly started: Call[];
  readonly kept: { call: Call; bytes: number; isKept: boolean }[];
  keptBytes: number;
}

const UNREADABLE = ["cycle", "bigint", "function", "getter"];
const UNREACHABLE = ["no_such_tool", "secret", "for_model", "long"];

/** Throws when the run did anything that the rules do not allow. */
export function checkTree(tree: TreePlan, run: TreeRun): void {
  const model = new Model(tree);
  for (const entry of run.log) model.take(entry);
  model.checkEnd(run);
}

class Model {
  readonly calls = new Map<string, Call>();
  readonly roots: Root[];
  readonly tree: TreePlan;
  /** Lane holders whose tool has not returned. */
  readonly inLane = new Set<Call>();

  constructor(tree: TreePlan) {
    this.tree = tree;
    this.roots = tree.roots.map((_plan, index) => ({ index, started: [], kept: [], keptBytes: 0 }));
  }

  at(key: string): Call {
    const call = this.calls.get(key);
    if (call === undefined) throw new Error(`the model knows no call ${key}`);
    return call;
  }

  take(entry: Entry): void {
    switch (entry.type) {
      case "call":
        this.#called(entry.plan, entry.parentKey, entry.root);
        break;
      case "hook":
        this.#hooked(entry);
        break;
      case "hook done":
        this.#hookDone(this.at(entry.key));
        break;
      case "second hook":
        expect(entry.input, `H2: the second hook of ${entry.key}`).toEqual(this.at(entry.key).patched);
        break;
      case "execute":
        this.#executes(entry);
        break;
      case "return":
        this.#returns(this.at(entry.key), entry.at);
        break;
      case "abort":
        this.#stop(this.at(entry.key), "own");
        break;
      case "grace":
        this.#endGrace();
        break;
      default:
    }
  }

  #called(plan: CallPlan, parentKey: string | undefined, rootIndex: number): void {
    const parent = parentKey === undefined ? undefined : this.at(parentKey);
    const root = parent?.root ?? (this.roots[rootIndex] as Root);
    if (parent !== undefined) parent.made += 1;
    const isClosed = parent !== undefined && (parent.phase === "settling" || parent.phase === "done");
    const call: Call = {
      plan,
      parent,
      root,
      id: parent === undefined ? (this.tree.rootIds[rootIndex] as string) : `${parent.id}/${parent.made}`,
      depth: parent === undefined ? 0 : parent.depth + 1,
      children: [],
      isRefusedByScope: isClosed,
      made: 0,
      phase: isClosed ? "done" : "deciding",
      stop: undefined,
      status: "error",
      codes: isClosed ? ["CALLER_FINISHED"] : undefined,
      effective: snapshotOf(plan),
      patched: undefined,
      executedAt: undefined,
      returnedAt: undefined,
      isGivenUp: false,
      recordStatuses: ["ok", "error", "aborted"],
      ownUsage: undefined,
      hook: "none",
      reachesResultHook: false,
    };
    this.calls.set(plan.key, call);
    if (isClosed) return;
    if (parent !== undefined) {
      parent.children.push(call);
      root.started.push(call);
      this.#keep(call);
    }
    this.#refuseAtOnce(call);
  }

  /** S5, A2, A3, A5, T1: what can be said of a call before any hook has seen it. */
  #refuseAtOnce(call: Call): void {
    const { plan, parent, root } = call;
    const codes: string[] = [];
    const isStopped = plan.signal === "aborted" || parent?.stop !== undefined;
    if (isStopped) codes.push("ABORTED");
    if (UNREADABLE.includes(plan.arguments)) codes.push("INVALID_ARGUMENTS");
    if (call.depth > this.tree.maxDepth) codes.push("DEPTH_EXCEEDED");
    if (parent !== undefined && root.started.length > this.tree.maxCallsPerRoot) codes.push("CALLS_EXCEEDED");
    if (UNREACHABLE.includes(plan.target)) codes.push("UNKNOWN_TOOL");
    if (plan.arguments === "invalid" || plan.arguments === "nothing") codes.push("INVALID_ARGUMENTS");
    if (codes.length > 0) {
      call.hook = isStopped ? "may" : "none";
      call.effective = snapshotOf(plan);
      this.#finish(call, isStopped && codes.length === 1 ? "aborted" : "error", codes);
      return;
    }
    call.hook = "must";
    if (plan.arguments === "repaired") call.effective = { key: plan.key, count: 5 };
  }

  #hooked({ key, id, input, depth }: Extract<Entry, { type: "hook" }>): void {
    const call = this.at(key);
    expect(call.hook, `the hook of ${key} is not reached`).not.toBe("none");
    expect({ id, depth }).toEqual({ id: call.id, depth: call.depth });
    if (call.hook === "must") expect(input, `what the hook of ${key} sees`).toEqual(call.effective);
    call.hook = "may"; // and once only
  }

  #hookDone(call: Call): void {
    const { plan } = call;
    if (call.phase !== "deciding") return;
    call.patched = patchOf(plan, call.effective as Arguments);
    const refusal = { block: "BLOCKED", throw: "HOOK_FAILED", "patch-invalid": "INVALID_ARGUMENTS" }[
      plan.hook as string
    ];
    if (refusal !== undefined) {
      call.effective = snapshotOf(plan); // H2: a refused call keeps the snapshot
      this.#finish(call, "error", [refusal]);
      return;
    }
    call.effective = call.patched;
    if (JSON.stringify(call.effective) !== JSON.stringify(snapshotOf(plan))) this.#keepAnew(call);
    call.phase = "waiting";
  }

  #executes({ key, args, at, ctx }: Extract<Entry, { type: "execute" }>): void {
    const call = this.at(key);
    expect(call.phase, `${key} may run`).toBe("waiting");
    call.phase = "running";
    call.executedAt = at;
    expect(args, `what ${key} runs with`).toEqual(call.effective);
    expect({ id: ctx.toolCallId, parent: ctx.parentToolCallId, depth: ctx.depth }).toEqual({
      id: call.id,
      parent: call.parent?.id,
      depth: call.depth,
    });
    const running = call.parent?.children.filter((child) => child.phase === "running" || child.phase === "settling");
    expect(running?.length ?? 0, `B5: calls of one parent at once`).toBeLessThanOrEqual(this.tree.maxConcurrency);
    if (call.plan.target !== "lane") return;
    for (const holder of this.inLane) {
      expect(isAbove(holder, call), `B3: ${key} runs beside ${holder.plan.key} in the lane`).toBe(true);
    }
    this.inLane.add(call);
  }

  #returns(call: Call, at: number): void {
    this.inLane.delete(call);
    if (call.phase !== "running") return; // given up; what it does now is dropped
    call.returnedAt = at;
    call.phase = "settling";
    const { plan } = call;
    const reports = plan.ending !== "throw-odd";
    if (reports) call.ownUsage = usageOf(plan.usage, plan.amount);
    if (call.stop !== undefined) {
      call.status = "aborted";
      call.codes = ["ABORTED"];
    } else {
      call.reachesResultHook = true;
      [call.status, call.codes] = resultOf(plan);
      if (plan.resultHook === "usage") call.ownUsage = { input: 7 };
    }
    for (const child of call.children) this.#stop(child, "orphan");
    this.#doneWhenAlone(call);
  }

  #stop(call: Call, why: Stop): void {
    if (call.isRefusedByScope || call.phase === "done" || call.phase === "settling" || call.stop !== undefined) return;
    call.stop = why;
    if (call.phase !== "running") {
      call.hook = call.hook === "must" ? "may" : call.hook;
      this.#finish(call, "aborted", ["ABORTED"]);
      return;
    }
    for (const child of call.children) this.#stop(child, why === "own" ? "above" : why);
  }

  /** T2, S4: whoever was told to stop and has not is ended now. */
  #endGrace(): void {
    const open = [...this.calls.values()].filter((call) => call.phase === "settling" || isStopping(call));
    const givenUp = open.filter(isStopping);
    // A call whose tool has returned is not among them: it keeps content and usage, and waits only for calls below it.
    for (const call of givenUp) {
      const isBelow = open.some((other) => isAbove(other, call));
      const isEndedByEngine = call.stop === "orphan";
      call.recordStatuses = isEndedByEngine ? ["unfinished"] : isBelow ? ["aborted", "unfinished"] : ["aborted"];
    }
    for (const call of givenUp) {
      call.isGivenUp = true;
      call.status = "aborted";
      call.codes = ["ABORTED"];
      call.phase = "done";
    }
    for (const call of open) if (call.phase === "settling") this.#doneWhenAlone(call);
  }

  #finish(call: Call, status: Status, codes: readonly string[]): void {
    call.status = status;
    call.codes = codes;
    call.phase = "done";
    if (call.parent !== undefined) this.#doneWhenAlone(call.parent);
  }

  #doneWhenAlone(call: Call): void {
    if (call.phase !== "settling" || call.children.some((child) => child.phase !== "done")) return;
    call.phase = "done";
    if (call.parent !== undefined) this.#doneWhenAlone(call.parent);
  }

  /** R2, R3. */
  #keep(call: Call): void {
    if (call.root.kept.length >= 256) return;
    const entry = { call, bytes: 0, isKept: false };
    call.root.kept.push(entry);
    this.#measure(entry);
  }

  #keepAnew(call: Call): void {
    const entry = call.root.kept.find((item) => item.call === call);
    if (entry === undefined) return;
    if (entry.isKept) call.root.keptBytes -= entry.bytes;
    this.#measure(entry);
  }

  #measure(entry: Root["kept"][number]): void {
    const { root, plan, effective } = entry.call;
    if (UNREADABLE.includes(plan.arguments)) return;
    entry.bytes = Buffer.byteLength(JSON.stringify(mend(effective)));
    entry.isKept = entry.bytes <= 8192 && root.keptBytes + entry.bytes <= 32_768;
    if (entry.isKept) root.keptBytes += entry.bytes;
  }

  checkEnd(run: TreeRun): void {
    const outcomes = new Map<string, ToolCallOutcome>();
    for (const entry of run.log) {
      if (entry.type !== "outcome") continue;
      expect(outcomes.has(entry.key), `${entry.key} settles twice`).toBe(false);
      outcomes.set(entry.key, entry.outcome);
    }
    for (const call of this.calls.values()) {
      expect(call.phase, `${call.plan.key} is over`).toBe("done");
      expect(call.hook, `H1: the hook of ${call.plan.key} was asked`).not.toBe("must");
      checkOutcome(call, outcomes.get(call.plan.key));
    }
    this.#checkResultHooks(run.log);
    for (const root of this.roots) checkRecord(root, run, outcomes);
    if (this.roots.length === 1) checkEvents(this.calls, run.log);
    this.#checkBadUsage(run.badUsage);
    for (const signal of run.signals) expect(getEventListeners(signal, "abort"), "T5: listeners left").toEqual([]);
  }

  #checkResultHooks(log: readonly Entry[]): void {
    const seen = log.flatMap((entry) => (entry.type === "result hook" ? [entry.key] : [])).sort();
    const wanted = [...this.calls.values()].filter((call) => call.reachesResultHook).map((call) => call.plan.key);
    expect(seen, "H1, H5: calls whose result reached the hook").toEqual(wanted.sort());
  }

  #checkBadUsage(seen: ReadonlySet<string>): void {
    const bad = [...this.calls.values()].filter(
      (call) => call.plan.resultHook !== "usage" && ["negative", "not-a-number", "no-object"].includes(kindOf(call)),
    );
    const unsure = new Set(
      [...this.calls.values()].filter((call) => call.plan.resultHook === "usage").map((call) => call.id),
    );
    expect([...seen].filter((id) => !unsure.has(id)).sort(), "R7: usage that was reported as bad").toEqual(
      [...new Set(bad.map((call) => call.id))].filter((id) => !unsure.has(id)).sort(),
    );
  }
}

function kindOf(call: Call): string {
  return call.ownUsage === undefined ? "none" : call.plan.usage;
}

function isStopping(call: Call): boolean {
  return call.phase === "running" && call.stop !== undefined;
}

function isAbove(high: Call, low: Call): boolean {
  for (let call = low.parent; call !== undefined; call = call.parent) if (call === high) return true;
  return false;
}

/** A1: what JSON makes of the arguments; nothing for what it cannot hold. */
function snapshotOf(plan: CallPlan): unknown {
  return UNREADABLE.includes(plan.arguments) ? undefined : JSON.parse(JSON.stringify(argumentsOf(plan) ?? {}));
}

/** How a call ends whose tool came to its end in time, its result hook included. */
function resultOf({ ending, resultHook }: CallPlan): [Status, readonly string[] | undefined] {
  if (resultHook === "throw") return ["error", ["HOOK_FAILED"]];
  if (resultHook === "mark-failed") return ["error", undefined];
  if (resultHook === "mend") return ["ok", []];
  if (ending === "failed" || ending === "throw" || ending === "throw-odd") return ["error", ["TOOL_FAILED"]];
  if (ending === "invalid") return ["error", ["INVALID_RESULT"]];
  if (ending === "transport") return ["error", ["TRANSPORT_FAILED"]];
  return ["ok", []];
}

function checkOutcome(call: Call, outcome: ToolCallOutcome | undefined): void {
  const { plan } = call;
  if (outcome === undefined) throw new Error(`${plan.key} gave no outcome`);
  const what = `the outcome of ${plan.key}`;
  const name = plan.target === "long" ? LONG_NAME : plan.target;
  expect({ id: outcome.toolCall.id, name: outcome.toolCall.name }, what).toEqual({ id: call.id, name });
  const isUnsure = call.codes?.includes("ABORTED") === true && call.codes.length > 1;
  if (isUnsure) expect(["error", "aborted"], what).toContain(outcome.status);
  else expect(outcome.status, what).toBe(call.status);
  expect(outcome.isError, what).toBe(outcome.status !== "ok");
  expect(outcome.result.isError ?? false, `H4: ${what}`).toBe(outcome.isError);
  expect(Array.isArray(outcome.result.content), what).toBe(true);
  expect(outcome.error !== undefined, what).toBe(outcome.isError);
  if (call.codes !== undefined && call.codes.length > 0) expect(call.codes, what).toContain(outcome.error?.code);
  if (outcome.error !== undefined) expect(outcome.error.message, `H4: ${what}`).toBe(textOf(outcome));
  const isReadable = !UNREADABLE.includes(plan.arguments) && !call.isRefusedByScope;
  if (isReadable) expect(outcome.toolCall.arguments, `arguments in ${what}`).toEqual(call.effective);
  if (call.executedAt === undefined) expect(outcome, what).not.toHaveProperty("durationMs");
  else if (call.returnedAt !== undefined) expect(outcome.durationMs, what).toBe(call.returnedAt - call.executedAt);
  checkContent(call, outcome, what);
  expect(withoutEmpty(outcome.usage), `R7: usage in ${what}`).toEqual(withoutEmpty(sumOf(usagesBelow(call))));
}

function checkContent({ plan, ...call }: Call, outcome: ToolCallOutcome, what: string): void {
  if (call.isGivenUp) expect(textOf(outcome), `T2: ${what}`).not.toContain(plan.text);
  if (call.returnedAt === undefined || call.isGivenUp) return;
  const hasText = ["text", "failed", "throw", "transport"].includes(plan.ending);
  if (call.stop !== undefined) {
    // T2: a tool that settles within the grace keeps its content.
    if (plan.ending === "text" || plan.ending === "failed") expect(textOf(outcome), what).toContain(plan.text);
  } else if (plan.resultHook === "throw") expect(textOf(outcome), `H3: ${what}`).not.toContain(plan.text);
  else if (plan.resultHook === "content") expect(textOf(outcome), what).toBe(`patched ${plan.text}`);
  else if (hasText) expect(textOf(outcome), what).toBe(plan.text);
}

function textOf({ result }: ToolCallOutcome): string {
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

/** R1 to R5. */
function checkRecord(root: Root, run: TreeRun, outcomes: ReadonlyMap<string, ToolCallOutcome>): void {
  const { nestedCalls } = run.roots[root.index] as TreeRun["roots"][number];
  if (root.started.length === 0) {
    expect(nestedCalls, "R1: no record without nested calls").toBeUndefined();
    return;
  }
  const records = nestedCalls?.calls ?? [];
  expect(
    records.map(({ id }) => id),
    "R1: the order of the record",
  ).toEqual(root.kept.map(({ call }) => call.id));
  for (const [index, entry] of root.kept.entries()) {
    checkRecordOf(entry, records[index] as NestedCallRecord, outcomes.get(entry.call.plan.key) as ToolCallOutcome);
  }
  const dropped = root.started.length - root.kept.length;
  expect(nestedCalls?.dropped ?? 0, "R3: dropped").toBe(dropped);
  const isWhole = dropped === 0 && root.kept.every(({ isKept }) => isKept);
  const isComplete = isWhole && records.every(({ status }) => status !== "unfinished");
  expect(nestedCalls?.complete, "R4: complete").toBe(isComplete);
  expect(JSON.parse(JSON.stringify(nestedCalls)), "R5").toEqual(nestedCalls);
}

function checkRecordOf(
  { call, bytes, isKept }: Root["kept"][number],
  record: NestedCallRecord,
  outcome: ToolCallOutcome,
): void {
  const what = `the record of ${call.plan.key}`;
  expect(record.name, what).toBe(outcome.toolCall.name.slice(0, 128));
  if (isKept) {
    expect(record.arguments, what).toEqual(mend(call.effective));
    expect(record, what).not.toHaveProperty("argumentsBytes");
  } else {
    expect(record, what).not.toHaveProperty("arguments");
    if (bytes > 0) expect(record.argumentsBytes, what).toBe(bytes);
  }
  if (call.isGivenUp) {
    expect(call.recordStatuses, what).toContain(record.status);
    if (record.status === "unfinished") expect(record, what).not.toHaveProperty("durationMs");
    return;
  }
  expect(record.status, what).toBe(outcome.status);
  expect(record.durationMs, what).toBe(outcome.durationMs);
  expect(record.code, what).toBe(outcome.error?.code);
  expect(record.error ?? "", what).toBe(cut(outcome.error?.message ?? ""));
}

function cut(text: string): string {
  const short = text.toWellFormed().slice(0, 500);
  return short.isWellFormed() ? short : short.slice(0, 499);
}

function mend(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item) => (typeof item === "string" ? item.toWellFormed() : item));
}

function usagesBelow(call: Call): unknown[] {
  const own = call.ownUsage;
  const isUsage = typeof own === "object" && own !== null;
  return [...(isUsage ? [own] : []), ...call.children.flatMap(usagesBelow)];
}

/** R7, as simply as it can be said: every field over all sides that report usage. */
function sumOf(sides: readonly unknown[]): Record<string, unknown> | undefined {
  if (sides.length === 0) return undefined;
  const objects = sides.map((side) => (typeof side === "object" && side !== null ? (side as Arguments) : {}));
  const sum: Record<string, unknown> = {};
  for (const field of new Set(objects.flatMap((side) => Object.keys(side)))) {
    const values = objects.map((side) => side[field]);
    if (values.some((value) => typeof value === "boolean")) sum[field] = values.every((value) => value === true);
    else if (values.some((value) => typeof value === "object")) sum[field] = sumOf(values);
    else {
      const good = values.filter((value) => typeof value === "number" && value >= 0 && Number.isFinite(value));
      if (good.length > 0) sum[field] = (good as number[]).reduce((total, value) => total + value, 0);
    }
  }
  return sum;
}

/** Whether a sum of nothing is an empty object or no field at all is left open. */
function withoutEmpty(usage: unknown): unknown {
  if (typeof usage !== "object" || usage === null) return usage;
  const fields = Object.entries(usage).map(([field, value]) => [field, withoutEmpty(value)] as const);
  const full = fields.filter(([, value]) => value !== undefined);
  return full.length === 0 ? undefined : Object.fromEntries(full);
}

/** Exactly one start and one end for each call, inner ones inside outer ones, outcomes after ends. */
function checkEvents(calls: ReadonlyMap<string, Call>, log: readonly Entry[]): void {
  const wanted = [...calls.values()].filter((call) => !call.isRefusedByScope);
  const starts = new Map<string, number>();
  const ends = new Map<string, number>();
  const events = new Map<number, ToolExecutionEvent>();
  for (const [index, entry] of log.entries()) {
    if (entry.type !== "event") continue;
    const { event } = entry;
    const into =
      event.type === "tool_execution_start" ? starts : event.type === "tool_execution_end" ? ends : undefined;
    if (into === undefined) continue;
    expect(into.has(event.toolCallId), `a second ${event.type} of ${event.toolCallId}`).toBe(false);
    into.set(event.toolCallId, index);
    events.set(index, event);
  }
  expect([...starts.keys()], "starts, in the order of the calls").toEqual(wanted.map(({ id }) => id));
  expect([...ends.keys()].sort(), "ends").toEqual(wanted.map(({ id }) => id).sort());
  const outcomeIndex = new Map(
    log.flatMap((entry, index) => (entry.type === "outcome" ? [[entry.key, index] as const] : [])),
  );
  for (const call of wanted) {
    const { id, parent, plan } = call;
    const [start, end] = [starts.get(id) as number, ends.get(id) as number];
    expect(start, `start before end of ${id}`).toBeLessThan(end);
    expect(end, `events before the outcome of ${id}`).toBeLessThan(outcomeIndex.get(plan.key) as number);
    if (parent !== undefined) {
      expect(starts.get(parent.id), `start of the caller of ${id}`).toBeLessThan(start);
      expect(end, `end of ${id} before its caller's`).toBeLessThan(ends.get(parent.id) as number);
    }
    checkEventFields(call, events.get(start) as ToolExecutionEvent, events.get(end) as ToolExecutionEvent, log);
  }
}

function checkEventFields(call: Call, start: ToolExecutionEvent, end: ToolExecutionEvent, log: readonly Entry[]): void {
  const { id, parent, plan, depth } = call;
  const settled = log.find((entry) => entry.type === "outcome" && entry.key === plan.key);
  const { outcome } = settled as Extract<Entry, { type: "outcome" }>;
  for (const event of [start, end]) {
    expect(event.toolName).toBe(outcome.toolCall.name);
    expect(event.depth, `depth of ${id}`).toBe(depth);
    expect(event.parentToolCallId, `caller of ${id}`).toBe(parent?.id);
  }
  if (start.type === "tool_execution_start" && !UNREADABLE.includes(plan.arguments)) {
    expect(mend(start.arguments), `H5: start of ${id}`).toEqual(mend(snapshotOf(plan)));
  }
  if (end.type !== "tool_execution_end") return;
  expect({ status: end.status, isError: end.isError }).toEqual({ status: outcome.status, isError: outcome.isError });
  expect(end.durationMs, `duration of ${id}`).toBe(outcome.durationMs);
}
