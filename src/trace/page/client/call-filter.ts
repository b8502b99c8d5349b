// Which calls are looked for.
import { shortFields, shortJson } from "../../../tools/short-json.js";
import type { TraceStatus } from "../../trace.js";
import type { PageCall } from "../page-data.js";

export interface CallFilter {
  readonly text: string;
  /** Empty: all. */
  readonly statuses: ReadonlySet<TraceStatus>;
  readonly tool: string | undefined;
  readonly depth: number | undefined;
}

export const NO_FILTER: CallFilter = { text: "", statuses: new Set(), tool: undefined, depth: undefined };

export function isFiltering({ text, statuses, tool, depth }: CallFilter): boolean {
  return text !== "" || statuses.size > 0 || tool !== undefined || depth !== undefined;
}

/** A test for calls; every word of the text has to be in what a call says. */
export function filterTest({ text, statuses, tool, depth }: CallFilter): (call: PageCall) => boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return (call) =>
    (statuses.size === 0 || statuses.has(call.status)) &&
    (tool === undefined || (call.name ?? "") === tool) &&
    (depth === undefined || call.depth === depth) &&
    (words.length === 0 || words.every((word) => searchText(call).includes(word)));
}

const SEARCH_CHARS = 20_000;
const texts = new WeakMap<PageCall, string>();

/** Put together when somebody searches, and kept. */
function searchText(call: PageCall): string {
  const known = texts.get(call);
  if (known !== undefined) return known;
  const parts = [call.id, call.name, call.code, call.status === "error" ? "failed" : call.status, call.error?.text];
  const args = call.arguments === undefined ? (call.argumentsText?.text ?? "") : jsonText(call.arguments);
  const waits = (call.waits ?? []).map(({ paths = [], heldBy = "" }) => `${paths.join(" ")} ${heldBy}`);
  const all = [...parts, args, call.result?.text, ...waits].map((part) => (part ?? "").slice(0, SEARCH_CHARS));
  const text = all.join("\n").toLowerCase();
  texts.set(call, text);
  return text;
}

function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

const LINE_CHARS = 240;

/** What a call was called with, on one line. */
export function summaryOf({ line, name = "", arguments: args, argumentsText, argumentsBytes }: PageCall): string {
  if (line !== undefined) return line.startsWith(`${name} `) ? line.slice(name.length + 1) : line;
  if (argumentsText !== undefined) return argumentsText.text.slice(0, LINE_CHARS);
  if (args === undefined) return argumentsBytes === undefined ? "" : "(arguments not kept)";
  const isFields = typeof args === "object" && args !== null && !Array.isArray(args);
  return isFields ? shortFields(args, LINE_CHARS) : shortJson(args, LINE_CHARS);
}
