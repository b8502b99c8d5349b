// What declarations, search and names are made from: the part of a tool that a script's author can read.

/** A tool as a script sees it. `run`'s tools and the registry's `ToolInfo` both fit. */
export interface DeclaredTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments; absent accepts anything. */
  readonly inputSchema?: unknown;
  /** JSON Schema of what a call resolves to; absent means a text, or content blocks. */
  readonly outputSchema?: unknown;
  readonly namespace?: DeclaredNamespace | undefined;
  /** False: callable and found by search, not declared. Default true. */
  readonly listed?: boolean | undefined;
}

interface DeclaredNamespace {
  readonly name: string;
  readonly description?: string | undefined;
  /** Never listed; `describeNamespace` gives them. */
  readonly instructions?: string | undefined;
}

export interface RenderDeclarationsOptions {
  /** Tokens of the whole text, estimated at four characters each. Default 4,000. */
  readonly budgetTokens?: number | undefined;
  /** Tokens of one tool; a tool that stands alone has the whole. Default 400. */
  readonly toolBudgetTokens?: number | undefined;
}

/** One property of `tools` or of a namespace object: its name, and the exact name of the tool that it calls. */
export type ScriptMember = readonly [property: string, toolName: string];

/** Which names a script can use. Plain data, so it can cross into the sandbox. */
export interface ScriptNames {
  /** Of `tools`: exact names first, then aliases. Never `then` or `toJSON`. */
  readonly members: readonly ScriptMember[];
  readonly namespaces: readonly ScriptNamespace[];
  /** Names that cannot be reached as one would expect, one sentence each. */
  readonly warnings: readonly string[];
}

export interface ScriptNamespace {
  readonly name: string;
  /** The global variable that holds the object; absent when the name is no free identifier. */
  readonly global?: string;
  /** Exact names, aliases, then short forms without the namespace's prefix. */
  readonly members: readonly ScriptMember[];
}

export interface SearchToolsOptions {
  /** At most so many, 1 to 50. Default 8. */
  readonly limit?: number | undefined;
  /** Only tools of this namespace. */
  readonly namespace?: string | undefined;
}

export interface ToolMatch {
  readonly name: string;
  /** The first sentence. */
  readonly description: string;
  readonly namespace?: string;
}

export interface NamespaceDescription {
  readonly name: string;
  readonly description?: string;
  readonly instructions?: string;
  /** Exact names, in the order of declaration. */
  readonly tools: readonly string[];
}
