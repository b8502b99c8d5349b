// S2, S3, S4, T1: the state of one running call and its place in the tree of calls. Aborts go down the tree here;
// what a call does with one is in run-call.ts.
import { setMaxListeners } from "node:events";
import { onAbort } from "../errors/abort-listeners.js";
import type { ErrorCode } from "../errors/error-code.js";
import { ancestorsOf, type Lease } from "../mutation-queue/lease.js";
import { currentLease } from "../mutation-queue/lease-context.js";
import type { LeaseRequest } from "../mutation-queue/lease-request.js";
import type { NestedCallHandle } from "../records/nested-call-recorder.js";
import { UsageSum } from "../records/usage-sum.js";
import type { Reach } from "../registry/registry.js";
import type { RegistryEntry } from "../registry/registry-entry.js";
import type { RegistrySession } from "../registry/registry-session.js";
import type { AccessRestriction } from "../tools/access.js";
import type { ToolCallOutcome, UpdateCallback } from "../tools/tool.js";
import type { Ending } from "./ending.js";
import type { Engine } from "./engine.js";
import type { CallSource } from "./hook.js";
import { RootState } from "./root-state.js";
import { ScopeList } from "./scope-list.js";
import type { Slots } from "./slots.js";
import type { TimeLimit } from "./time-limit.js";

/** Why a call was stopped before its time. */
export interface StopCause {
  readonly code: typeof ErrorCode.ABORTED | typeof ErrorCode.TIMEOUT;
  /** What the signal says. */
  readonly reason: unknown;
  /** What is said of the tool: `was aborted`, `timed out after 40 ms`. */
  readonly text: string;
  /** The caller has settled, and decides when this call is ended (S4). */
  readonly isOrphan?: boolean;
  /** It was the time of a call above that ran out. */
  readonly isCallersTime?: boolean;
}

/** Where a call is: `waiting` can be left at once, `running` needs the tool's help, `finishing` has its result. */
export type CallPhase = "waiting" | "running" | "finishing" | "settled";

export class CallScope {
  readonly engine: Engine;
  readonly parent: CallScope | undefined;
  readonly root: RootState;
  readonly id: string;
  readonly name: string;
  /** The name as observers and records get it. */
  shownName: string;
  readonly depth: number;
  readonly source: CallSource;
  readonly reach: Reach;
  /** Where its turn comes from; a host's own call needs none. */
  readonly slots: Slots | undefined;
  readonly promise: Promise<ToolCallOutcome>;
  #resolve!: (outcome: ToolCallOutcome) => void; // assigned by the executor of `promise`, which runs at once

  phase: CallPhase = "waiting";
  /** No call can be made from here any more (S3). */
  isClosed = false;
  stopCause: StopCause | undefined = undefined;
  /** The arguments as they are now, frozen: what the outcome shows, and what the private copy is made from. */
  frozenInput: unknown = undefined;
  /** The arguments that the outcome shows: as called, until the tool runs with others. */
  ranInput: unknown = undefined;
  /** What a Standard Schema made of the arguments; `execute` gets it in place of the private copy. */
  schemaOutput: { readonly value: unknown } | undefined = undefined;
  originalInput: unknown = undefined;
  entry: RegistryEntry | undefined = undefined;
  /** The registry's revision when the tool was found. */
  foundAt = 0;
  record: NestedCallHandle | undefined = undefined;
  /** Own usage and that of every settled call below. */
  usage: UsageSum | undefined = undefined;
  /** What this call holds by declaration (F8, B3). */
  lease: Lease | undefined = undefined;
  leaseRequest: LeaseRequest | undefined = undefined;
  /** The leases that the call was made inside of; they hold for everything it does. */
  readonly outerLease: Lease | undefined;
  /** What the call may see and do. Only `narrow` changes it (E41). */
  #session: RegistrySession;
  onUpdate: UpdateCallback | undefined = undefined;
  /** What a stop does to the call in its present phase. */
  onStop: ((scope: CallScope) => void) | undefined = undefined;
  /** Called when the last open call below has settled. */
  onChildless: (() => void) | undefined = undefined;
  stopListening: (() => void) | undefined = undefined;
  timers: NodeJS.Timeout[] | undefined = undefined;
  timeLimits: TimeLimit[] | undefined = undefined;
  /** The limits of the tool itself, which end with it (T4). */
  toolLimits: TimeLimit[] | undefined = undefined;
  /** A hook of this call asks a person at this moment. */
  isAskedAbout = false;
  /** How many calls, this one and those below, wait for a person; no time limit runs meanwhile (8.1). */
  approvalWaits = 0;
  /** Its place among all nested calls of the root call, from 1; 0 for the root. */
  ordinal = 0;
  restartIdleTimer: (() => void) | undefined = undefined;
  timeoutMs: number | undefined = undefined;
  idleTimeoutMs: number | undefined = undefined;
  startedRunningAt: number | undefined = undefined;
  durationMs: number | undefined = undefined;
  /** What the tool gave, once it has settled; what is left is the engine's work. */
  ran: Ending | undefined = undefined;
  /** What the tool threw, if it did. */
  thrown: unknown = undefined;
  /** The turn that it has now. */
  turn: Slots | undefined = undefined;
  /** The turns of the calls below. */
  ownSlots: Slots | undefined = undefined;
  /** Hears when this call or one below it begins and ends to wait for a person. */
  onApprovalWait: ((isWaiting: boolean) => void) | undefined = undefined;

  previousSibling: CallScope | undefined = undefined;
  nextSibling: CallScope | undefined = undefined;
  #children: ScopeList | undefined;
  #lastChild = 0;
  #input: unknown = undefined;
  #isInputShared = false;
  #controller: AbortController | undefined;

  constructor(
    engine: Engine,
    parent: CallScope | undefined,
    id: string,
    name: string,
    source: CallSource,
    reach: Reach,
    slots: Slots | undefined,
    session?: RegistrySession,
  ) {
    this.engine = engine;
    this.parent = parent;
    this.id = id;
    this.name = name;
    this.shownName = name;
    this.source = source;
    this.reach = reach;
    this.slots = slots;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.root = parent === undefined ? new RootState(engine.clock.monotonic()) : parent.root;
    this.#session = parent === undefined ? (session ?? engine.registry.session) : parent.#session;
    this.outerLease = currentLease();
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (parent === undefined) engine.openRoots.add(this);
    else parent.#addChild(this);
  }

  get isSettled(): boolean {
    return this.phase === "settled";
  }

  get session(): RegistrySession {
    return this.#session;
  }

  /** Takes away from what this call and all below may do; nothing gives it back. */
  narrow(by: AccessRestriction): void {
    this.#session = this.#session.narrow(by);
  }

  /** A1: the private copy of the arguments that hooks and the tool share and may change. */
  get input(): unknown {
    return this.#input;
  }

  /** The private copy, for somebody who may change it. */
  shareInput(): unknown {
    this.#isInputShared = true;
    return this.#input;
  }

  /** Whether somebody has got the private copy, and may have changed it. */
  get isInputShared(): boolean {
    return this.#isInputShared;
  }

  /** New arguments for everybody. */
  setInput(
    { frozen, copy }: { readonly frozen: unknown; readonly copy: unknown },
    schemaOutput?: { readonly value: unknown },
  ): void {
    this.frozenInput = frozen;
    this.#input = copy;
    this.#isInputShared = false;
    this.schemaOutput = schemaOutput;
  }

  /** What `execute` and `mutates` get. */
  get toolInput(): unknown {
    return this.schemaOutput === undefined ? this.input : this.schemaOutput.value;
  }

  /** S1: the next number, taken when the call is made and never given back. */
  nextChildId(): string {
    this.#lastChild += 1;
    return `${this.id}/${this.#lastChild}`;
  }

  /** A child's id whose number was taken in a script; a resumed script goes on where the recorded calls end. */
  childId(number: number): string {
    this.#lastChild = Math.max(this.#lastChild, number);
    return `${this.id}/${number}`;
  }

  /** Made when somebody asks for it: most tools never do. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      setMaxListeners(0, this.#controller.signal); // T5: a tool may start a thousand things with it
      if (this.stopCause !== undefined) this.#controller.abort(this.stopCause.reason);
    }
    return this.#controller.signal;
  }

  isOwnSignal(signal: AbortSignal): boolean {
    return this.#controller?.signal === signal;
  }

  /** Everything this call is inside of, for what it asks of the queue. */
  leasesAbove(): ReadonlySet<Lease> | undefined {
    if (this.lease === undefined && this.outerLease === undefined && this.parent === undefined) return undefined;
    const above: (Lease | undefined)[] = [];
    for (let scope: CallScope | undefined = this; scope !== undefined; scope = scope.parent) {
      if (scope.lease !== undefined || scope.outerLease !== undefined) above.push(scope.lease, scope.outerLease);
    }
    return above.length === 0 ? undefined : ancestorsOf(above);
  }

  /** T1: follows the caller's own signal. */
  follow(signal: AbortSignal, causeOf: (reason: unknown) => StopCause): void {
    if (signal.aborted) this.stop(causeOf(signal.reason));
    else this.stopListening = onAbort(signal, () => this.stop(causeOf(signal.reason)));
  }

  /** Stops the call and everything below it. The first cause stays. */
  stop(given: StopCause): void {
    if (this.isSettled || this.stopCause !== undefined) return;
    // T4: a limit of one's own is clipped to the caller's, so it has run out as well.
    const hasLimit = this.timeoutMs !== undefined || this.idleTimeoutMs !== undefined;
    const isClipped = given.isCallersTime === true && hasLimit;
    const cause: StopCause = isClipped ? { ...given, code: "TIMEOUT", text: `timed out: ${given.text}` } : given;
    this.stopCause = cause;
    // Inner calls first: their time of grace ends before that of the calls that wait for them.
    if (this.hasOpenChildren) this.stopChildren(causeBelow(this.name, cause));
    this.#controller?.abort(cause.reason);
    this.onStop?.(this);
  }

  stopChildren(cause: StopCause): void {
    for (const child of this.openChildren) child.stop(cause);
  }

  get openChildren(): readonly CallScope[] {
    return this.#children === undefined ? NO_SCOPES : this.#children.toArray();
  }

  get hasOpenChildren(): boolean {
    return this.#children?.first !== undefined;
  }

  addUsage(usage: UsageSum): void {
    this.usage ??= new UsageSum();
    this.usage.addSum(usage);
  }

  /** The call is over: leaves the tree and hands the outcome out. Nothing of it is heard after this. */
  finish(outcome: ToolCallOutcome): void {
    const { parent } = this;
    if (parent === undefined) this.engine.openRoots.remove(this);
    else parent.#removeChild(this);
    this.#resolve(outcome);
  }

  #addChild(child: CallScope): void {
    this.#children ??= new ScopeList();
    this.#children.add(child);
  }

  #removeChild(child: CallScope): void {
    this.#children?.remove(child);
    if (this.onChildless !== undefined && !this.hasOpenChildren) this.onChildless();
  }
}

const NO_SCOPES: readonly CallScope[] = Object.freeze([]);

/** What stops a call, as the calls below it are told: its own time limit is an abort to them. */
export function causeBelow(name: string, cause: StopCause): StopCause {
  if (cause.code === "ABORTED" || cause.isCallersTime === true) return { ...cause, code: "ABORTED" };
  const { reason, text } = cause;
  return { code: "ABORTED", reason, text: `was aborted, because its caller "${name}" ${text}`, isCallersTime: true };
}
