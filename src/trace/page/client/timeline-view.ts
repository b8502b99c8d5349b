// The timeline: its canvas, the mouse on it, and the small picture of the whole above it.
import type { AppState } from "./app-state.js";
import { readPalette } from "./colors.js";
import { byId, fill, make, makeLine, oncePerFrame } from "./dom.js";
import { formatMs, plural, statusWord } from "./format.js";
import { AXIS_PX, BAR_PX, TimelineLayout } from "./timeline-layout.js";
import { paintTimeline } from "./timeline-paint.js";
import type { ViewCall } from "./view-call.js";

const WHEEL_ZOOM = 1.0018;
/** A mouse that moves less was meant to stay where it is. */
const CLICK_PX = 4;

export class TimelineView {
  readonly #state: AppState;
  readonly #scroller = byId("lanes");
  readonly #space = this.#scroller.lastElementChild as HTMLElement;
  readonly #canvas = byId<HTMLCanvasElement>("timeline");
  readonly #tip = byId("tip");
  #palette = readPalette();
  #layout: TimelineLayout;
  #hovered: ViewCall | undefined = undefined;
  #drag: { readonly x: number; readonly fromMs: number; hasMoved: boolean } | undefined = undefined;
  readonly draw = oncePerFrame(() => this.#draw());

  constructor(state: AppState) {
    this.#state = state;
    this.#layout = new TimelineLayout(state.view, state.time, 1);
    this.#scroller.addEventListener("scroll", this.draw);
    this.#canvas.addEventListener("wheel", (event) => this.#wheeled(event), { passive: false });
    this.#canvas.addEventListener("pointerdown", (event) => this.#pressed(event));
    this.#canvas.addEventListener("pointermove", (event) => this.#moved(event));
    this.#canvas.addEventListener("pointerup", (event) => this.#released(event));
    this.#canvas.addEventListener("pointerleave", () => this.#hover(undefined));
    this.#canvas.addEventListener("dblclick", () => this.zoomToSelected());
    new ResizeObserver(this.draw).observe(this.#scroller);
  }

  themeChanged(): void {
    this.#palette = readPalette();
    this.draw();
  }

  zoom(factor: number): void {
    const { selected, time } = this.#state;
    const middle = selected === undefined ? undefined : (selected.fromMs + selected.endMs) / 2;
    const isInView = middle !== undefined && middle >= time.fromMs && middle <= time.toMs;
    time.zoom(factor, isInView ? middle : undefined);
    this.#state.changed();
  }

  zoomToSelected(): void {
    const { selected, time } = this.#state;
    if (selected === undefined) return;
    const width = Math.max(selected.endMs - selected.fromMs, 0.01);
    time.show(selected.fromMs - width * 0.15, selected.endMs + width * 0.15);
    this.#state.changed();
  }

  zoomToAll(): void {
    this.#state.time.showAll();
    this.#state.changed();
  }

  /** @param part - Of what is in view; to the left when it is negative. */
  pan(part: number): void {
    this.#state.time.pan(this.#state.time.widthMs * part);
    this.#state.changed();
  }

  /** Brings the lane of the selected call into view. */
  reveal(): void {
    const { selected } = this.#state;
    if (selected === undefined) return;
    const layout = new TimelineLayout(this.#state.view, this.#state.time, this.#scroller.clientWidth);
    const { y } = layout.boxOf(selected);
    const { scrollTop, clientHeight } = this.#scroller;
    if (y < scrollTop) this.#scroller.scrollTop = y - 8;
    else if (y + BAR_PX + AXIS_PX > scrollTop + clientHeight)
      this.#scroller.scrollTop = y + BAR_PX + AXIS_PX + 8 - clientHeight;
  }

  #draw(): void {
    const { clientWidth: widthPx, clientHeight: heightPx } = this.#scroller;
    if (widthPx === 0 || heightPx === 0) return;
    this.#layout = new TimelineLayout(this.#state.view, this.#state.time, widthPx);
    // The canvas is as high as what is seen of it and stays in place; the space behind it is what scrolls.
    this.#space.style.height = `${Math.max(0, this.#layout.heightPx + AXIS_PX - heightPx)}px`;
    const context = prepareCanvas(this.#canvas, widthPx, heightPx);
    if (context === null) return;
    const { scrollTop: scrollPx } = this.#scroller;
    const hovered = this.#hovered;
    const picture = { context, state: this.#state, layout: this.#layout, palette: this.#palette, widthPx, heightPx };
    paintTimeline({ ...picture, scrollPx, hovered });
  }

  #wheeled(event: WheelEvent): void {
    const isZoom = event.ctrlKey || event.metaKey;
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (!isZoom && Math.abs(sideways) < Math.abs(event.deltaY) && !event.shiftKey) return; // the lanes scroll
    event.preventDefault();
    if (isZoom) this.#state.time.zoom(WHEEL_ZOOM ** event.deltaY, this.#layout.msAt(event.offsetX));
    else this.#state.time.pan(sideways / this.#layout.pxPerMs);
    this.#state.changed();
  }

  #pressed(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#drag = { x: event.offsetX, fromMs: this.#state.time.fromMs, hasMoved: false };
  }

  #moved(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag === undefined) {
      const y = event.offsetY - AXIS_PX + this.#scroller.scrollTop;
      const call = event.offsetY < AXIS_PX ? undefined : this.#layout.callAt(this.#state.view.calls, event.offsetX, y);
      this.#hover(call, event);
      return;
    }
    const movedPx = event.offsetX - drag.x;
    drag.hasMoved ||= Math.abs(movedPx) > CLICK_PX;
    if (!drag.hasMoved) return;
    this.#hover(undefined);
    const { time } = this.#state;
    const fromMs = drag.fromMs - movedPx / this.#layout.pxPerMs;
    time.show(fromMs, fromMs + time.widthMs);
    this.#state.changed();
  }

  #released(event: PointerEvent): void {
    const drag = this.#drag;
    this.#drag = undefined;
    if (drag === undefined || drag.hasMoved) return;
    const y = event.offsetY - AXIS_PX + this.#scroller.scrollTop;
    const call = this.#layout.callAt(this.#state.view.calls, event.offsetX, y);
    if (call !== undefined) this.#state.select(call);
  }

  #hover(call: ViewCall | undefined, event?: PointerEvent): void {
    this.#canvas.style.cursor = call === undefined ? "" : "pointer";
    this.#tip.hidden = call === undefined;
    if (call !== undefined && event !== undefined) this.#placeTip(call, event);
    if (call === this.#hovered) return;
    this.#hovered = call;
    this.draw();
  }

  #placeTip(view: ViewCall, event: PointerEvent): void {
    if (view !== this.#hovered) fill(this.#tip, tipLines(view, this.#state.isLive));
    const box = this.#canvas.getBoundingClientRect();
    const x = Math.min(box.left + event.offsetX + 14, innerWidth - this.#tip.offsetWidth - 8);
    const y = Math.min(box.top + event.offsetY + 16, innerHeight - this.#tip.offsetHeight - 8);
    this.#tip.style.transform = `translate(${Math.max(0, x)}px, ${Math.max(0, y)}px)`;
  }
}

function tipLines({ call, children, startMs }: ViewCall, isLive: boolean): Node[] {
  const facts = [
    call.durationMs === undefined ? "did not run" : formatMs(call.durationMs),
    `at ${formatMs(startMs)}`,
    ...(children.length > 0 ? [plural(children.length, "call")] : []),
  ];
  const head = make("div", "tip-head");
  const status = make("span", `badge is-${call.status}`, statusWord(call.status, isLive));
  head.append(makeLine("strong", "", call.name ?? "(unknown)"), status);
  return [head, makeLine("div", "tip-id", call.id), make("div", "tip-facts", facts.join(" · "))];
}

/** The canvas at the resolution of the screen. */
export function prepareCanvas(
  canvas: HTMLCanvasElement,
  widthPx: number,
  heightPx: number,
): CanvasRenderingContext2D | null {
  const scale = devicePixelRatio || 1;
  const width = Math.round(widthPx * scale);
  const height = Math.round(heightPx * scale);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${widthPx}px`;
    canvas.style.height = `${heightPx}px`;
  }
  const context = canvas.getContext("2d");
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}
