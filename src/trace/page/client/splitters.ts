// The borders between the parts of the page, which can be moved.
import { byId } from "./dom.js";

const STEP_PX = 24;
const LEAST_PX = 160;

/** @param isUpright - It stands between left and right. */
export function makeSplitter(id: string, property: string, isUpright: boolean): void {
  const splitter = byId(id);
  const main = splitter.parentElement as HTMLElement;
  const place = (px: number) => {
    const box = main.getBoundingClientRect();
    const most = (isUpright ? box.width : box.height) - LEAST_PX;
    const shown = Math.round(Math.min(Math.max(LEAST_PX, px), Math.max(LEAST_PX, most)));
    main.style.setProperty(property, `${shown}px`);
    splitter.setAttribute("aria-valuenow", String(shown));
  };
  const current = () => {
    const before = splitter.previousElementSibling as HTMLElement;
    return isUpright ? before.offsetWidth : before.offsetHeight;
  };
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  splitter.addEventListener("pointermove", (event) => {
    if (!splitter.hasPointerCapture(event.pointerId)) return;
    const box = main.getBoundingClientRect();
    place(isUpright ? event.clientX - box.left : event.clientY - box.top);
  });
  splitter.addEventListener("keydown", (event) => {
    const [less, more] = isUpright ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    place(current() + (event.key === more ? STEP_PX : -STEP_PX));
  });
}
