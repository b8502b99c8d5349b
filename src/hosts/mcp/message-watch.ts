// What passes on a connection, seen from below the SDK: the requests that wait for an answer, and the tools of a list as
// the server sent them. The SDK refuses a whole list for one bad tool.
import type { JSONRPCMessage } from "@modelcontextprotocol/client";

type Fields = { readonly [field: string]: unknown };

/** In the error of a request whose connection broke; no server can send it. */
export const CONNECTION_LOST: object = Object.freeze({});
/** In the error that stands for an answer to a call in which there is no result of a tool; no server can send it. */
export const NO_TOOL_RESULT: object = Object.freeze({});
/** JSON-RPC's code for errors of an implementation's own. */
const OWN_ERROR = -32_000;

export class MessageWatch {
  readonly #waiting = new Map<number, string>();
  #listed: readonly unknown[] | undefined;

  noteSent(message: JSONRPCMessage): void {
    const { id, method } = message as Fields;
    // Lists alone have to be known by their method; other requests only by whether they wait.
    if (typeof id === "number" && typeof method === "string") this.#waiting.set(id, method);
    else if (method === "notifications/cancelled") this.forget(paramsOf(message).requestId);
  }

  /** The message as the SDK may see it. */
  received(message: JSONRPCMessage): JSONRPCMessage {
    const { id, method, result, error } = message as Fields;
    if (typeof id !== "number" || method !== undefined) return message;
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (asked === "tools/call" && error === undefined && isNoToolResult(result)) {
      return errorAnswerTo(id, "there is neither content nor structuredContent in it", NO_TOOL_RESULT) ?? message;
    }
    if (asked !== "tools/list" || typeof result !== "object" || result === null) return message;
    const { tools } = result as Fields;
    if (!Array.isArray(tools)) return message;
    this.#listed = tools;
    return { ...message, result: { ...result, tools: [] } } as JSONRPCMessage; // the same answer but for its tools
  }

  /** Nobody waits for the answer any more. */
  forget(id: unknown): void {
    if (typeof id === "number") this.#waiting.delete(id);
  }

  isWaiting(id: unknown): boolean {
    return typeof id === "number" && this.#waiting.has(id);
  }

  /** The tools of the list that was answered last. */
  takeListed(): readonly unknown[] {
    const listed = this.#listed ?? [];
    this.#listed = undefined;
    return listed;
  }
}

/** The SDK would take it for a result without content, or drop it, and the call would wait. Unfinished ones are its affair. */
function isNoToolResult(result: unknown): boolean {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return true;
  const { content, structuredContent, resultType = "complete" } = result as Fields;
  return content === undefined && structuredContent === undefined && resultType === "complete";
}

function paramsOf(message: JSONRPCMessage): Fields {
  const { params } = message as Fields;
  return typeof params === "object" && params !== null ? (params as Fields) : {};
}

/** The error that stands for an answer which cannot be taken; undefined when it is not known what it answers. */
export function errorAnswerTo(id: unknown, message: string, data?: object): JSONRPCMessage | undefined {
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return undefined;
  return { jsonrpc: "2.0", id, error: { code: OWN_ERROR, message, ...(data === undefined ? {} : { data }) } };
}
