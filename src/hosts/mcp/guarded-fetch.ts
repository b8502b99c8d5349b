// `fetch` with a bound on what one message may weigh: a body of JSON as a whole, of a stream of events each line.
import { MCP_LIMITS } from "./limits.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LINE_FEED = 10;

/** @param fetchFn - Default: the global `fetch`, as it is when it is called. */
export function guardedFetch(fetchFn: Fetch = (url, init) => fetch(url, init)): Fetch {
  return async (url, init) => {
    const response = await fetchFn(url, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const isStream = headers.get("content-type")?.toLowerCase().includes("text/event-stream") === true;
    return new Response(body.pipeThrough(isStream ? boundedLines() : boundedBody()), { status, statusText, headers });
  };
}

function boundedBody(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MCP_LIMITS.messageBytes) controller.error(tooLong());
      else controller.enqueue(chunk);
    },
  });
}

function boundedLines(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const last = chunk.lastIndexOf(LINE_FEED);
      bytes = last < 0 ? bytes + chunk.length : chunk.length - last - 1;
      if (bytes > MCP_LIMITS.messageBytes) controller.error(tooLong());
      else controller.enqueue(chunk);
    },
  });
}

function tooLong(): Error {
  return new Error(`the answer is longer than ${MCP_LIMITS.messageBytes / 2 ** 20} MiB, which is not taken`);
}
