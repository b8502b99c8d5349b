// A tree with its branches. Where the branches would leave no room for the labels, what is below is counted.
import type { TreeDrawing } from "../tools/drawing.js";
import { harmlessLines } from "./harmless-text.js";
import { type Line, line, wrapLine } from "./text-layout.js";

/** Columns that a level takes. */
export const BRANCH_COLUMNS = 3;
const MIN_LABEL = 14;

export function treeLines(tree: TreeDrawing, width: number): Line[] {
  const lines: Line[] = [];
  addNode(tree, { before: "", below: "" }, { width, lines });
  return lines;
}

/** What stands before the first line of a node, and before all others of it. */
interface Branches {
  readonly before: string;
  readonly below: string;
}

function addNode(
  node: TreeDrawing,
  branches: Branches,
  page: { readonly width: number; readonly lines: Line[] },
): void {
  const { children } = node;
  const { below } = branches;
  for (const own of labelLines(node, branches, page.width)) page.lines.push(own);
  if (children.length === 0) return;
  if (page.width - below.length - BRANCH_COLUMNS < MIN_LABEL) {
    page.lines.push(branch(below, line(`└─ … ${countOf(children)} more`, "muted")));
    return;
  }
  for (const [index, child] of children.entries()) {
    const isLast = index === children.length - 1;
    addNode(child, { before: `${below}${isLast ? "└─ " : "├─ "}`, below: `${below}${isLast ? "   " : "│  "}` }, page);
  }
}

function labelLines({ label, tone = "plain", children }: TreeDrawing, { before, below }: Branches, width: number) {
  const beside = `${below}${children.length === 0 ? "   " : "│  "}`;
  const [first = "", ...others] = harmlessLines(label);
  const [head = [], ...rest] = wrapLine(line(first, tone), width - before.length, width - beside.length);
  const further = [...rest, ...others.flatMap((text) => wrapLine(line(text, tone), width - beside.length))];
  return [branch(before, head), ...further.map((own) => branch(beside, own))];
}

function branch(text: string, own: Line): Line {
  return text === "" ? own : [{ text, style: "muted" }, ...own];
}

function countOf(nodes: readonly TreeDrawing[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + countOf(children), 0);
}
