// The part of the time that is looked at, and the marks of its axis.
import { formatMs } from "./format.js";

export class TimeWindow {
  fromMs = 0;
  toMs = 1;
  #endMs = 1;
  /** Nobody has zoomed: the whole stays in view when it grows. */
  #isAll = true;

  get endMs(): number {
    return this.#endMs;
  }

  get widthMs(): number {
    return this.toMs - this.fromMs;
  }

  setEnd(endMs: number): void {
    this.#endMs = Math.max(endMs, 0.001);
    if (this.#isAll) this.showAll();
    else this.show(this.fromMs, this.toMs);
  }

  showAll(): void {
    this.#isAll = true;
    this.fromMs = 0;
    this.toMs = this.#endMs;
  }

  /** Shows these milliseconds, or what is nearest to them of what there is. */
  show(fromMs: number, toMs: number): void {
    const width = Math.min(this.#endMs, Math.max(toMs - fromMs, this.#endMs * 1e-7, 0.0005));
    this.fromMs = Math.min(Math.max(0, fromMs), this.#endMs - width);
    this.toMs = this.fromMs + width;
    this.#isAll = width >= this.#endMs;
  }

  /** @param factor - Above 1 to see more of the time. */
  zoom(factor: number, aroundMs = (this.fromMs + this.toMs) / 2): void {
    const width = this.widthMs * factor;
    const part = (aroundMs - this.fromMs) / this.widthMs;
    this.show(aroundMs - width * part, aroundMs + width * (1 - part));
  }

  pan(ms: number): void {
    this.show(this.fromMs + ms, this.toMs + ms);
  }

  /** Moves as little as is needed to have this time in view. */
  reveal(fromMs: number, toMs: number): void {
    if (toMs < this.fromMs || fromMs > this.toMs) {
      const middle = (fromMs + toMs) / 2;
      this.show(middle - this.widthMs / 2, middle + this.widthMs / 2);
    }
  }
}

/** Round times for the marks of an axis, at most about `count`. */
export function axisMarks(
  fromMs: number,
  toMs: number,
  count: number,
): { readonly ms: number; readonly label: string }[] {
  const rough = (toMs - fromMs) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= rough) ?? 10 * power;
  const marks: { ms: number; label: string }[] = [];
  for (let index = Math.ceil(fromMs / step); index * step <= toMs; index += 1) {
    marks.push({ ms: index * step, label: axisLabel(index * step, step) });
  }
  return marks;
}

function axisLabel(ms: number, step: number): string {
  if (ms === 0) return "0";
  if (ms >= 60_000 && step >= 1000) return formatMs(ms);
  const [unit, size] = ms >= 1000 ? (["s", 1000] as const) : (["ms", 1] as const);
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return `${(ms / size).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}
