// The open connections of live pages (server-sent events), and when they are told.
import type { ServerResponse } from "node:http";
import type { TraceCollector } from "../collector/create-trace-collector.js";
import type { LiveTrace } from "./live-trace.js";

/** Between two patches at least so many milliseconds, and so many times what making the last one took. */
const PATCH_MS = 200;
const REST_FACTOR = 9;
const ALIVE_MS = 15_000;
/** A page that does not take what it is sent is let go; its browser connects again and gets the whole. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

export class EventStreams {
  readonly #live: LiveTrace;
  readonly #open = new Set<ServerResponse>();
  readonly #changed = new Set<number>();
  readonly #stopListening: () => void;
  readonly #alive: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined = undefined;
  #nextAt = 0;

  constructor(live: LiveTrace, collector: TraceCollector) {
    this.#live = live;
    this.#stopListening = collector.subscribe((key) => {
      this.#changed.add(key);
      this.#plan();
    });
    this.#alive = setInterval(() => this.#sendAll(": alive\n\n"), ALIVE_MS);
    this.#alive.unref();
  }

  add(response: ServerResponse): void {
    response.on("close", () => this.#open.delete(response));
    for (const key of this.#live.untold()) this.#changed.add(key);
    if (this.#changed.size > 0) this.#tell(); // so that what the new page gets is what the others have
    this.#open.add(response);
    send(response, message(this.#live.whole()));
    this.#plan();
  }

  close(): void {
    this.#stopListening();
    clearInterval(this.#alive);
    clearTimeout(this.#timer);
    for (const response of this.#open) response.end();
    this.#open.clear();
  }

  #plan(): void {
    if (this.#timer !== undefined || this.#open.size === 0 || this.#changed.size === 0) return;
    const waitMs = Math.max(PATCH_MS, this.#nextAt - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, waitMs);
    this.#timer.unref();
  }

  #tell(): void {
    const startedAt = performance.now();
    try {
      const patch = this.#live.news(this.#changed);
      this.#sendAll(message(patch));
    } catch (error) {
      console.error("nestcall: pages that show calls could not be told of some:", error); // the program goes on
    }
    this.#changed.clear();
    const now = performance.now();
    this.#nextAt = now + REST_FACTOR * (now - startedAt);
  }

  #sendAll(text: string): void {
    for (const response of this.#open) send(response, text);
  }
}

/** JSON has no line ends outside of its texts, and escapes those inside. */
function message(json: string): string {
  return `event: patch\ndata: ${json}\n\n`;
}

function send(response: ServerResponse, text: string): void {
  if (response.writableLength > MAX_PENDING_BYTES) response.destroy();
  else response.write(text);
}
