// F1 to F5: turns on files. This file knows which files a request is about and in which order requests came; who may
// run is the wait graph's affair. Owns the requests on their way to the graph, the lookups in flight and the resources.
import { isAbsolute, resolve as resolvePath, sep } from "node:path";
import { onAbort } from "../errors/abort-listeners.js";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { type FileKey, isSameKey, lookUpKey, lookUpKeyAgain } from "./file-key.js";
import { ancestorsOf, type Lease } from "./lease.js";
import { currentLease, runInsideLease } from "./lease-context.js";
import { LeaseRequest, type LeaseRequestOptions, type Place } from "./lease-request.js";
import { Resource } from "./resource.js";
import { enter, joinQueue, leave, leaveQueue, nextTicket } from "./wait-graph.js";

/** How long others wait for a lookup that may turn out to be of their file, in milliseconds. */
const LOOKUP_PATIENCE_MS = 10;

export interface FileMutationOptions {
  /** Leaves the queue when it aborts; `fn` then never runs. */
  readonly signal?: AbortSignal | undefined;
}

export class FileMutationQueue {
  readonly #resources = new Map<string, Resource>();
  readonly #lookups = new Map<string, LeaseRequest[]>();
  /** Requests in the order of the calls, from the oldest whose files are not known yet. */
  #arrivals: LeaseRequest[] = [];
  #firstArrival = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Runs `fn` while nobody else has any of the files. Never throws; see `withFileMutationQueue`. */
  run<T>(path: string | readonly string[], fn: () => T | Promise<T>, options?: FileMutationOptions | null): Promise<T> {
    try {
      const signal = checkArguments(fn, options);
      const paths = absolutePaths(path);
      signal?.throwIfAborted();
      const inside = currentLease();
      const request = this.acquire({ paths, ancestors: ancestorsOf([inside]), owner: inside?.owner });
      return signal === undefined
        ? request.lease.then((lease) => runHolding(lease, fn))
        : this.follow(request, fn, signal);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs `fn` with the lease, unless the signal aborts before its turn. */
  async follow<T>(request: LeaseRequest, fn: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
    const stopListening = onAbort(signal, () => this.giveUp(request, signal.reason));
    const lease = await request.lease.finally(stopListening);
    return runHolding(lease, fn, signal);
  }

  /** Asks for files and a lane in one request; its `lease` settles once. */
  acquire(options: LeaseRequestOptions): LeaseRequest {
    const request = new LeaseRequest(nextTicket(), options, this.#onMayRun);
    // The order in the lane is known at once, whatever the files turn out to be.
    if (options.lane !== undefined) this.#setPlaces(request, [options.lane.exclusivePlace]);
    if (request.isResolved) {
      enter(request);
    } else {
      this.#arrivals.push(request);
      this.#lookUp(request);
    }
    return request;
  }

  /** F7: leaves every queue at once; the lease is rejected with the reason. */
  giveUp(request: LeaseRequest, reason: unknown): void {
    leave(request, reason);
    this.#admitArrivals();
  }

  #lookUp(request: LeaseRequest): void {
    for (const path of new Set(request.paths)) {
      request.lookupsLeft += 1;
      const inFlight = this.#lookups.get(path);
      if (inFlight !== undefined) {
        inFlight.push(request);
        continue;
      }
      this.#lookups.set(path, [request]);
      lookUpKey(path, (error, key) => this.#lookedUp(path, error, key));
    }
  }

  #lookedUp(path: string, error: Error | undefined, key: FileKey | undefined): void {
    const requests = this.#lookups.get(path) ?? [];
    this.#lookups.delete(path);
    for (const request of requests) {
      if (!request.isWaiting) continue;
      if (key === undefined) {
        leave(request, error);
        continue;
      }
      for (const [index, asked] of request.paths.entries()) if (asked === path) request.keys[index] = key;
      request.lookupsLeft -= 1;
      if (request.lookupsLeft > 0) continue;
      request.isResolved = true;
      if (request.isLate) this.#admit(request);
    }
    this.#admitArrivals();
  }

  /** F1: requests go on in call order; one whose files are not known yet keeps those behind it waiting for a while. */
  #admitArrivals(): void {
    const arrivals = this.#arrivals;
    for (; this.#firstArrival < arrivals.length; this.#firstArrival += 1) {
      const request = arrivals[this.#firstArrival] as LeaseRequest; // inside the array
      if (!request.isWaiting) continue;
      if (!request.isResolved) break;
      this.#admit(request);
    }
    if (this.#firstArrival === arrivals.length) {
      this.#arrivals = [];
      this.#firstArrival = 0;
      return;
    }
    if (this.#firstArrival > 1024) {
      this.#arrivals = arrivals.slice(this.#firstArrival);
      this.#firstArrival = 0;
    }
    if (this.#arrivals.length - this.#firstArrival > 1) this.#losePatienceLater();
  }

  /**
   * F1: the first arrival may hold up others for so long. The time runs while answers of the disk can come in: a process
   * that was busy has not waited for the disk.
   */
  #losePatienceLater(): void {
    if (this.#timer !== undefined) return;
    const last = this.#arrivals.at(-1)?.ticket ?? 0;
    this.#timer = setTimeout(() => setImmediate(() => this.#passLateArrivals(last)), LOOKUP_PATIENCE_MS);
    this.#timer.unref(); // the lookup itself keeps the process alive
  }

  #passLateArrivals(last: number): void {
    this.#timer = undefined;
    for (; this.#firstArrival < this.#arrivals.length; this.#firstArrival += 1) {
      const request = this.#arrivals[this.#firstArrival] as LeaseRequest; // inside the array
      if (request.ticket > last || (request.isWaiting && request.isResolved)) break;
      if (!request.isWaiting) continue;
      request.isLate = true;
      this.#setPlaces(request, this.#placesOfSpellings(request));
    }
    this.#admitArrivals();
  }

  #admit(request: LeaseRequest): void {
    this.#setPlaces(request, this.#placesOfKeys(request));
    enter(request);
  }

  readonly #onMayRun = (request: LeaseRequest): void => this.lookAgain(request);

  /** F3: the files may have changed while the request waited. */
  protected lookAgain(request: LeaseRequest): void {
    const keys: FileKey[] = new Array(request.paths.length);
    let left = request.paths.length;
    for (const [index, path] of request.paths.entries()) {
      // Granted requests are resolved, so the key is there.
      lookUpKeyAgain(path, request.keys[index] as FileKey, (error, key) => {
        if (!request.isWaiting) return;
        if (key === undefined) {
          request.isLooking = false;
          this.giveUp(request, error);
          return;
        }
        keys[index] = key;
        left -= 1;
        if (left === 0) this.lookedAgain(request, keys);
      });
    }
  }

  /** Whether a request whose files are the same as before may be granted now. */
  protected mayEnter(_request: LeaseRequest): boolean {
    return true;
  }

  protected lookedAgain(request: LeaseRequest, keys: FileKey[]): void {
    request.isLooking = false;
    const isUnchanged = keys.every((key, index) => isSameKey(key, request.keys[index] as FileKey));
    request.keys = keys;
    if (!isUnchanged) this.#setPlaces(request, this.#placesOfKeys(request));
    request.needsLook = !this.mayEnter(request);
    enter(request);
  }

  /** Keeps the places that are still wanted, and takes the new ones in call order. */
  #setPlaces(request: LeaseRequest, wanted: readonly Place[]): void {
    const old = request.places;
    if (old.length === 0) {
      request.places = wanted;
      for (const place of wanted) joinQueue(request, place);
      return;
    }
    const kept = old.filter(({ resource }) => resource.kind === "lane");
    request.places = [...kept, ...wanted];
    for (const place of wanted) {
      if (!old.some(({ resource }) => resource === place.resource)) joinQueue(request, place);
    }
    for (const place of old) {
      if (!request.places.some(({ resource }) => resource === place.resource)) leaveQueue(request, place);
    }
  }

  #placesOfKeys(request: LeaseRequest): readonly Place[] {
    // A list of its size from the start: thousands may wait, and a list that grows takes room for sixteen.
    if (request.paths.length === 1) return this.#placesOf(request.paths[0] as string, request.keys[0] as FileKey);
    const places: Place[] = [];
    for (const [index, path] of request.paths.entries()) {
      for (const place of this.#placesOf(path, request.keys[index] as FileKey)) {
        const known = places.findIndex(({ resource }) => resource === place.resource);
        if (known < 0) places.push(place);
        else if (place.isExclusive) places[known] = place;
      }
    }
    return places;
  }

  #placesOf(path: string, { name, identity }: FileKey): readonly Place[] {
    const byName = this.#resourceOf(name, name).exclusivePlace;
    if (path === name) {
      return identity === undefined ? [byName] : [byName, this.#resourceOf(identity, name).exclusivePlace];
    }
    // The holder has the spelling as well: a link in it may lead elsewhere while the file is held.
    const bySpelling = this.#resourceOf(path, path).exclusivePlace;
    if (identity === undefined) return [byName, bySpelling];
    return [byName, this.#resourceOf(identity, name).exclusivePlace, bySpelling];
  }

  #placesOfSpellings(request: LeaseRequest): Place[] {
    return [...new Set(request.paths)].map((path) => this.#resourceOf(path, path).orderPlace);
  }

  #resourceOf(key: string, label: string): Resource {
    let resource = this.#resources.get(key);
    if (resource === undefined) {
      resource = new Resource("file", label, key, this.#resources);
      this.#resources.set(key, resource);
    }
    return resource;
  }
}

/** Runs `fn` inside the lease, and ends the lease when it has settled. */
async function runHolding<T>(lease: Lease, fn: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    signal?.throwIfAborted(); // between the grant and this turn
    return await runInsideLease(lease, fn);
  } finally {
    lease.end();
  }
}

function checkArguments(fn: unknown, options: unknown): AbortSignal | undefined {
  if (typeof fn !== "function") {
    const message = `withFileMutationQueue takes a function as its second argument; it got ${describeValue(fn)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  if (options === undefined || options === null) return undefined;
  if (typeof options !== "object") {
    const message = `withFileMutationQueue takes an object of options as its third argument; it got ${describeValue(options)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const { signal } = options as { readonly signal?: unknown };
  if (signal === undefined || signal === null || signal instanceof AbortSignal) return signal ?? undefined;
  const message = `withFileMutationQueue takes an AbortSignal as options.signal; it got ${describeValue(signal)}.`;
  throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}

/**
 * The paths made absolute against a folder, by default the working directory of this moment. They are not normalised:
 * behind a linked folder `..` means what the system makes of it.
 *
 * @throws TypeError with Node's codes `ERR_INVALID_ARG_TYPE` and `ERR_INVALID_ARG_VALUE` (F10).
 */
export function absolutePaths(path: unknown, cwd?: string): string[] {
  const list: readonly unknown[] = Array.isArray(path) ? path : [path];
  return list.map((item) => {
    if (typeof item !== "string")
      throw pathError("ERR_INVALID_ARG_TYPE", `must be a string, not ${describeValue(item)}`);
    if (item === "") throw pathError("ERR_INVALID_ARG_VALUE", "must not be empty");
    if (process.platform === "win32") return resolvePath(cwd ?? "", item);
    return isAbsolute(item) ? item : `${cwd ?? process.cwd()}${sep}${item}`;
  });
}

function pathError(code: string, problem: string): TypeError {
  return Object.assign(new TypeError(`The path of a file to change ${problem}.`), { code });
}
