// From Node's requests to those of the web, and back. A client that goes away is noticed at once, also while an answer waits
// for something to say.
import type { IncomingMessage, ServerResponse } from "node:http";
import { toWebRequest } from "@modelcontextprotocol/node";
import { thrownText } from "../../../../errors/text.js";
import { MCP_LIMITS } from "../../limits.js";
import type { HttpGuard } from "./http-guard.js";
import { jsonRpcError } from "./json-rpc-error.js";
import { refused } from "./refused.js";

export interface NodeListenerOptions {
  readonly guard: HttpGuard;
  readonly answer: (request: Request) => Promise<Response>;
  readonly log: (line: string) => void;
}

export function nodeListener({ guard, answer, log }: NodeListenerOptions) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) gone.abort(new Error("the client has gone"));
    });
    try {
      const { method } = incoming;
      const { host = null, origin = null, authorization = null } = incoming.headers;
      const refusal = guard({ method, host, origin, authorization }); // before anything of the body is read
      const response = refusal === undefined ? await answerOf(incoming, gone.signal, answer) : refused(refusal);
      await write(response, outgoing, gone.signal);
    } catch (error) {
      if (!gone.signal.aborted) log(`An HTTP request could not be answered: ${thrownText(error)}`);
      outgoing.destroy();
    }
  };
}

async function answerOf(
  incoming: IncomingMessage,
  signal: AbortSignal,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  let request: Request;
  try {
    // The SDK's type leaves out that `method` and `url` may be undefined, which it deals with.
    const given = incoming as Parameters<typeof toWebRequest>[0];
    request = await toWebRequest(given, undefined, { signal, maxRequestBodySize: MCP_LIMITS.messageBytes });
  } catch (error) {
    if ((error as { readonly status?: unknown } | null)?.status !== 413) throw error;
    return jsonRpcError(413, -32_000, thrownText(error), { connection: "close" });
  }
  return answer(request);
}

async function write(response: Response, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders(); // a stream may have nothing to say for long, and its client waits to hear that it is there
  const reader = response.body?.getReader();
  const stop = () => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      if (signal.aborted) return;
      if (!outgoing.write(part.value)) await drained(outgoing);
    }
    outgoing.end();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
  });
}
