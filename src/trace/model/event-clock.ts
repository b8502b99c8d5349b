// Times of events finer than their milliseconds. Events come in the right order and calls tell exactly how long they ran;
// timestamps are cut to whole milliseconds. So each event is put at its timestamp, or as much later as the order and
// the durations ask for, but within its millisecond.

/** Less than a millisecond, so that a later event never goes past the next timestamp. */
const REST_OF_MS = 0.999;

export class EventClock {
  #nowMs = Number.NEGATIVE_INFINITY;

  get nowMs(): number {
    return this.#nowMs;
  }

  /**
   * @param timestamp - Of the event.
   * @param notBeforeMs - What is known besides: the start of the call and how long it ran.
   */
  at(timestamp: number, notBeforeMs = timestamp): number {
    const earliest = Math.max(timestamp, Math.min(notBeforeMs, timestamp + REST_OF_MS));
    this.#nowMs = Math.max(this.#nowMs, earliest);
    return this.#nowMs;
  }
}
