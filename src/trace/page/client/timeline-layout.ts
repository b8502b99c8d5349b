// Where the bars of the timeline are.
import type { TimeWindow } from "./time-window.js";
import type { CallView, ViewCall } from "./view-call.js";

export const AXIS_PX = 26;
export const BAR_PX = 20;
const ROW_PITCH_PX = 22;
const LANE_GAP_PX = 7;
/** A call that took no time is still to be seen. */
const MIN_BAR_PX = 2;

export interface BarBox {
  readonly x: number;
  readonly width: number;
  readonly y: number;
}

export class TimelineLayout {
  readonly laneTops: readonly number[];
  /** Of all lanes, without the axis. */
  readonly heightPx: number;
  readonly #time: TimeWindow;
  readonly #widthPx: number;

  constructor({ laneRows }: CallView, time: TimeWindow, widthPx: number) {
    this.#time = time;
    this.#widthPx = widthPx;
    let top = LANE_GAP_PX;
    this.laneTops = laneRows.map((rows) => {
      const own = top;
      top += rows * ROW_PITCH_PX + LANE_GAP_PX;
      return own;
    });
    this.heightPx = top;
  }

  get pxPerMs(): number {
    return this.#widthPx / this.#time.widthMs;
  }

  xOf(ms: number): number {
    return (ms - this.#time.fromMs) * this.pxPerMs;
  }

  msAt(x: number): number {
    return this.#time.fromMs + x / this.pxPerMs;
  }

  /** Its place, `y` counted from the first lane's edge. */
  boxOf({ fromMs, endMs, lane, row }: ViewCall): BarBox {
    const x = this.xOf(fromMs);
    const width = Math.max(MIN_BAR_PX, this.xOf(endMs) - x);
    return { x, width, y: (this.laneTops[lane] ?? 0) + row * ROW_PITCH_PX };
  }

  /** The call at this place; of two, the one that was made last. */
  callAt(calls: readonly ViewCall[], x: number, y: number): ViewCall | undefined {
    for (let at = calls.length - 1; at >= 0; at -= 1) {
      const call = calls[at];
      if (call === undefined) continue;
      const box = this.boxOf(call);
      const isInside = x >= box.x - 1 && x <= box.x + box.width + 1 && y >= box.y && y <= box.y + BAR_PX;
      if (isInside) return call;
    }
    return undefined;
  }
}
