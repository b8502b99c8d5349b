// What the tool needs of a runtime: the part of DESIGN 7 that it uses.
import type { DeclaredTool } from "../declarations/declared-tool.js";
import type { MadeCall } from "./make-call.js";

/** An item that a script printed, in order. */
export type ScriptOutput =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "console"; readonly level?: string | undefined; readonly text: string };

export interface ScriptError {
  readonly name: string;
  readonly message: string;
  readonly line?: number | undefined;
  readonly stack?: string | undefined;
  readonly limit?: string | undefined;
}
export interface ScriptCallReport {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly durationMs?: number | undefined;
}
export interface ScriptStoreWrites {
  readonly set: Readonly<Record<string, unknown>>;
  readonly delete: readonly string[];
}
/** How a script ended. */
export interface ScriptRun {
  readonly status: string;
  readonly value?: unknown;
  readonly error?: ScriptError | undefined;
  readonly output: readonly ScriptOutput[];
  readonly warnings: readonly string[];
  readonly calls: readonly ScriptCallReport[];
  readonly storeWrites: ScriptStoreWrites;
  readonly timings: { readonly cpuMs: number; readonly wallMs: number; readonly queuedMs: number };
}

export type ScriptLimits = Readonly<Record<string, number | undefined>>;
export interface ScriptJournal extends Iterable<unknown> {
  push(entry: unknown): unknown;
}
export interface ScriptRunOptions {
  readonly tools: readonly DeclaredTool[];
  readonly callTool: (name: string, args: unknown, call: MadeCall) => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly store: Readonly<Record<string, unknown>>;
  readonly limits?: ScriptLimits;
  readonly journal?: ScriptJournal;
}
export interface ScriptRuntime {
  run(source: string, options: ScriptRunOptions): Promise<ScriptRun>;
}
