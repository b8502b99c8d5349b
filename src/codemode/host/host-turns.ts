// C4: the host's event loop never stops for long. Work that may be long is done in pieces, and all pieces of one turn of the
// loop share its time, whichever run they belong to.

const TURN_MS = 8;

let turnEndsAt: number | undefined;
let last: Promise<void> = Promise.resolve();

/** Whether this turn of the event loop has time left for such work. */
function hasTime(): boolean {
  const now = performance.now();
  if (turnEndsAt === undefined) {
    turnEndsAt = now + TURN_MS;
    setImmediate(() => {
      turnEndsAt = undefined;
    });
  }
  return now < turnEndsAt;
}

/**
 * Resolves in a turn that has time left; at once when this one has. Whoever asks is awaited in turn: the next one is
 * looked at when the one before has done its piece, so await what this gives at once and do the piece right after.
 */
export function timeToWork(): Promise<void> {
  last = last.then(untilTime);
  return last;
}

function untilTime(): Promise<void> | undefined {
  return hasTime() ? undefined : new Promise<void>((resolve) => setImmediate(resolve)).then(untilTime);
}
