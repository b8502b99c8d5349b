// Lanes for calls that run at the same time: in one lane no two calls overlap unless one is below the other, so that a
// lane can be drawn as nested bars. Runs in browsers too.
import { Heap } from "./heap.js";

/** What is put into a lane. Parents stand before their children. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
  /** The place in the list of the span around it, when there is one. */
  readonly parent?: number | undefined;
}
export interface LanePlace {
  /** From 0. */
  readonly lane: number;
  /** How many spans lie around it in its lane. */
  readonly row: number;
}

/** Lanes for all spans, as few as the first free one gives. A child goes into its parent's lane when there is room. */
export function assignLanes(spans: readonly Span[]): LanePlace[] {
  const places: LanePlace[] = new Array(spans.length);
  const lanes = new Lanes(spans);
  const startOf = (index: number) => spans[index]?.startMs ?? 0;
  const order = Array.from(spans.keys()).sort((one, other) => startOf(one) - startOf(other) || one - other);
  for (const index of order) {
    const parent = spans[index]?.parent;
    places[index] = lanes.place(index, parent === undefined ? undefined : places[parent]?.lane);
  }
  return places;
}

class Lanes {
  readonly #spans: readonly Span[];
  readonly #lanes: Lane[] = [];
  readonly #busy = new Heap<Lane>((lane) => lane.busyUntilMs);
  readonly #free = new Heap<Lane>((lane) => lane.number);

  constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /** @param parentLane - Where the span around it is. */
  place(index: number, parentLane: number | undefined): LanePlace {
    const span = this.#spans[index] as Span; // of the list
    this.#release(span.startMs);
    const around = parentLane === undefined ? undefined : this.#lanes[parentLane];
    if (around?.hasRoom(span, this.#spans) === true) return around.put(index);
    const lane = this.#free.take() ?? new Lane(this.#lanes.length);
    if (lane.number === this.#lanes.length) this.#lanes.push(lane);
    lane.busyUntilMs = span.endMs;
    this.#busy.add(lane);
    return lane.put(index);
  }

  #release(nowMs: number): void {
    for (let lane = this.#busy.first; lane !== undefined && lane.busyUntilMs <= nowMs; lane = this.#busy.first) {
      this.#busy.take();
      lane.clear();
      this.#free.add(lane);
    }
  }
}

class Lane {
  readonly number: number;
  busyUntilMs = 0;
  /** The spans that are open here, each inside the one before it. */
  #open: number[] = [];

  constructor(number: number) {
    this.number = number;
  }

  /** Whether the span's parent is the innermost that is open here when it begins. */
  hasRoom({ parent, startMs }: Span, spans: readonly Span[]): boolean {
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      if (top === parent) return true;
      if ((spans[top]?.endMs ?? 0) > startMs) return false;
      this.#open.pop();
    }
    return false;
  }

  put(index: number): LanePlace {
    this.#open.push(index);
    return { lane: this.number, row: this.#open.length - 1 };
  }

  clear(): void {
    this.#open = [];
  }
}
