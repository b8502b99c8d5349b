// Opens a connection to one server: makes the way, agrees on the protocol, and says in one line why it did not work.

import { setTimeout as sleep } from "node:timers/promises";
import type { Client, PriorDiscovery } from "@modelcontextprotocol/client";
import { thrownText } from "../../errors/text.js";
import { HttpTransport } from "./http-transport.js";
import type { McpServerEntry } from "./mcp-config.js";
import { MessageWatch } from "./message-watch.js";
import { StdioTransport } from "./stdio-transport.js";
import type { TextTail } from "./text-tail.js";

type Sdk = typeof import("@modelcontextprotocol/client");

export interface OpenClientOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly stderr: TextTail;
  /** What an earlier connection agreed on; saves the question. */
  readonly prior: PriorDiscovery | undefined;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  readonly onGarbage: (line: string) => void;
  readonly onToolsChanged: () => void;
  /** The connection has ended, for the reason given. Not called for an attempt that failed. */
  readonly onEnd: (reason: string) => void;
}

export interface OpenClient {
  readonly sdk: Sdk;
  readonly client: Client;
  readonly watch: MessageWatch;
  readonly prior: PriorDiscovery;
  /** Of a stdio server that runs. */
  readonly pid: number | undefined;
  /** How many calls run on it. */
  calls: number;
  /** Why it has ended; then no call may begin on it. */
  endReason: string | undefined;
  /** Ends the connection, and the process. */
  close(): Promise<void>;
}

const PROBE_WITHIN_MS = 10_000;
const HTTP_RETRIES = 2;
const RETRY_AFTER_MS = 250;
const LISTEN_AGAIN_AFTER_MS = 5_000;
const MODERN = "2026-07-28";

/** @throws Error whose message is what the server did, to be read after its name. */
export async function openClient(entry: McpServerEntry, options: OpenClientOptions): Promise<OpenClient> {
  const sdk = await import("@modelcontextprotocol/client");
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOpen(sdk, entry, options);
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      if (entry.transport === "stdio" && entry.protocol === "auto" && attempt === 0 && isProbeFailure(sdk, error)) {
        // It left when it was asked what it speaks: that is an answer too.
        return await attemptOpen(sdk, entry, { ...options, prior: { kind: "legacy" } });
      }
      if (attempt >= HTTP_RETRIES || !isWorthARetry(sdk, error)) throw error;
      await sleep(RETRY_AFTER_MS * 2 ** attempt, undefined, { signal: options.signal });
    }
  }
}

async function attemptOpen(sdk: Sdk, entry: McpServerEntry, options: OpenClientOptions): Promise<OpenClient> {
  const watch = new MessageWatch();
  const { stderr, onNote, onGarbage } = options;
  const transport =
    entry.transport === "stdio"
      ? new StdioTransport(entry, { stderr, watch, onNote, onGarbage })
      : new HttpTransport(entry, sdk.StreamableHTTPClientTransport, watch);
  const client = new sdk.Client(options.clientInfo, {
    versionNegotiation: negotiationOf(entry),
    inputRequired: { autoFulfill: false },
  });
  client.onerror = (error) => onNote(thrownText(error));
  client.setNotificationHandler("notifications/tools/list_changed", options.onToolsChanged);
  const stop = () => void transport.close();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const { prior } = options;
    await client.connect(transport, {
      timeout: entry.timeoutMs,
      signal: options.signal,
      ...(prior === undefined ? {} : { prior }),
    });
    options.signal.throwIfAborted();
  } catch (error) {
    const reason = transport.endText;
    await transport.close();
    if (options.signal.aborted || reason === undefined) throw error;
    throw new Error(reason, { cause: error });
  } finally {
    options.signal.removeEventListener("abort", stop);
  }
  client.onclose = () => options.onEnd(transport.endText ?? "the connection was closed");
  if (client.getProtocolEra() === "modern") void keepListening(client, options);
  const discover = client.getDiscoverResult();
  return {
    sdk,
    client,
    watch,
    prior: discover === undefined ? { kind: "legacy" } : { kind: "modern", discover },
    calls: 0,
    endReason: undefined,
    get pid() {
      return transport instanceof StdioTransport ? transport.pid : undefined;
    },
    close: () => transport.close(),
  };
}

/** The newer protocol tells of changes only to those who listen; a stream that ends is opened again. */
async function keepListening(client: Client, { onToolsChanged, onNote }: OpenClientOptions): Promise<void> {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  try {
    while (client.transport !== undefined) {
      const subscription = await client.listen({ toolsListChanged: true });
      if ((await subscription.closed) === "local") return;
      await sleep(LISTEN_AGAIN_AFTER_MS, undefined, { ref: false });
      if (client.transport !== undefined) onToolsChanged(); // nobody told what has changed meanwhile
    }
  } catch (error) {
    if (client.transport !== undefined) onNote(`it does not tell of changes of its tools: ${thrownText(error)}`);
  }
}

function negotiationOf({ protocol, timeoutMs }: McpServerEntry) {
  if (protocol === "legacy") return { mode: "legacy" } as const;
  const mode = protocol === "modern" ? { pin: MODERN } : ("auto" as const);
  return { mode, probe: { timeoutMs: Math.min(timeoutMs, PROBE_WITHIN_MS) } };
}

function isProbeFailure(sdk: Sdk, error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof sdk.SdkError && cause.code === sdk.SdkErrorCode.EraNegotiationFailed;
}

/** A server that is busy, or whose proxy waits for it; only asked while nothing has been called yet. */
function isWorthARetry(sdk: Sdk, error: unknown): boolean {
  if (!(error instanceof sdk.SdkHttpError)) return false;
  const { status } = error.data;
  return status === 408 || status === 429 || status >= 500;
}
