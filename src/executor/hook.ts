// What hooks get and give (H1 to H5). A hook is a stage that users write.

import type { Usage } from "../records/usage.js";
import type { Access, AccessRestriction } from "../tools/access.js";
import type { ContentBlock, Tool, ToolResult } from "../tools/tool.js";
import type { ToolSession } from "../tools/tool-session.js";

/** Who made a call. */
export type CallSource = "model" | "tool" | "codemode";

/** The root call that a call belongs to, as it stands at this moment. */
export interface RootCallInfo {
  readonly toolCallId: string;
  /** Which of the root call's nested calls this is, at every depth, in the order in which they were made, from 1. */
  readonly calls: number;
  /** Usage of every call that has settled below the root. */
  readonly usage: Usage | undefined;
  /** Milliseconds since the root call was made, without the time in which a person was asked. */
  readonly elapsedMs: number;
}

export interface CallHookEvent {
  readonly toolCallId: string;
  readonly parentToolCallId: string | undefined;
  readonly toolName: string;
  readonly tool: Tool;
  /** As the caller gave them; frozen. */
  readonly originalArguments: unknown;
  readonly depth: number;
  readonly source: CallSource;
  readonly signal: AbortSignal;
  readonly rootCall: RootCallInfo;
  /** Whose call it is. */
  readonly session: ToolSession;
  /** What the call may do at this moment. */
  access(): Access;
}
/** Before anything happens. Runs for every call at every depth; what it throws, or a hang beyond `hookTimeoutMs`, blocks. */
export interface ToolCallHookEvent extends CallHookEvent {
  /** The repaired arguments, with the patches of earlier handlers. May be changed in place, or replaced. */
  input: unknown;
  /** Tells those who draw that the call waits for a person. Until this handler answers, no limit of time runs. */
  reportWait(reason: "approval"): void;
}
/** Inside the lease of the files, right before the tool runs. */
export interface BeforeMutationHookEvent extends CallHookEvent {
  /** The arguments as they will run. */
  readonly input: unknown;
  /** The physical names of the declared files, in their order. */
  readonly paths: readonly string[];
}
/** After the tool; blocked, unknown, invalid, timed-out and aborted calls do not come here. */
export interface ToolResultHookEvent extends CallHookEvent {
  /** The arguments as they ran. */
  readonly input: unknown;
  /** With the patches of earlier handlers. */
  readonly result: ToolResult;
}

export interface BlockDecision {
  readonly block: boolean;
  /** Told to the caller. */
  readonly reason?: string;
  /** The agent may skip its follow-up. */
  readonly terminate?: boolean;
}
export interface ToolCallDecision extends Partial<BlockDecision> {
  /** Replaces the arguments. */
  readonly input?: unknown;
  /** Takes away from what this call and all below it may do; nothing gives it back. */
  readonly access?: AccessRestriction;
}
/** Content without structuredContent drops the structured content (H4). */
export interface ToolResultPatch {
  readonly content?: readonly ContentBlock[];
  readonly details?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly usage?: Usage;
  readonly terminate?: boolean;
}

// biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing
type Maybe<T> = T | undefined | void | Promise<T | undefined | void>;
export type ToolCallHook = (event: ToolCallHookEvent) => Maybe<ToolCallDecision>;
export type BeforeMutationHook = (event: BeforeMutationHookEvent) => Maybe<Partial<BlockDecision>>;
export type ToolResultHook = (event: ToolResultHookEvent) => Maybe<ToolResultPatch>;

export interface HookTypes {
  readonly tool_call: ToolCallHook;
  readonly before_mutation: BeforeMutationHook;
  readonly tool_result: ToolResultHook;
}

/** The handlers of each kind, in the order of registration. */
export class Hooks {
  // Replaced, never changed: a call goes on with the handlers that it began with.
  #toolCall: readonly ToolCallHook[] = [];
  #beforeMutation: readonly BeforeMutationHook[] = [];
  #toolResult: readonly ToolResultHook[] = [];

  get toolCall(): readonly ToolCallHook[] {
    return this.#toolCall;
  }
  get beforeMutation(): readonly BeforeMutationHook[] {
    return this.#beforeMutation;
  }
  get toolResult(): readonly ToolResultHook[] {
    return this.#toolResult;
  }

  add<K extends keyof HookTypes>(type: K, handler: HookTypes[K]): () => void {
    const own = ((event: never) => handler(event)) as HookTypes[K]; // one function may be registered twice
    this.#set(type, [...this.#get(type), own]);
    return () =>
      this.#set(
        type,
        this.#get(type).filter((other) => other !== own),
      );
  }

  #get<K extends keyof HookTypes>(type: K): readonly HookTypes[K][] {
    const all = { tool_call: this.#toolCall, before_mutation: this.#beforeMutation, tool_result: this.#toolResult };
    return all[type] as unknown as readonly HookTypes[K][]; // the list of this type
  }

  #set<K extends keyof HookTypes>(type: K, handlers: readonly HookTypes[K][]): void {
    if (type === "tool_call") this.#toolCall = handlers as readonly ToolCallHook[];
    else if (type === "before_mutation") this.#beforeMutation = handlers as readonly BeforeMutationHook[];
    else this.#toolResult = handlers as readonly ToolResultHook[];
  }
}
