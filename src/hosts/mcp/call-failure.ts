// What became of a call that did not come to a result: a broken way to the server is thrown, marked as such; what the
// server said of the call is a text that the model can act on (E11 to E13).
import { safeLine } from "../../errors/safe-text.js";
import { shortenText, thrownText } from "../../errors/text.js";
import { markTransportFailure } from "../../errors/transport-failure.js";
import type { ToolReturn } from "../../tools/tool.js";
import { CONNECTION_LOST, NO_TOOL_RESULT } from "./message-watch.js";
import type { OpenClient } from "./open-client.js";

export type CallFailure =
  /** The server, or the way to it, is not as it should be; `isDead`: a new connection is needed. */
  | { readonly kind: "transport"; readonly reason: string; readonly isDead: boolean }
  | { readonly kind: "refused"; readonly result: ToolReturn };

const HINT_OF_STATUS: Readonly<Record<number, string>> = {
  401: "; it wants authorization: put it into the entry's headers",
  403: "; it denies access: look at the entry's headers",
};

/** Tells the kinds of failures apart. `server` is the name in the configuration. */
export function failureOf(server: string, { sdk }: OpenClient, error: unknown): CallFailure {
  if (error instanceof sdk.ProtocolError) {
    if (error.data === CONNECTION_LOST) return { kind: "transport", reason: line(error), isDead: true };
    if (error.data === NO_TOOL_RESULT) return refused(noResult(server, error));
    return refused(`The MCP server "${server}" refused the call: ${line(error)} (JSON-RPC error ${error.code}).`);
  }
  if (error instanceof sdk.SdkHttpError) {
    const { status } = error.data;
    const text = statusText(status);
    // 404: it does not know the session any more.
    if (status >= 500 || status === 404) return { kind: "transport", reason: text, isDead: status === 404 };
    return refused(`The MCP server "${server}" refused the call: ${text}.`);
  }
  if (error instanceof sdk.SdkError) {
    const { UnsupportedResultType, InvalidResult, ClientHttpUnexpectedContent } = sdk.SdkErrorCode;
    if (error.code === UnsupportedResultType) {
      return refused(`The MCP server "${server}" asks for input in the middle of a call, which is not supported here.`);
    }
    if (error.code === InvalidResult || error.code === ClientHttpUnexpectedContent) {
      return refused(noResult(server, error));
    }
  }
  return { kind: "transport", reason: connectProblem(error), isDead: true };
}

/** The error that a call throws; the text has one line whatever the server wrote. */
export function transportFailure(server: string, reason: string, cause?: unknown): Error {
  const text = `The MCP server "${safeLine(shortenText(server, 80))}" cannot be used: ${safeLine(reason)}`;
  return markTransportFailure(new Error(text, cause === undefined ? undefined : { cause }));
}

function noResult(server: string, error: unknown): string {
  return `The MCP server "${server}" gave what is no result of a tool: ${line(error)}.`;
}

function refused(text: string): CallFailure {
  return { kind: "refused", result: { content: [{ type: "text", text: safeLine(text) }], isError: true } };
}

/** Why a connection did not come about. What fetch throws says nothing; its innermost cause does. */
export function connectProblem(error: unknown): string {
  const { data } = (error ?? {}) as { readonly data?: { readonly status?: unknown } };
  if (typeof data?.status === "number") return statusText(data.status);
  const text = line(error);
  if (!/\bfetch failed$/.test(text)) return text;
  let cause: unknown = error;
  for (let depth = 0; depth < 5 && cause instanceof Error && cause.cause !== undefined; depth += 1) cause = cause.cause;
  return cause === error ? text : `${text} (${line(cause)})`;
}

function statusText(status: number): string {
  return `it answered with HTTP ${status}${HINT_OF_STATUS[status] ?? ""}`;
}

function line(error: unknown): string {
  return safeLine(shortenText(thrownText(error), 300)).replace(/\.$/, "");
}
