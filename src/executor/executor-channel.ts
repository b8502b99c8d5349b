// Tells of every executor that is made, so that a program can be watched without a line of its own.
import { channel } from "node:diagnostics_channel";
import type { Executor } from "./create-executor.js";

/** The name of the channel. Its messages are `{ executor }`. */
export const EXECUTOR_CHANNEL = "nestcall:executor";

/** What a subscriber of `nestcall:executor` gets. */
export interface ExecutorMessage {
  readonly executor: Executor;
}

const executors = channel(EXECUTOR_CHANNEL);

/** Does nothing while nobody listens. */
export function announceExecutor(executor: Executor): Executor {
  if (executors.hasSubscribers) executors.publish({ executor } satisfies ExecutorMessage);
  return executor;
}
