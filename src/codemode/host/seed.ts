// The state that `Math.random` of a script begins with.
import { createHash, randomBytes } from "node:crypto";

export type Seed = readonly [number, number, number, number];

/** The same for the same seed; different each time without one. */
export function seedState(seed: number | string | undefined): Seed {
  const bytes =
    seed === undefined
      ? randomBytes(16)
      : createHash("sha256")
          .update(`${typeof seed}:${seed}`)
          .digest();
  return [bytes.readInt32LE(0), bytes.readInt32LE(4), bytes.readInt32LE(8), bytes.readInt32LE(12)];
}
