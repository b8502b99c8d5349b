// C4: the host's event loop never stops for long. Work that may be long is done in pieces, and all pieces of one turn of the
// loop share its time, whichever run they belong to.

const TURN_MS = 8;

let turnEndsAt: number | undefined;

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

/** Resolves in a turn that has time left; at once when this one has. */
export async function timeToWork(): Promise<void> {
  while (!hasTime()) await new Promise<void>((resolve) => setImmediate(resolve));
}
