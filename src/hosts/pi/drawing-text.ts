// Drawings as text for Pi's screen, and components of Pi as text for everything else.

import { safeText } from "../../errors/safe-text.js";
import { describeValue } from "../../errors/text.js";
import type { Drawing, DrawingTone, TableDrawing, TreeDrawing } from "../../tools/drawing.js";
import type { Component, Theme } from "./component.js";

/** How wide a component is drawn where nobody knows the screen. */
const COLUMNS = 120;

/** A theme without colours. */
export const PLAIN_THEME: Theme = Object.freeze({
  fg: (_color: string, text: string) => text,
  bg: (_color: string, text: string) => text,
  bold: (text: string) => text,
  italic: (text: string) => text,
  underline: (text: string) => text,
});

/** @throws TypeError for what is no component: Pi's screen would fail on it as well. */
export function componentText(component: unknown): string {
  const { render } = (component ?? {}) as Partial<Component>;
  if (typeof render !== "function") {
    throw new TypeError(`A renderer must give a component such as new Text(…); it gave ${describeValue(component)}.`);
  }
  const lines = (component as Component).render(COLUMNS);
  return safeText(lines.map((line) => line.trimEnd()).join("\n"));
}

/** Colours of Pi's theme. */
const COLORS: Readonly<Record<Exclude<DrawingTone, "plain">, string>> = {
  muted: "muted",
  accent: "accent",
  success: "success",
  warning: "warning",
  error: "error",
};

/** Lines of text; what a terminal would obey in what was drawn is taken out before the theme's own colours come in. */
export function drawingText(drawing: Drawing, theme: Theme): string {
  switch (drawing.type) {
    case "text":
      return toned(drawing.text, drawing.tone, theme);
    case "markdown":
      return safeText(drawing.text);
    case "diff":
      return diffText(drawing.text, drawing.path, theme);
    case "table":
      return tableText(drawing, theme);
    case "image":
      return toned(`[${drawing.alternative ?? `image ${drawing.mimeType}`}]`, "muted", theme);
    case "tree":
      return treeText(drawing, theme).join("\n");
    case "stack":
      return drawing.items.map((item) => drawingText(item, theme)).join("\n");
    default:
      return drawing satisfies never;
  }
}

function toned(text: string, tone: DrawingTone | undefined, theme: Theme): string {
  const safe = safeText(text);
  if (tone === undefined || tone === "plain") return safe;
  return safe
    .split("\n")
    .map((line) => theme.fg(COLORS[tone], line))
    .join("\n");
}

function diffText(diff: string, path: string | undefined, theme: Theme): string {
  const tones: Readonly<Record<string, DrawingTone>> = { "+": "success", "-": "error", "@": "muted" };
  const lines = diff.split("\n").map((line) => toned(line, tones[line[0] ?? ""], theme));
  return [...(path === undefined ? [] : [toned(path, "accent", theme)]), ...lines].join("\n");
}

function tableText({ columns, rows }: TableDrawing, theme: Theme): string {
  const all = [columns, ...rows].map((row) => row.map((cell) => safeText(cell).replaceAll("\n", " ")));
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return lines.map((line, index) => (index === 0 ? theme.bold(line) : line)).join("\n");
}

function treeText({ label, tone, children }: TreeDrawing, theme: Theme): string[] {
  const below = children.flatMap((child, index) => {
    const isLast = index === children.length - 1;
    const [first = "", ...rest] = treeText(child, theme);
    return [`${isLast ? "└─ " : "├─ "}${first}`, ...rest.map((line) => `${isLast ? "   " : "│  "}${line}`)];
  });
  return [toned(label, tone, theme), ...below];
}
