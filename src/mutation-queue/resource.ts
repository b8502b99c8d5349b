// What one lease at a time may hold: a file by its physical name, a file by its identity, or an executor's lane.
import type { MachineLock } from "./cross-process-locks.js";
import type { Lease } from "./lease.js";
import type { LeaseRequest, Place } from "./lease-request.js";

export class Resource {
  /** A path, or words for a lane; for messages. */
  readonly label: string;
  readonly kind: "file" | "lane";
  /** A chain: each is inside of the one before it; inner holders come last. */
  readonly holders: Lease[] = [];
  /** Requests that are inside of some lease, and may overtake (F5); the others keep their order. */
  readonly related = new TicketQueue();
  readonly plain = new TicketQueue();
  isDirty = false;
  /** In a queue across processes, while the resource has a holder: what keeps other processes away (F9). */
  outsideLock: MachineLock | undefined;
  /** Shared by everybody who has such a place here. */
  readonly exclusivePlace: Place = { resource: this, isExclusive: true };
  readonly orderPlace: Place = { resource: this, isExclusive: false };
  readonly key: string;
  readonly #home: Map<string, Resource> | undefined;

  /** A file's resource lives in the map of its queue under `key` while somebody holds it or waits for it. */
  constructor(kind: "file" | "lane", label: string, key = label, home?: Map<string, Resource>) {
    this.kind = kind;
    this.label = label;
    this.key = key;
    this.#home = home;
  }

  /** F7: nothing is kept for a file after its last holder. */
  forget(): void {
    if (this.#home?.get(this.key) === this) this.#home.delete(this.key);
  }

  /** The last holder has gone. */
  unlockOutside(): void {
    this.outsideLock?.release();
    this.outsideLock = undefined;
  }

  queueOf(request: LeaseRequest): TicketQueue {
    return request.ancestors === undefined ? this.plain : this.related;
  }

  get isUnused(): boolean {
    return this.holders.length === 0 && this.plain.first() === undefined && this.related.first() === undefined;
  }
}

/** Requests in the order of their tickets. Those that have left are passed over, and swept out when they are many. */
export class TicketQueue {
  #items: LeaseRequest[] = [];
  #start = 0;
  #gone = 0;

  first(): LeaseRequest | undefined {
    while (this.#start < this.#items.length) {
      const request = this.#items[this.#start] as LeaseRequest; // inside the array
      if (request.isWaiting) return request;
      this.#start += 1;
      this.#gone = Math.max(0, this.#gone - 1);
    }
    this.#items.length = 0;
    this.#start = 0;
    this.#gone = 0;
    return undefined;
  }

  *[Symbol.iterator](): Generator<LeaseRequest> {
    for (let index = this.#start; index < this.#items.length; index += 1) {
      const request = this.#items[index] as LeaseRequest; // inside the array
      if (request.isWaiting) yield request;
    }
  }

  add(request: LeaseRequest): void {
    const items = this.#items;
    const last = items.at(-1);
    if (last === undefined || last.ticket < request.ticket) {
      items.push(request);
      return;
    }
    // Only a late lookup or a changed key comes out of order.
    let index = items.length;
    while (index > this.#start && (items[index - 1] as LeaseRequest).ticket > request.ticket) index -= 1;
    if (items[index - 1] !== request) items.splice(index, 0, request);
  }

  /** Takes a request out that goes on waiting elsewhere. */
  remove(request: LeaseRequest): void {
    const index = this.#items.indexOf(request, this.#start);
    if (index >= 0) this.#items.splice(index, 1);
  }

  /** A request in here has stopped waiting. */
  noteGone(): void {
    this.#gone += 1;
    if (this.#start > 1024 || (this.#gone > 32 && this.#gone * 2 > this.#items.length - this.#start)) {
      this.#items = this.#items.slice(this.#start).filter((request) => request.isWaiting);
      this.#start = 0;
      this.#gone = 0;
    }
  }
}
