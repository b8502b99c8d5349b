// F9: turns on files that other processes respect as well. The wait graph decides first, as in every queue; a request
// that it would grant then takes the locks of its files on this machine, and only then looks at the files again, so a
// file that another process replaced meanwhile is seen. Owns the locks on their way from a request to its resources.
//
// A request takes all of its locks or none, and holds none while it waits: so across processes, too, only holders are
// ever waited for, and two that ask for the same files cannot block each other by order.
import { type MachineLock, type MachineLocks, openMachineLocks } from "./cross-process-locks.js";
import { type FileKey, isUnchangedNow } from "./file-key.js";
import { FileMutationQueue } from "./file-mutation-queue.js";
import type { LeaseRequest, LeaseRequestOptions } from "./lease-request.js";
import type { Resource } from "./resource.js";
import { enter, leave } from "./wait-graph.js";

/** How long a request waits before it tries again, in milliseconds; the time doubles from the one to the other. */
const SHORTEST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 10;
/** How long a request lets those try first that wait elsewhere: each of them tries once in this time, if it can. */
const YIELD_MS = 20;

export class CrossProcessQueue extends FileMutationQueue {
  #locks: MachineLocks | undefined;

  override acquire(options: LeaseRequestOptions): LeaseRequest {
    const request = super.acquire(options);
    if (request.paths.length > 0) {
      // In time: files are looked up asynchronously, so nothing has been granted yet.
      request.outside = new OutsideTurn();
      request.needsLook = true;
    }
    return request;
  }

  protected override lookAgain(request: LeaseRequest): void {
    const turn = request.outside as OutsideTurn; // every request with files has one, and no other looks again
    if (this.#locks === undefined) {
      void this.#loadLocks(request);
      return;
    }
    const isNews = !turn.isPolling;
    try {
      if (turn.take(this.#locks, request)) this.#lookAgainLocked(request, turn);
      else this.#waitOutside(request, turn, isNews);
    } catch (error) {
      request.isLooking = false;
      leave(request, error);
    }
  }

  /** The files may have changed, or an outer lease that held one may have ended while they were looked at. */
  protected override mayEnter(request: LeaseRequest): boolean {
    const turn = request.outside as OutsideTurn; // as above
    if (turn.covers(request)) return true;
    turn.giveBack();
    return false;
  }

  #lookAgainLocked(request: LeaseRequest, turn: OutsideTurn): void {
    const keys = request.keys as FileKey[]; // the graph asks only for requests whose files are known
    // The disk gave these answers a moment ago and has them at hand: to ask it at once takes a tenth of another trip.
    const isUnchanged = turn.isFresh && keys.every((key, index) => isUnchangedNow(request.paths[index] as string, key));
    if (isUnchanged) this.lookedAgain(request, keys);
    else super.lookAgain(request);
  }

  async #loadLocks(request: LeaseRequest): Promise<void> {
    try {
      this.#locks = await openMachineLocks();
      this.#tryAgain(request);
    } catch (error) {
      request.isLooking = false;
      this.giveUp(request, error);
    }
  }

  #waitOutside(request: LeaseRequest, turn: OutsideTurn, isNews: boolean): void {
    turn.poll(() => this.#tryAgain(request));
    if (isNews) request.onWait?.({ reason: "files", paths: turn.waitsFor, holders: [] });
  }

  /** The graph is asked first: somebody who may overtake can have come meanwhile. */
  #tryAgain(request: LeaseRequest): void {
    if (!request.isWaiting) return;
    request.isLooking = false;
    enter(request);
  }
}

/** What one request has and wants of the machine's locks. The wait graph tells it how the request fares. */
export class OutsideTurn {
  readonly #taken = new Map<Resource, MachineLock>();
  /** One for each file it has failed to get: who comes later lets it try first. */
  readonly #flags = new Map<Resource, MachineLock>();
  #blocked: Resource | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waitMs = SHORTEST_WAIT_MS;
  #yieldsUntil: number | undefined;
  #hasFailed = false;

  /** Whether it has not waited since its files were looked up. */
  isFresh = true;

  /** Whether it waits for a lock now. */
  get isPolling(): boolean {
    return this.#blocked !== undefined;
  }

  /** The file that somebody outside of this queue holds; empty when it waits for none. */
  get waitsFor(): readonly string[] {
    return this.#blocked === undefined ? [] : [this.#blocked.label];
  }

  /** Takes every lock that the request still needs, or none. */
  take(locks: MachineLocks, request: LeaseRequest): boolean {
    const wanted = missingLocks(request);
    this.#blocked = this.#firstToYield(locks, wanted) ?? this.#takeAll(locks, wanted);
    if (this.#blocked !== undefined) return false;
    releaseAll(this.#flags);
    this.#waitMs = SHORTEST_WAIT_MS;
    return true;
  }

  /** Calls `tryAgain` once, after a while. */
  poll(tryAgain: () => void): void {
    this.isFresh = false;
    // Some chance in it, or two processes might try at the same moments for ever.
    this.#timer = setTimeout(tryAgain, this.#waitMs * (0.5 + Math.random()));
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  /** Whether it has the locks that the request needs besides those of the leases it is inside of, and no others. */
  covers(request: LeaseRequest): boolean {
    const missing = missingLocks(request);
    return missing.length === this.#taken.size && missing.every((resource) => this.#taken.has(resource));
  }

  /** The request was granted: each lock stays with its resource until that has no holder left. */
  handOver(): void {
    for (const [resource, lock] of this.#taken) resource.outsideLock = lock;
    this.#taken.clear();
  }

  /** The request waits in the graph, or has left: it keeps nothing outside. */
  giveBack(): void {
    clearTimeout(this.#timer);
    this.isFresh = false;
    this.#blocked = undefined;
    releaseAll(this.#taken);
    releaseAll(this.#flags);
  }

  /**
   * A process with a row of requests takes a lock again at the moment in which it gives it back. Each new request of the
   * row lets those that wait elsewhere go first, for some time, or they would wait for the end of the row.
   */
  #firstToYield(locks: MachineLocks, wanted: readonly Resource[]): Resource | undefined {
    if (this.#hasFailed) return undefined; // it is one of those itself
    const first = wanted.find(({ key }) => locks.isWanted(key));
    if (first === undefined) return undefined;
    this.#yieldsUntil ??= performance.now() + YIELD_MS;
    return performance.now() < this.#yieldsUntil ? first : undefined;
  }

  /** Takes all, and gives the one back that stands in the way when it could take none. */
  #takeAll(locks: MachineLocks, wanted: readonly Resource[]): Resource | undefined {
    let isDone = false;
    try {
      for (const resource of wanted) {
        const lock = locks.tryLock(resource.key);
        if (lock === undefined) {
          this.#flag(locks, resource);
          return resource;
        }
        this.#taken.set(resource, lock);
      }
      isDone = true;
      return undefined;
    } finally {
      if (!isDone) releaseAll(this.#taken);
    }
  }

  #flag(locks: MachineLocks, resource: Resource): void {
    this.#hasFailed = true;
    if (this.#flags.has(resource)) return;
    const flag = locks.tryFlag(resource.key);
    if (flag !== undefined) this.#flags.set(resource, flag);
  }
}

/** In one order everywhere, so that of two requests for the same files one gets them all. */
function missingLocks(request: LeaseRequest): Resource[] {
  return request
    .held()
    .filter(({ kind, outsideLock }) => kind === "file" && outsideLock === undefined)
    .sort((left, right) => (left.key < right.key ? -1 : 1));
}

function releaseAll(locks: Map<Resource, MachineLock>): void {
  for (const lock of locks.values()) lock.release();
  locks.clear();
}
