// The picture of the timeline.
import { harmlessLine } from "../../harmless-text.js";
import type { AppState } from "./app-state.js";
import type { Palette } from "./colors.js";
import { formatMs } from "./format.js";
import { axisMarks } from "./time-window.js";
import { AXIS_PX, BAR_PX, type BarBox, type TimelineLayout } from "./timeline-layout.js";
import type { ViewCall } from "./view-call.js";

export interface TimelinePicture {
  readonly context: CanvasRenderingContext2D;
  readonly state: AppState;
  readonly layout: TimelineLayout;
  readonly palette: Palette;
  readonly widthPx: number;
  readonly heightPx: number;
  /** How far the lanes are scrolled. */
  readonly scrollPx: number;
  readonly hovered: ViewCall | undefined;
}

const FONT = "12px system-ui, sans-serif";
const MARK_PX = 110;
const MIN_LABEL_PX = 34;
const CORNER_PX = 3;
/** Narrower bars are plain. */
const PLAIN_PX = 5;
const ASIDE_ALPHA = 0.22;

export function paintTimeline(picture: TimelinePicture): void {
  const { context, widthPx, heightPx, palette } = picture;
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, widthPx, heightPx);
  context.font = FONT;
  context.textBaseline = "middle";
  paintLanes(picture);
  paintGrid(picture);
  context.save();
  context.beginPath();
  context.rect(0, AXIS_PX, widthPx, heightPx - AXIS_PX);
  context.clip();
  paintBars(picture);
  paintSelection(picture);
  context.restore();
  paintAxis(picture);
}

function paintLanes({ context, layout, palette, widthPx, heightPx, scrollPx }: TimelinePicture): void {
  context.fillStyle = palette.stripe;
  for (let lane = 0; lane < layout.laneTops.length; lane += 2) {
    const top = (layout.laneTops[lane] ?? 0) - 4 + AXIS_PX - scrollPx;
    const bottom = (layout.laneTops[lane + 1] ?? layout.heightPx + 1) - 4 + AXIS_PX - scrollPx;
    if (bottom > 0 && top < heightPx) context.fillRect(0, top, widthPx, bottom - top);
  }
}

function paintGrid({ context, state, layout, palette, widthPx, heightPx }: TimelinePicture): void {
  const { fromMs, toMs } = state.time;
  context.fillStyle = palette.line;
  for (const { ms } of axisMarks(fromMs, toMs, widthPx / MARK_PX)) {
    context.fillRect(Math.round(layout.xOf(ms)), AXIS_PX, 1, heightPx);
  }
}

function paintAxis({ context, state, layout, palette, widthPx }: TimelinePicture): void {
  const { fromMs, toMs } = state.time;
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, widthPx, AXIS_PX);
  context.fillStyle = palette.line;
  context.fillRect(0, AXIS_PX - 1, widthPx, 1);
  for (const { ms, label } of axisMarks(fromMs, toMs, widthPx / MARK_PX)) {
    const x = Math.round(layout.xOf(ms));
    context.fillStyle = palette.line;
    context.fillRect(x, AXIS_PX - 7, 1, 6);
    context.fillStyle = palette.muted;
    const width = context.measureText(label).width;
    if (x + 4 + width < widthPx) context.fillText(label, x + 4, AXIS_PX / 2 - 1);
  }
}

/** What went wrong is painted last, so that it is never hidden by thousands of others. */
function paintBars(picture: TimelinePicture): void {
  const { state } = picture;
  const { calls } = state.view;
  const painted = new Map<number, number>();
  for (const call of calls) if (call.call.status === "ok") paintBar(picture, call, painted);
  for (const call of calls) if (call.call.status !== "ok") paintBar(picture, call, undefined);
}

/** @param painted - How far each row is painted already: of bars finer than a pixel the first one does. */
function paintBar(picture: TimelinePicture, call: ViewCall, painted: Map<number, number> | undefined): void {
  const { layout, widthPx, heightPx, scrollPx, state } = picture;
  const box = layout.boxOf(call);
  const y = box.y + AXIS_PX - scrollPx;
  if (y > heightPx || y + BAR_PX < AXIS_PX || box.x > widthPx || box.x + box.width < 0) return;
  const isAside = state.matches[call.at] !== true;
  if (painted !== undefined && box.width <= PLAIN_PX && !isAside) {
    const done = painted.get(box.y) ?? Number.NEGATIVE_INFINITY;
    if (box.x + box.width <= done) return;
    painted.set(box.y, Math.ceil(box.x + box.width));
  }
  picture.context.globalAlpha = isAside ? ASIDE_ALPHA : 1;
  if (box.width <= PLAIN_PX) paintPlain(picture, call, { ...box, y });
  else paintFull(picture, call, { ...box, y });
  picture.context.globalAlpha = 1;
}

function paintPlain({ context, palette }: TimelinePicture, { call }: ViewCall, { x, y, width }: BarBox): void {
  context.fillStyle = palette.status[call.status];
  context.fillRect(x, y, Math.max(1, width - 0.5), BAR_PX);
}

function paintFull(picture: TimelinePicture, view: ViewCall, box: BarBox): void {
  const { context, palette, layout, hovered } = picture;
  const { status } = view.call;
  const { x, width, y } = box;
  context.save();
  context.beginPath();
  context.roundRect(x, y, width - 1, BAR_PX, CORNER_PX);
  context.clip();
  context.fillStyle = palette.panel;
  context.fillRect(x, y, width, BAR_PX);
  context.fillStyle = palette.tint[status];
  context.fillRect(x, y, width, BAR_PX);
  const runX = view.runMs === undefined ? (status === "unfinished" ? x : x + width) : layout.xOf(view.runMs);
  if (runX - x > 2) paintHatch(picture, view, { x, y, width: Math.min(runX, x + width) - x });
  context.fillStyle = palette.status[status];
  context.fillRect(x, y, 3, BAR_PX);
  if (hovered === view) {
    context.globalAlpha *= 0.25;
    context.fillRect(x, y, width, BAR_PX);
  }
  context.restore();
  paintLabel(picture, view, box);
}

/** A call that waited, or never ran. */
function paintHatch({ context, palette }: TimelinePicture, { call }: ViewCall, { x, y, width }: BarBox): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, BAR_PX);
  context.clip();
  context.strokeStyle = palette.status[call.status];
  context.globalAlpha *= 0.55;
  context.lineWidth = 1.5;
  context.beginPath();
  const from = Math.max(x, -BAR_PX);
  for (let at = from - ((from - x) % 7); at < Math.min(x + width, from + 6000) + BAR_PX; at += 7) {
    context.moveTo(at, y + BAR_PX);
    context.lineTo(at + BAR_PX, y);
  }
  context.stroke();
  context.restore();
}

function paintLabel({ context, palette, widthPx }: TimelinePicture, { call }: ViewCall, { x, width, y }: BarBox): void {
  const left = Math.max(x, 0) + 8;
  const room = Math.min(x + width, widthPx) - 6 - left;
  if (room < MIN_LABEL_PX) return;
  context.save();
  context.beginPath();
  context.rect(left, y, room, BAR_PX);
  context.clip();
  context.fillStyle = palette.ink;
  const name = harmlessLine(call.name ?? "(unknown)");
  context.fillText(name, left, y + BAR_PX / 2 + 0.5);
  const nameWidth = context.measureText(name).width;
  if (call.durationMs !== undefined && room > nameWidth + 60) {
    context.fillStyle = palette.muted;
    context.fillText(formatMs(call.durationMs), left + nameWidth + 8, y + BAR_PX / 2 + 0.5);
  }
  context.restore();
}

function paintSelection(picture: TimelinePicture): void {
  const { context, state, layout, palette, scrollPx } = picture;
  const { selected } = state;
  if (selected === undefined) return;
  const box = layout.boxOf(selected);
  const y = box.y + AXIS_PX - scrollPx;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(box.x - 1, y - 1, box.width + 1, BAR_PX + 2, CORNER_PX + 1);
  context.stroke();
  for (const { heldBy, toMs } of selected.waits) {
    const holder = heldBy === undefined ? undefined : holderOf(state, selected, heldBy);
    if (holder !== undefined) paintArrow(picture, holder, selected, toMs);
  }
}

/** The call of this id, of the same root call before others. */
export function holderOf(state: AppState, { rootKey }: ViewCall, id: string): ViewCall | undefined {
  const found = state.view.calls.filter(({ call }) => call.id === id);
  return found.find((call) => call.rootKey === rootKey) ?? found[0];
}

function paintArrow(
  { context, layout, palette, scrollPx }: TimelinePicture,
  holder: ViewCall,
  waiter: ViewCall,
  ms: number,
): void {
  const from = layout.boxOf(holder);
  const to = layout.boxOf(waiter);
  const x1 = Math.min(from.x + from.width, layout.xOf(ms));
  const y1 = from.y + BAR_PX / 2 + AXIS_PX - scrollPx;
  const x2 = layout.xOf(ms);
  const y2 = to.y + (to.y > from.y ? 0 : BAR_PX) + AXIS_PX - scrollPx;
  const bend = Math.max(14, Math.abs(x2 - x1) / 2);
  context.strokeStyle = palette.accent;
  context.fillStyle = palette.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x1, y1);
  context.bezierCurveTo(x1 + bend, y1, x2, y2 - Math.sign(y2 - y1) * bend, x2, y2);
  context.stroke();
  context.beginPath();
  context.arc(x1, y1, 3, 0, 2 * Math.PI);
  context.fill();
  const tip = Math.sign(y2 - y1) * 7;
  context.beginPath();
  context.moveTo(x2, y2);
  context.lineTo(x2 - 4, y2 - tip);
  context.lineTo(x2 + 4, y2 - tip);
  context.fill();
}
