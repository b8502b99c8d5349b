// Ends a command with everything it started. A command runs as the leader of a group of its own; the group's id is the
// leader's process id and stays taken as long as any member lives. A process that left the group (setsid) is not found.
import { setTimeout as sleep } from "node:timers/promises";

/** What a group has between SIGTERM and SIGKILL: well below the engine's default grace, so that the output is not lost. */
const KILL_AFTER_MS = 150;
/** SIGKILL cannot be ignored, but where nobody collects the dead a group looks alive for ever. */
const DEAD_WITHIN_MS = 30;
const POLL_MS = 10;

/** Signals that end a process which does not listen to them, without its "exit" event. */
const DEADLY_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Known to every copy of this package in the process. */
const OURS = Symbol.for("nestcall.process-group");

const watched = new Set<number>();
const dieWithGroups = Object.assign(onDeadlySignal, { [OURS]: true });

/** Until `unwatchGroup`, the group dies with this process: Ctrl-C does not reach a group of its own. */
export function watchGroup(id: number): void {
  if (watched.size === 0) {
    process.on("exit", killWatched);
    listenToSignals();
  }
  watched.add(id);
}

export function unwatchGroup(id: number): void {
  watched.delete(id);
  if (watched.size > 0) return;
  process.off("exit", killWatched);
  ignoreSignals();
}

/** SIGTERM, and SIGKILL for what is left after a short time. Resolves when the group is gone, or cannot be ended. */
export async function endGroup(id: number): Promise<void> {
  signalGroup(id, "SIGTERM");
  signalGroup(id, "SIGCONT"); // a stopped process hears of nothing else
  if (await isGoneWithin(id, KILL_AFTER_MS)) return;
  signalGroup(id, "SIGKILL");
  await isGoneWithin(id, DEAD_WITHIN_MS);
}

async function isGoneWithin(id: number, ms: number): Promise<boolean> {
  const giveUpAt = performance.now() + ms;
  while (signalGroup(id, 0)) {
    if (performance.now() >= giveUpAt) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Whether there was somebody to get the signal. */
function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-id, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it lives, under another user
  }
}

function killWatched(): void {
  for (const id of watched) signalGroup(id, "SIGKILL");
}

function listenToSignals(): void {
  ignoreSignals();
  for (const signal of DEADLY_SIGNALS) process.prependListener(signal, dieWithGroups);
}

function ignoreSignals(): void {
  for (const signal of DEADLY_SIGNALS) process.off(signal, dieWithGroups);
}

/**
 * Where nobody else listens, the groups die and then this process, by the same signal. An application that listens
 * decides itself what becomes of its work, by an abort for instance: then nothing happens here. Others ask, as this
 * does, whether they are alone (`signal-exit`); so that they find they are, this is first and gone while they run.
 */
function onDeadlySignal(signal: NodeJS.Signals): void {
  ignoreSignals();
  if (process.listeners(signal).some((listener) => !(OURS in listener))) {
    queueMicrotask(() => {
      if (watched.size > 0) listenToSignals();
    });
    return;
  }
  killWatched();
  // Another copy of this package, which has groups of its own to end, does it after that.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
