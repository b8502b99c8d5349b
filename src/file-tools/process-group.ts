// Ends a command with everything it started. A command runs as the leader of a group of its own; the group's id is the
// leader's process id and stays taken as long as any member lives. A process that left the group (setsid) is not found.
import { setTimeout as sleep } from "node:timers/promises";

/** What a group has between SIGTERM and SIGKILL: well below the engine's default grace, so that the output is not lost. */
const KILL_AFTER_MS = 150;
/** SIGKILL cannot be ignored, but where nobody collects the dead a group looks alive for ever. */
const DEAD_WITHIN_MS = 30;
const POLL_MS = 10;

const watched = new Set<number>();

/** Until `unwatchGroup`, the group dies with this process: Ctrl-C does not reach a group of its own. */
export function watchGroup(id: number): void {
  if (watched.size === 0) process.on("exit", killWatched);
  watched.add(id);
}

export function unwatchGroup(id: number): void {
  watched.delete(id);
  if (watched.size === 0) process.off("exit", killWatched);
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
