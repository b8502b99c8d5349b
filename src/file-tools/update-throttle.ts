// W3: at most ten updates a second, the first at once and the last always.

/** Eight a second leave room for the first and the last one in whatever second is looked at. */
const INTERVAL_MS = 125;

export interface UpdateThrottle {
  /** Something new can be shown: now, or when the interval is over. */
  note(): void;
  /** Shows what is new at once; nothing is shown after that. */
  finish(): void;
}

/** @param show - Called with nothing in between; takes the state of that moment. */
export function createUpdateThrottle(show: () => void): UpdateThrottle {
  let shownAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const showNow = () => {
    timer = undefined;
    shownAt = performance.now();
    show();
  };
  return {
    note() {
      if (isOver || timer !== undefined) return;
      const waitMs = shownAt + INTERVAL_MS - performance.now();
      if (waitMs <= 0) showNow();
      else timer = setTimeout(showNow, waitMs);
    },
    finish() {
      isOver = true;
      if (timer === undefined) return;
      clearTimeout(timer);
      showNow();
    },
  };
}
