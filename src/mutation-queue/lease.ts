// A lease is the right to one or more resources, from its grant until everything inside it has settled (F5).
import type { LeaseRequest } from "./lease-request.js";
import type { Resource } from "./resource.js";

export class Lease {
  /** Who holds it, for messages: the id of a call; absent for a function outside of any call. */
  readonly owner: string | undefined;
  /** What it holds. */
  readonly resources: readonly Resource[];
  /** The physical names of its files, one for each path that was asked for. */
  readonly paths: readonly string[];
  /** The leases it was taken inside of, at any distance, that still held something then. */
  readonly ancestors: ReadonlySet<Lease> | undefined;
  /** Requests below this lease that wait now (F6: a wait inside a lease counts as awaited). */
  readonly waiting = new Set<LeaseRequest>();
  /** The holder itself has settled; inner holders may still keep resources. */
  isEnded = false;
  /** The call was given up by abort, but its tool still runs (B3). */
  isAbandoned = false;
  readonly #release: (lease: Lease) => void;
  #held: number;

  constructor(request: LeaseRequest, paths: readonly string[], release: (lease: Lease) => void) {
    this.owner = request.owner;
    this.ancestors = request.ancestors;
    this.paths = paths;
    this.resources = request.held();
    this.#held = this.resources.length;
    this.#release = release;
  }

  /** Whether it gives a right still: not after the holder and every inner holder have settled. */
  get isAlive(): boolean {
    return !this.isEnded || this.#held > 0;
  }

  /** A resource went free of this lease. */
  letGo(): void {
    this.#held -= 1;
  }

  /** The holder has settled. Safe to call twice. */
  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#release(this);
  }
}

/** The live leases among these and everything they were taken inside of; `undefined` for none. */
export function ancestorsOf(parents: readonly (Lease | undefined)[]): ReadonlySet<Lease> | undefined {
  let ancestors: Set<Lease> | undefined;
  for (const parent of parents) {
    if (parent === undefined) continue;
    ancestors ??= new Set();
    if (parent.isAlive) ancestors.add(parent);
    if (parent.ancestors !== undefined) for (const above of parent.ancestors) if (above.isAlive) ancestors.add(above);
  }
  return ancestors === undefined || ancestors.size === 0 ? undefined : ancestors;
}
