// The parts of Pi that have no meaning without an agent loop, a session file or a screen. They say so when they are used.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import { closestNames } from "../../tools/closest-names.js";
import { callUnheard } from "../unheard.js";
import type { ExtensionEventType } from "./events.js";
import type { ReportFailure } from "./failure-report.js";

/** Called instead of throwing when an extension uses what is not there, with its name, such as `pi.sendMessage`. */
export type MissingHandler = (member: string, message: string) => void;

export const API_METHODS_LEFT_OUT = [
  "registerShortcut",
  "registerFlag",
  "getFlag",
  "registerMessageRenderer",
  "registerMarkdownTransformer",
  "registerEntryRenderer",
  "sendMessage",
  "sendUserMessage",
  "appendEntry",
  "setSessionName",
  "getSessionName",
  "setLabel",
  "getSettings",
  "getCommands",
  "setModel",
  "getThinkingLevel",
  "setThinkingLevel",
  "registerProvider",
  "unregisterProvider",
  "registerMcpServer",
  "unregisterMcpServer",
  "getMcpServers",
  "registerVirtualModel",
  "unregisterVirtualModel",
] as const;

export const CONTEXT_VALUES_LEFT_OUT = ["sessionManager", "modelRegistry", "scopedModels"] as const;
export const CONTEXT_METHODS_LEFT_OUT = [
  "isIdle",
  "isProjectTrusted",
  "abort",
  "hasPendingMessages",
  "shutdown",
  "getContextUsage",
  "compact",
  "getSystemPrompt",
  "getSystemPromptOptions",
  "waitForIdle",
  "newSession",
  "fork",
  "navigateTree",
  "switchSession",
  "reload",
] as const;

const EVENTS_LEFT_OUT: readonly string[] = [
  "project_trust",
  "resources_discover",
  "mcp_servers_change",
  "session_info_changed",
  "session_before_switch",
  "session_before_fork",
  "session_before_compact",
  "session_compact",
  "session_compact_failed",
  "session_before_tree",
  "session_tree",
  "context",
  "context_with_system",
  "cache_warming_decision",
  "before_provider_request",
  "before_provider_headers",
  "after_provider_response",
  "provider_stream_event",
  "before_agent_start",
  "agent_start",
  "agent_end",
  "agent_before_settle",
  "agent_settled",
  "ui_prompt_start",
  "ui_prompt_end",
  "turn_start",
  "turn_end",
  "message_start",
  "message_update",
  "message_end",
  "model_select",
  "thinking_level_select",
  "user_bash",
  "input",
];
const EVENTS = [
  "tool_call",
  "tool_result",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "session_start",
  "session_shutdown",
] as const satisfies readonly ExtensionEventType[];

/** Says that a member is not there. */
export class Missing {
  readonly #handler: MissingHandler | undefined;

  readonly #report: ReportFailure;

  constructor(handler: MissingHandler | undefined, report: ReportFailure) {
    this.#handler = handler;
    this.#report = report;
  }

  /** @throws NestcallError `INVALID_ARGUMENTS`, unless there is a handler. */
  report(member: string): undefined {
    const message =
      `${member} is not there: nestcall runs a Pi extension's tools and the handlers around them, without an agent loop, ` +
      "a session file or a screen. Take it out, or give createPiExtensionHost a `missing` function to go on without it.";
    if (this.#handler === undefined) throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
    const answer: unknown = this.#handler(member, message); // what it throws is the extension's to hear
    const failed = (error: unknown) => this.#report({ extension: "(any)", event: `missing ${member}`, error });
    callUnheard(() => answer, failed);
    return undefined;
  }

  /** Whether handlers of this event are ever called here; an event that nobody knows is an error in any case. */
  hasEvent(type: unknown): type is ExtensionEventType {
    if ((EVENTS as readonly unknown[]).includes(type)) return true;
    if (EVENTS_LEFT_OUT.includes(type as string)) {
      this.report(`pi.on("${type}")`);
      return false;
    }
    const [close] = typeof type === "string" ? closestNames(type, EVENTS, 1) : [];
    const hint = close === undefined ? `Known are ${EVENTS.join(", ")}.` : `Did you mean "${close}"?`;
    throw new NestcallError(
      ErrorCode.INVALID_ARGUMENTS,
      `pi.on takes the name of an event; it got ${describeValue(type)}. ${hint}`,
    );
  }

  /** Puts functions that report themselves on an object. */
  addMethods(target: object, owner: string, names: readonly string[]): void {
    for (const name of names) {
      const value = () => this.report(`${owner}.${name}`);
      Object.defineProperty(target, name, { value, configurable: true });
    }
  }

  addValues(target: object, owner: string, names: readonly string[]): void {
    for (const name of names) {
      Object.defineProperty(target, name, { get: () => this.report(`${owner}.${name}`), configurable: true });
    }
  }
}
