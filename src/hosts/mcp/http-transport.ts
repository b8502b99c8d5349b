// The way to a server at an address: the SDK's streamable HTTP, with what it leaves open. A stream that ends without the
// answer fails the request that waits for it, and no message is without bound.
import type {
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { guardedFetch } from "./guarded-fetch.js";
import type { McpHttpEntry } from "./mcp-config.js";
import { CONNECTION_LOST, errorAnswerTo, type MessageWatch } from "./message-watch.js";

/** A call on a dead server fails within two seconds: two tries to get its stream again, and no more. */
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 750,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
};
/** What a server has to hear that the session is over. */
const GOODBYE_WITHIN_MS = 1_000;

export class HttpTransport implements Transport {
  readonly hasPerRequestStream = true;
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  onmessage?: Transport["onmessage"];
  readonly #inner: StreamableHTTPClientTransport;
  readonly #watch: MessageWatch;
  #isClosed = false;
  #refusal: string | undefined;
  #endText: string | undefined;

  constructor(entry: McpHttpEntry, Inner: typeof StreamableHTTPClientTransport, watch: MessageWatch) {
    this.#watch = watch;
    this.#inner = new Inner(new URL(entry.url), {
      fetch: guardedFetch((reason, method) => this.#refused(reason, method)),
      requestInit: { headers: { ...entry.headers } },
      reconnectionOptions: RECONNECTION,
    });
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => this.onmessage?.(watch.received(message));
  }

  /** Why this side ended the connection. */
  get endText(): string | undefined {
    return this.#endText;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const { id } = message as { readonly id?: unknown };
    const forget = () => this.#watch.forget(id);
    this.#watch.noteSent(message);
    options.requestSignal?.addEventListener("abort", forget, { once: true });
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      this.#answerForLost(id);
    };
    try {
      // The SDK's two types of these options differ in whether they may be undefined.
      type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];
      await this.#inner.send(message, { ...options, onRequestStreamEnd } as SendOptions);
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Whoever waits for an answer that will not come is told. */
  #answerForLost(id: unknown): void {
    if (!this.#watch.isWaiting(id)) return;
    const reason = this.#refusal ?? "the connection ended before the answer came";
    this.#refusal = undefined;
    const answer = errorAnswerTo(id, reason, CONNECTION_LOST);
    if (answer !== undefined) this.onmessage?.(this.#watch.received(answer));
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  /** A stream that was asked for by itself would be asked for again and again, to the same end. */
  #refused(reason: string, method: string): void {
    this.#refusal = reason;
    if (method === "POST") return;
    this.#endText = reason;
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.sessionId !== undefined) {
      const goodbye = this.#inner.terminateSession().catch(() => {}); // a server that is gone needs none
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, GOODBYE_WITHIN_MS);
      });
      await Promise.race([goodbye, late]);
      clearTimeout(timer);
    }
    await this.#inner.close();
  }
}
