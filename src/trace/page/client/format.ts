// Numbers in words.
import { STATUS_WORDS } from "../../model/status-words.js";
import type { TraceStatus } from "../../trace.js";

/** In the order in which they are offered. */
export const STATUS_ORDER: readonly TraceStatus[] = ["ok", "blocked", "error", "aborted", "unfinished", "unknown"];

/** Told apart by form too, not by colour alone. */
export const STATUS_MARKS: Readonly<Record<TraceStatus, string>> = {
  ok: "✓",
  blocked: "⊘",
  error: "✕",
  aborted: "■",
  unfinished: "…",
  unknown: "?",
};

/** @param isLive - A call without an end still runs then. */
export function statusWord(status: TraceStatus, isLive = false): string {
  return isLive && status === "unfinished" ? "running" : STATUS_WORDS[status];
}

export function formatMs(ms: number): string {
  if (ms >= 60_000) {
    const seconds = Math.round(ms / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  if (ms >= 1000) return `${fixed(ms / 1000, ms < 10_000 ? 2 : 1)} s`;
  return `${fixed(ms, ms < 1 ? 2 : ms < 10 ? 1 : 0)} ms`;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

/** For a card: `12,345`, `1.2 M`. */
export function formatLarge(count: number): string {
  if (count >= 1e9) return `${fixed(count / 1e9, 1)} G`;
  return count >= 1e6 ? `${fixed(count / 1e6, 1)} M` : formatCount(Math.round(count));
}

export function formatBytes(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${fixed(bytes / 1024 / 1024, 1)} MiB`;
  return bytes >= 1024 ? `${fixed(bytes / 1024, 1)} KiB` : `${formatCount(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function fixed(value: number, digits: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}
