// `fetch` with a bound on what one message may weigh: a body of JSON as a whole, of a stream of events each line.
import { MCP_LIMITS } from "./limits.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LINE_FEED = 10;
const TOO_LONG = `the answer is longer than ${MCP_LIMITS.messageBytes / 2 ** 20} MiB, which is not taken`;

/**
 * @param onRefused - Hears of an answer that was cut off, and of the way it was asked for.
 * @param fetchFn - Default: the global `fetch`, as it is when it is called.
 */
export function guardedFetch(
  onRefused: (reason: string, method: string) => void,
  fetchFn: Fetch = (url, init) => fetch(url, init),
): Fetch {
  return async (url, init) => {
    const response = await fetchFn(url, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const isStream = headers.get("content-type")?.toLowerCase().includes("text/event-stream") === true;
    const refuse = () => onRefused(TOO_LONG, init?.method ?? "GET");
    const bounded = body.pipeThrough(boundedPart(isStream, refuse));
    return new Response(bounded, { status, statusText, headers });
  };
}

function boundedPart(isLine: boolean, refuse: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const last = isLine ? chunk.lastIndexOf(LINE_FEED) : -1;
      bytes = last < 0 ? bytes + chunk.length : chunk.length - last - 1;
      if (bytes <= MCP_LIMITS.messageBytes) {
        controller.enqueue(chunk);
        return;
      }
      refuse();
      controller.error(new Error(TOO_LONG));
    },
  });
}
