// What Pi's handlers and tools get as `ctx`: the part of it that has a meaning without an agent loop and a screen.
import type { AgentToolCallOutcome, AgentToolUpdateCallback, CallableTool } from "./tool-definition.js";

/** `tui` and `rpc` can ask a person; `json` and `print` cannot. */
export type ExtensionMode = "tui" | "rpc" | "json" | "print";

export interface ExtensionUIDialogOptions {
  /** Takes the question back. */
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
}

/** How a person is asked and told. Without one, questions are answered with no and notes go nowhere, as in Pi's print mode. */
export interface ExtensionUIContext {
  select(title: string, options: string[], opts?: ExtensionUIDialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, opts?: ExtensionUIDialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, opts?: ExtensionUIDialogOptions): Promise<string | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
  setStatus(key: string, text: string | undefined): void;
}

export interface ExtensionContext {
  readonly ui: ExtensionUIContext;
  readonly mode: ExtensionMode;
  /** Whether somebody can be asked. */
  readonly hasUI: boolean;
  readonly cwd: string;
  /** Of the call that the handler or tool belongs to; `undefined` where there is none. */
  readonly signal: AbortSignal | undefined;
}

export interface ExecuteToolOptions {
  /** Aborts this call and what it calls, besides the calling tool's own signal, which always does. */
  signal?: AbortSignal | undefined;
  onUpdate?: AgentToolUpdateCallback | undefined;
}

/** What a running tool gets. */
export interface ExtensionToolContext extends ExtensionContext {
  /** What `executeTool` can reach now. */
  readonly tools: readonly CallableTool[];
  /** Calls another tool as the model would: checked, guarded, recorded. Resolves to an outcome, whatever happens. */
  executeTool(name: string, args: unknown, options?: ExecuteToolOptions): Promise<AgentToolCallOutcome>;
}

/** What a command gets. */
export type ExtensionCommandContext = ExtensionContext;
