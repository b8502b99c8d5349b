// What a host, a loader or a running tool sees of the registry in one session: only what is in its scope.
import type { Access, AccessRestriction, Identity } from "./access.js";
import type { ToolInfo, ToolNamespace } from "./tool.js";

/** The set of tools that the model is shown has changed: a host may tell the model what came and went. */
export interface ActiveToolsChangedEvent {
  readonly type: "active_tools_changed";
  /** Names, in the order of registration. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
export type ActiveToolsListener = (event: ActiveToolsChangedEvent) => unknown;

export interface NamespaceInfo extends ToolNamespace {
  readonly tools: readonly string[];
}

export interface SearchOptions {
  /** How many at most. Default 10. */
  readonly limit?: number;
  /** Which tools count, of those that are in scope. */
  readonly filter?: (tool: ToolInfo) => boolean;
}
export interface ToolMatch extends ToolInfo {
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

/** What a session is made of. Missing parts give nothing. */
export interface SessionOptions extends AccessRestriction {
  readonly userId?: string;
  readonly platform?: string;
  /**
   * The policy of this moment, asked at each use and taken together with what the session was given: it takes away at once and
   * never adds. `undefined` as an answer revokes everything. What it throws refuses the call.
   */
  readonly live?: () => AccessRestriction | undefined;
  /** Whether the tools of this plugin (the owner they were registered with) may be used here. Default: all. */
  readonly isGranted?: (owner: string, toolName: string) => boolean;
}

/** What a delegated session is given at most; it never gets more than its parent has. */
export interface DelegateOptions extends AccessRestriction {
  readonly isGranted?: (owner: string, toolName: string) => boolean;
}

export interface ToolSession {
  /** What may be done now. */
  access(): Access;
  identity(): Identity;
  /** A session for a child agent: within this one, read-only for good if this one is (E41, E42). */
  delegate(options?: DelegateOptions): ToolSession;
  /** What is in scope, in the order of registration, without hidden tools. */
  getAllTools(): ToolInfo[];
  /** The names that the model is shown. */
  getActiveTools(): string[];
  isActive(name: string): boolean;
  /** Makes exactly these tools active in this session. Names that are unknown here, or hidden, are ignored and given back. */
  setActiveTools(names: readonly string[]): { readonly ignored: readonly string[] };
  /** Makes these active besides those that are. */
  activate(names: readonly string[]): { readonly activated: readonly string[]; readonly ignored: readonly string[] };
  describeNamespace(name: string): NamespaceInfo | undefined;
  /** The tools in scope that fit a text best. */
  searchTools(query: string, options?: SearchOptions): ToolMatch[];
  /** Hears changes of the active set by registration and by activation. Never awaited. */
  subscribe(listener: ActiveToolsListener): () => void;
}
