// F4, F5, F6: who may have what, and who waits for whom. One graph for files and lanes of every queue.
//
// A request is granted all of its resources or none. It waits for holders it is not inside of, and for earlier requests
// at the same resource; tickets never change, so waiting for each other alone closes no circle. A request inside a lease
// overtakes whoever waits for that very lease, at any distance: they cannot run before it has ended. So only circles of
// holders are deadlocks, and only a request that is inside a lease can close one.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { Lease } from "./lease.js";
import type { LeaseRequest, Place, WaitInfo } from "./lease-request.js";
import type { Resource } from "./resource.js";

const dirty: Resource[] = [];
let isDraining = false;
let lastTicket = 0;

export function nextTicket(): number {
  lastTicket += 1;
  return lastTicket;
}

/** The request waits at a resource, in the order of the calls. */
export function joinQueue(request: LeaseRequest, { resource }: Place): void {
  resource.queueOf(request).add(request);
}

/** The request goes on waiting elsewhere. */
export function leaveQueue(request: LeaseRequest, { resource }: Place): void {
  resource.queueOf(request).remove(request);
  touch(resource);
}

/** The request knows all it wants, perhaps anew: grants it, or lets it wait, or refuses it. */
export function enter(request: LeaseRequest): void {
  tryGrant(request, true);
  drain();
}

/** The request stops waiting: it was aborted, or its files cannot be looked up. */
export function leave(request: LeaseRequest, reason: unknown): void {
  if (!request.isWaiting) return;
  stopWaiting(request);
  request.outside?.giveBack();
  request.reject(reason);
  for (const { resource } of request.places) touch(resource);
  drain();
}

/** What the request waits for at this moment; `undefined` when nothing is in its way. */
export function waitInfoOf(request: LeaseRequest): WaitInfo | undefined {
  const held = request.places.filter((place) => isHeldByOthers(request, place));
  const blocked = held.length > 0 ? held : request.places.filter((place) => hasEarlier(request, place));
  if (blocked.length === 0) {
    const paths = request.outside?.waitsFor ?? [];
    return paths.length === 0 ? undefined : { reason: "files", paths, holders: [] };
  }
  const files = blocked.filter((place) => place.resource.kind === "file");
  const holders = new Set(blocked.flatMap(({ resource }) => resource.holders));
  return {
    reason: files.length > 0 ? "files" : "lane",
    paths: [...new Set(files.map((place) => place.resource.label))],
    holders: [...holders].filter((lease) => request.ancestors?.has(lease) !== true),
  };
}

function tryGrant(request: LeaseRequest, isNew: boolean): void {
  if (!request.isWaiting || !request.isResolved || request.isLooking) return;
  if (isBlocked(request)) {
    if (isNew) beginWait(request);
  } else if (request.needsLook && request.paths.length > 0) {
    request.isLooking = true;
    request.lookAgain(request);
  } else {
    grant(request);
  }
}

function beginWait(request: LeaseRequest): void {
  request.needsLook = true;
  request.outside?.giveBack();
  if (request.ancestors !== undefined) {
    const cycle = findCycle(request);
    if (cycle !== undefined) {
      leave(request, new NestcallError(ErrorCode.DEADLOCK, cycle));
      return;
    }
    for (const lease of request.ancestors) lease.waiting.add(request);
    // This wait may be what lets others below the same leases overtake.
    for (const lease of request.ancestors) for (const resource of lease.resources) touch(resource);
    retryRelated(request);
  }
  if (request.onWait !== undefined) {
    const info = waitInfoOf(request);
    if (info !== undefined) request.onWait(info);
  }
}

/** A new wait of a lease can free requests that only kept their place behind somebody who waits for that lease. */
function retryRelated(request: LeaseRequest): void {
  for (const lease of reachable(request)) {
    for (const waiting of lease.waiting) for (const { resource } of waiting.places) touch(resource);
  }
}

function grant(request: LeaseRequest): void {
  stopWaiting(request);
  const names = request.keys.map((key, index) => key?.name ?? (request.paths[index] as string));
  const lease = new Lease(request, names, release);
  for (const { resource, isExclusive } of request.places) {
    if (isExclusive) resource.holders.push(lease);
    else touch(resource);
  }
  request.outside?.handOver();
  request.resolve(lease);
}

function stopWaiting(request: LeaseRequest): void {
  request.isWaiting = false;
  for (const { resource } of request.places) resource.queueOf(request).noteGone();
  if (request.ancestors !== undefined) for (const lease of request.ancestors) lease.waiting.delete(request);
}

function release(lease: Lease): void {
  for (const resource of lease.resources) {
    // A holder that has settled keeps the resource for its inner holders.
    while (resource.holders.at(-1)?.isEnded === true) resource.holders.pop()?.letGo();
    // Before others of this process are looked at: they take it anew, behind those who wait elsewhere.
    if (resource.holders.length === 0) resource.unlockOutside();
    touch(resource);
  }
  drain();
}

function touch(resource: Resource): void {
  if (resource.isDirty) return;
  resource.isDirty = true;
  dirty.push(resource);
}

/** Looks at everything that changed. Not re-entrant: a grant made here may change more. */
function drain(): void {
  if (isDraining) return;
  isDraining = true;
  try {
    for (let resource = dirty.pop(); resource !== undefined; resource = dirty.pop()) {
      resource.isDirty = false;
      if (resource.related.first() !== undefined) {
        for (const request of [...resource.related]) tryGrant(request, false);
      }
      const first = resource.plain.first();
      if (first !== undefined) tryGrant(first, false);
      if (resource.isUnused) resource.forget();
    }
  } finally {
    isDraining = false;
  }
}

function isBlocked(request: LeaseRequest): boolean {
  for (const place of request.places) {
    if (isHeldByOthers(request, place) || hasEarlier(request, place)) return true;
  }
  return false;
}

function isHeldByOthers(request: LeaseRequest, place: Place): boolean {
  if (!place.isExclusive) return false;
  for (const lease of place.resource.holders) if (request.ancestors?.has(lease) !== true) return true;
  return false;
}

/** Whether somebody who asked earlier waits here, and has to be let first. */
function hasEarlier(request: LeaseRequest, { resource, isExclusive }: Place): boolean {
  const { ancestors, ticket } = request;
  const first = resource.plain.first();
  const related = resource.related.first();
  if (ancestors === undefined) {
    return (first !== undefined && first.ticket < ticket) || (related !== undefined && related.ticket < ticket);
  }
  for (const earlier of resource.related) {
    if (earlier.ticket >= ticket) break;
    if (!waitsFor(earlier, ancestors)) return true;
  }
  // Whoever is no relative waits for the holder, inside of which this request is.
  if (isExclusive && resource.holders.length > 0) return false;
  for (const earlier of resource.plain) {
    if (earlier.ticket >= ticket) break;
    if (!waitsFor(earlier, ancestors)) return true;
  }
  return false;
}

/** Whether `request` cannot run before one of these leases has ended. */
function waitsFor(request: LeaseRequest, leases: ReadonlySet<Lease>): boolean {
  const seen = new Set<LeaseRequest | Lease>([request]);
  const open: (LeaseRequest | Lease)[] = [request];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const next = node instanceof Lease ? node.waiting : blockersOf(node);
    for (const other of next) {
      if (other instanceof Lease && other.isEnded) continue; // its inner holders are asked themselves
      if (other instanceof Lease && leases.has(other)) return true;
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  }
  return false;
}

function* blockersOf(request: LeaseRequest): Generator<LeaseRequest | Lease> {
  for (const { resource, isExclusive } of request.places) {
    if (isExclusive) for (const lease of resource.holders) if (request.ancestors?.has(lease) !== true) yield lease;
    for (const queue of [resource.related, resource.plain]) {
      for (const earlier of queue) {
        if (earlier.ticket >= request.ticket) break;
        yield earlier;
      }
    }
  }
}

/** Every lease that has to end before the request can run, by holding alone. */
function reachable(request: LeaseRequest): Set<Lease> {
  const seen = new Set<Lease>();
  const open: LeaseRequest[] = [request];
  for (let waiting = open.pop(); waiting !== undefined; waiting = open.pop()) {
    for (const lease of holdersInTheWay(waiting)) {
      if (seen.has(lease) || lease.isEnded) continue;
      seen.add(lease);
      open.push(...lease.waiting);
    }
  }
  return seen;
}

function holdersInTheWay(request: LeaseRequest): Lease[] {
  return request.places.flatMap((place) =>
    place.isExclusive ? place.resource.holders.filter((lease) => request.ancestors?.has(lease) !== true) : [],
  );
}

interface Step {
  readonly resource: Resource;
  readonly lease: Lease;
  readonly before: Step | undefined;
}

/** F6: the circle that this wait would close, in words; `undefined` when there is none. */
function findCycle(request: LeaseRequest): string | undefined {
  const ancestors = request.ancestors as ReadonlySet<Lease>; // only asked for requests that are inside a lease
  const seen = new Set<Lease>();
  const open: { readonly waiting: LeaseRequest; readonly before: Step | undefined }[] = [
    { waiting: request, before: undefined },
  ];
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    for (const { resource, isExclusive } of node.waiting.places) {
      if (!isExclusive) continue;
      for (const lease of resource.holders) {
        if (node.waiting.ancestors?.has(lease) === true || seen.has(lease)) continue;
        // A holder that has settled waits for nothing any more; the inner holders that keep the resource are here too.
        if (lease.isEnded) continue;
        const step: Step = { resource, lease, before: node.before };
        if (node.waiting !== request && ancestors.has(lease)) return describeCycle(step);
        seen.add(lease);
        for (const waiting of lease.waiting) open.push({ waiting, before: step });
      }
    }
  }
  return undefined;
}

function describeCycle(last: Step): string {
  const steps: Step[] = [];
  for (let step: Step | undefined = last; step !== undefined; step = step.before) steps.unshift(step);
  const parts = steps.map(({ resource, lease }, index) => {
    const holder = index === steps.length - 1 ? "the caller that asks" : ownerText(lease);
    return `${index === 0 ? "this wait is for" : "which waits for"} ${resource.label}, held by ${holder}`;
  });
  const advice = "Ask for everything in one request, or take it in the same order everywhere.";
  return `A deadlock was refused: ${parts.join(", ")}. ${advice}`;
}

/** Who holds a lease, in words. */
export function ownerText(lease: Lease): string {
  const name = lease.owner === undefined ? "another holder" : `call ${lease.owner}`;
  return lease.isAbandoned ? `${name} (given up, but its tool has not stopped)` : name;
}
