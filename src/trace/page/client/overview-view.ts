// The whole time in a strip, with the part that the timeline shows. Drag in it to move that part.
import type { AppState } from "./app-state.js";
import { readPalette } from "./colors.js";
import { byId, oncePerFrame } from "./dom.js";
import { prepareCanvas } from "./timeline-view.js";
import type { ViewCall } from "./view-call.js";

const HEIGHT_PX = 34;
const ROW_PX = 4;
const MAX_ROWS = 7;

export class OverviewView {
  readonly #state: AppState;
  readonly #canvas = byId<HTMLCanvasElement>("overview");
  #palette = readPalette();
  #isDragging = false;
  readonly draw = oncePerFrame(() => this.#draw());

  constructor(state: AppState) {
    this.#state = state;
    this.#canvas.addEventListener("pointerdown", (event) => {
      this.#canvas.setPointerCapture(event.pointerId);
      this.#isDragging = true;
      this.#moveTo(event.offsetX);
    });
    this.#canvas.addEventListener("pointermove", (event) => {
      if (this.#isDragging) this.#moveTo(event.offsetX);
    });
    this.#canvas.addEventListener("pointerup", () => {
      this.#isDragging = false;
    });
    new ResizeObserver(this.draw).observe(this.#canvas.parentElement as HTMLElement);
  }

  themeChanged(): void {
    this.#palette = readPalette();
    this.draw();
  }

  #moveTo(x: number): void {
    const { time } = this.#state;
    const middle = (x / this.#canvas.clientWidth) * time.endMs;
    time.show(middle - time.widthMs / 2, middle + time.widthMs / 2);
    this.#state.changed();
  }

  #draw(): void {
    const widthPx = (this.#canvas.parentElement as HTMLElement).clientWidth;
    if (widthPx === 0) return;
    const context = prepareCanvas(this.#canvas, widthPx, HEIGHT_PX);
    if (context === null) return;
    context.fillStyle = this.#palette.stripe;
    context.fillRect(0, 0, widthPx, HEIGHT_PX);
    const { calls } = this.#state.view;
    const pxPerMs = widthPx / this.#state.time.endMs;
    for (const call of calls) if (call.call.status === "ok") this.#paint(context, call, pxPerMs);
    for (const call of calls) if (call.call.status !== "ok") this.#paint(context, call, pxPerMs);
    this.#paintWindow(context, widthPx);
  }

  #paint(context: CanvasRenderingContext2D, view: ViewCall, pxPerMs: number): void {
    const row = Math.min(view.call.depth, MAX_ROWS - 1);
    context.globalAlpha = this.#state.matches[view.at] === true ? (view.call.status === "ok" ? 0.55 : 1) : 0.12;
    context.fillStyle = this.#palette.status[view.call.status];
    const width = Math.max(1, (view.endMs - view.fromMs) * pxPerMs);
    context.fillRect(view.fromMs * pxPerMs, 3 + row * ROW_PX, width, ROW_PX - 1);
  }

  #paintWindow(context: CanvasRenderingContext2D, widthPx: number): void {
    const { time } = this.#state;
    const from = (time.fromMs / time.endMs) * widthPx;
    const to = (time.toMs / time.endMs) * widthPx;
    context.globalAlpha = 0.6;
    context.fillStyle = this.#palette.panel;
    context.fillRect(0, 0, from, HEIGHT_PX);
    context.fillRect(to, 0, widthPx - to, HEIGHT_PX);
    context.globalAlpha = 1;
    context.strokeStyle = this.#palette.accent;
    context.lineWidth = 1.5;
    context.strokeRect(from + 0.75, 0.75, Math.max(2, to - from) - 1.5, HEIGHT_PX - 1.5);
  }
}
