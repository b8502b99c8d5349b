// One call's wish for resources, from the call until it is granted, refused or given up.
import type { OutsideTurn } from "./cross-process-queue.js";
import type { FileKey } from "./file-key.js";
import type { Lease } from "./lease.js";
import type { Resource } from "./resource.js";

/** What a request waits for, for those who draw and for the error of a call that gives up. */
export interface WaitInfo {
  readonly reason: "files" | "lane";
  /** The files that are held by others; empty for a lane. */
  readonly paths: readonly string[];
  /** The calls that hold what this one waits for; `undefined` stands for a holder that is no call. */
  readonly holders: readonly Lease[];
}

export interface LeaseRequestOptions {
  /** Absolute, in the caller's spelling. */
  readonly paths: readonly string[];
  readonly lane?: Resource | undefined;
  readonly ancestors: ReadonlySet<Lease> | undefined;
  readonly owner: string | undefined;
  readonly onWait?: ((info: WaitInfo) => void) | undefined;
}

/** The place a request has at one resource. */
export interface Place {
  readonly resource: Resource;
  /** False for the spelling of a path whose lookup is late: it keeps the order of the calls, and excludes nobody (F1). */
  readonly isExclusive: boolean;
}

const NO_PLACES: readonly Place[] = Object.freeze([]);

export class LeaseRequest {
  /** The order of the calls; never changes, so that waiting alone can close no circle. */
  readonly ticket: number;
  readonly paths: readonly string[];
  readonly ancestors: ReadonlySet<Lease> | undefined;
  readonly owner: string | undefined;
  readonly onWait: ((info: WaitInfo) => void) | undefined;
  places: readonly Place[] = NO_PLACES;
  /** One for each path, once it is known. */
  keys: (FileKey | undefined)[];
  /** Until it is granted, refused or given up. */
  isWaiting = true;
  /** Its files are known. */
  isResolved: boolean;
  /** It had to wait since its files were looked up, so they are looked up again (F3); across processes always (F9). */
  needsLook = false;
  isLooking = false;
  /** Its lookup took longer than others may be kept waiting for it (F1). */
  isLate = false;
  /** In a queue across processes: what it has and wants of the locks of this machine (F9). */
  outside: OutsideTurn | undefined;
  /** How many of its files are still being looked up. */
  lookupsLeft = 0;
  /** The request may be granted, but had waited: looks at its files again, then enters once more. */
  readonly lookAgain: (request: LeaseRequest) => void;
  /** Settles once: granted, or rejected with what refused the request or made it give up. */
  readonly lease: Promise<Lease>;
  resolve!: (lease: Lease) => void; // both are assigned by the executor of the promise, which runs at once
  reject!: (reason: unknown) => void;

  constructor(ticket: number, options: LeaseRequestOptions, lookAgain: (request: LeaseRequest) => void) {
    this.ticket = ticket;
    this.paths = options.paths;
    this.keys = new Array(options.paths.length);
    this.ancestors = options.ancestors;
    this.owner = options.owner;
    this.onWait = options.onWait;
    this.isResolved = options.paths.length === 0;
    this.lookAgain = lookAgain;
    this.lease = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** The resources that a grant gives. */
  held(): Resource[] {
    const held: Resource[] = [];
    for (const place of this.places) if (place.isExclusive) held.push(place.resource);
    return held;
  }
}
