// The colours of the style sheet, for the canvases.
import type { TraceStatus } from "../../trace.js";

export interface Palette {
  readonly status: Readonly<Record<TraceStatus, string>>;
  readonly tint: Readonly<Record<TraceStatus, string>>;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly stripe: string;
  readonly panel: string;
  readonly accent: string;
}

const NAMES: readonly TraceStatus[] = ["ok", "blocked", "error", "aborted", "unfinished", "unknown"];

/** As they are at this moment; they change with the theme. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const ofStatuses = (suffix: string) =>
    Object.fromEntries(NAMES.map((name) => [name, color(`--${name}${suffix}`)])) as Record<TraceStatus, string>; // one each
  return {
    status: ofStatuses(""),
    tint: ofStatuses("-tint"),
    ink: color("--ink"),
    muted: color("--muted"),
    line: color("--line"),
    stripe: color("--stripe"),
    panel: color("--panel"),
    accent: color("--accent"),
  };
}
