// What every call of one executor shares.
import type { FileMutationQueue } from "../mutation-queue/file-mutation-queue.js";
import type { Resource } from "../mutation-queue/resource.js";
import type { Registry } from "../registry/registry.js";
import type { Host } from "../tools/tool.js";
import type { Hooks } from "./hook.js";
import type { Observers } from "./observers.js";
import type { ScopeList } from "./scope-list.js";

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds from any point on, never going back. */
  monotonic(): number;
}
export interface ExecutorLimits {
  /** Depths that are allowed below the root, which has depth 0. Default 32. */
  readonly maxDepth: number;
  /** Nested calls of one root call, at every depth. Default 10,000. */
  readonly maxCallsPerRoot: number;
  /** Calls of one parent, or of one batch, that run at once. Default 64. */
  readonly maxConcurrency: number;
  /** How long an aborted tool may take to settle before it is left behind, in milliseconds. Default 250. */
  readonly abortGraceMs: number;
  /** How long one handler of a hook may take, in milliseconds. Default: without limit. */
  readonly hookTimeoutMs: number | undefined;
}

export interface Engine {
  readonly registry: Registry;
  readonly hooks: Hooks;
  readonly observers: Observers;
  readonly limits: ExecutorLimits;
  readonly queue: FileMutationQueue;
  readonly lane: Resource;
  readonly cwd: string;
  readonly clock: Clock;
  readonly host: Host;
  readonly generateId: () => string;
  readonly redact: ((text: string) => string) | undefined;
  readonly toolExecution: "parallel" | "sequential";
  readonly openRoots: ScopeList;
  isClosed: boolean;
}
