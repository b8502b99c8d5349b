// One server: started when it is first needed, started anew by the next call after it died, ended at the end. Owns the
// connection and what is known of it; the tools are the table's affair.
import { setTimeout as sleep } from "node:timers/promises";
import type { CallToolResult, PriorDiscovery, Progress } from "@modelcontextprotocol/client";
import { safeLine } from "../../errors/safe-text.js";
import { shortenText, thrownText } from "../../errors/text.js";
import type { ToolReturn } from "../../tools/tool.js";
import { connectProblem, failureOf, transportFailure } from "./call-failure.js";
import { MCP_LIMITS } from "./limits.js";
import { admitTools, listTools, type ToolList } from "./list-tools.js";
import type { McpServerEntry } from "./mcp-config.js";
import type { McpServerStatus } from "./mcp-connection.js";
import { type McpTracedCall, type McpTracing, sendTraced, tracedCall } from "./mcp-tracing.js";
import { type OpenClient, openClient } from "./open-client.js";
import { StartBudget } from "./start-budget.js";
import { TextTail } from "./text-tail.js";
import type { McpListedTool } from "./tool-snapshot.js";

export interface ServerLinkOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly log: (line: string) => void;
  readonly tracing: McpTracing | undefined;
  /** The server has said what it offers, at a start or since. */
  readonly onListed: (list: ToolList) => void;
  readonly onChange: () => void;
}

export interface CallRequest {
  readonly tool: McpListedTool;
  readonly args: Record<string, unknown>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Whose request it is. */
  readonly ctx: McpTracedCall;
}

/** The one reason that a server ever hears; the true one may tell what is none of its affair. */
const CANCEL_REASON = "The caller no longer needs the result.";
const LIST_PAUSE_MS = 250;
/** The engine measures the time of calls; the SDK would say why it gave up. */
const NO_TIMEOUT_MS = 2_147_483_647;

export class ServerLink {
  readonly entry: McpServerEntry;
  readonly #options: ServerLinkOptions;
  readonly #budget = new StartBudget();
  readonly #closing = new AbortController();
  #stderr = new TextTail(MCP_LIMITS.stderrBytes);
  #status: McpServerStatus;
  #error: string | undefined;
  #open: OpenClient | undefined;
  #starting: Promise<OpenClient> | undefined;
  #prior: PriorDiscovery | undefined;
  #startMs: number | undefined;
  #listing: Promise<void> | undefined;
  #isListStale = false;
  #garbage: string | undefined;
  readonly #retired = new WeakSet<OpenClient>();
  readonly #ending = new Set<Promise<void>>();

  constructor(entry: McpServerEntry, options: ServerLinkOptions) {
    this.entry = entry;
    this.#options = options;
    this.#status = entry.isDisabled ? "disabled" : "idle";
  }

  /** What the latest process wrote there. */
  get stderr(): TextTail {
    return this.#stderr;
  }
  get status(): McpServerStatus {
    return this.#status;
  }
  get error(): string | undefined {
    return this.#error;
  }
  get startMs(): number | undefined {
    return this.#startMs;
  }
  get open(): OpenClient | undefined {
    return this.#open;
  }

  /**
   * The connection, made if there is none. Everybody who asks meanwhile gets the same.
   *
   * @throws what `transportFailure` makes.
   */
  connected(): Promise<OpenClient> {
    if (this.#open !== undefined) return Promise.resolve(this.#open);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Sends a call, once. @throws the signal's reason, or what `transportFailure` makes. */
  async call(
    open: OpenClient,
    { tool, args, signal, onProgress, ctx }: CallRequest,
  ): Promise<CallToolResult | ToolReturn> {
    const cancelling = new AbortController();
    const cancel = () => cancelling.abort(CANCEL_REASON);
    signal.throwIfAborted();
    signal.addEventListener("abort", cancel, { once: true });
    // The schema is for headers that mirror arguments; the output is checked by the engine.
    const toolDefinition = { name: tool.name, inputSchema: tool.inputSchema as { type: "object" } };
    open.calls += 1;
    try {
      const options = { signal: cancelling.signal, timeout: NO_TIMEOUT_MS, onprogress: onProgress, toolDefinition };
      return await sendTraced(this.#options.tracing, tracedCall(this.entry, tool.name), ctx, (_meta) => {
        const params = { name: tool.name, arguments: args, ...(Object.keys(_meta).length === 0 ? {} : { _meta }) };
        return open.client.callTool(params, options);
      });
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(this.entry.name, open, error);
      if (failure.kind === "refused") return failure.result;
      if (failure.isDead) this.#ended(open, failure.reason);
      // A connection that has ended knows better why.
      throw transportFailure(
        this.entry.name,
        `${open.endReason ?? failure.reason}. The call is not sent again.`,
        error,
      );
    } finally {
      signal.removeEventListener("abort", cancel);
      open.calls -= 1;
      if (open.endReason !== undefined) this.#retire(open);
    }
  }

  async close(): Promise<void> {
    if (this.#status !== "closed") {
      this.#status = "closed";
      this.#closing.abort(transportFailure(this.entry.name, "it was closed."));
      const open = this.#open;
      this.#open = undefined;
      if (open !== undefined) await open.close(); // what still runs on it fails
      this.#options.onChange();
    }
    await this.#starting?.catch(() => {});
    await Promise.all(this.#ending);
  }

  async #start(): Promise<OpenClient> {
    const { name } = this.entry;
    if (this.#status === "closed") throw transportFailure(name, "it was closed.");
    if (this.#status === "disabled")
      throw transportFailure(name, "its entry in the configuration says that it is disabled.");
    const waitMs = this.#budget.take();
    if (waitMs > 0) {
      const last = this.#error === undefined ? "" : ` The last time: ${this.#error}.`;
      const seconds = Math.ceil(waitMs / 1000);
      throw transportFailure(
        name,
        `it was started ${MCP_LIMITS.restarts} times in a minute; the next try is in ${seconds} s.${last}`,
      );
    }
    const startedAt = performance.now();
    this.#set("connecting");
    try {
      const open = await this.#openWithin(this.entry.timeoutMs);
      this.#startMs = Math.round(performance.now() - startedAt);
      return open;
    } catch (error) {
      this.#prior = undefined; // what was agreed on may be why it failed
      if (this.status === "closed") throw this.#closing.signal.reason;
      const reason = this.#withLastWords(connectProblem(error));
      this.#set("failed", reason);
      throw transportFailure(name, `${reason}.`, error);
    }
  }

  /** Rejects as soon as it is too late, or all is closed; what was begun is ended behind that. */
  async #openWithin(timeoutMs: number): Promise<OpenClient> {
    const attempt = new AbortController();
    const late = new Error(`it did not answer within ${timeoutMs} ms (timeoutMs of its entry)`);
    const timer = setTimeout(() => attempt.abort(late), timeoutMs);
    const stop = () => attempt.abort(this.#closing.signal.reason);
    this.#closing.signal.addEventListener("abort", stop, { once: true });
    const stopped = new Promise<never>((_resolve, reject) => {
      attempt.signal.addEventListener("abort", () => reject(attempt.signal.reason), { once: true });
    });
    const opening = this.#openAndList(attempt.signal);
    this.#track(opening.then(() => {}));
    try {
      return await Promise.race([opening, stopped]);
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener("abort", stop);
    }
  }

  async #openAndList(signal: AbortSignal): Promise<OpenClient> {
    const open = await this.#openClient(signal);
    const stop = () => void open.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      const list = admitTools(await listTools(open, { timeoutMs: this.entry.timeoutMs }));
      signal.throwIfAborted();
      this.#open = open;
      this.#options.onListed(list);
      this.#set("connected");
      if (this.#isListStale) this.#listAgain();
      return open;
    } catch (error) {
      const { endReason } = open;
      this.#retire(open);
      throw endReason === undefined ? error : new Error(endReason, { cause: error });
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #openClient(signal: AbortSignal): Promise<OpenClient> {
    const { clientInfo } = this.#options;
    this.#error = undefined;
    this.#isListStale = false;
    this.#garbage = undefined;
    this.#stderr = new TextTail(MCP_LIMITS.stderrBytes);
    const open = await openClient(this.entry, {
      clientInfo,
      stderr: this.#stderr,
      prior: this.#prior,
      signal,
      onNote: (note) => this.#log(note),
      onGarbage: (line) => {
        this.#garbage ??= line;
      },
      onToolsChanged: () => this.#listAgain(),
      onEnd: (reason) => this.#ended(open, reason),
    });
    this.#prior = open.prior;
    return open;
  }

  /** Once more after the list that is being fetched, however often it is asked for meanwhile. */
  #listAgain(): void {
    this.#isListStale = true;
    if (this.#listing !== undefined || this.#status !== "connected") return;
    this.#listing = this.#refresh().finally(() => {
      this.#listing = undefined;
    });
  }

  async #refresh(): Promise<void> {
    while (this.#isListStale && this.#open !== undefined) {
      this.#isListStale = false;
      const open = this.#open;
      try {
        const list = admitTools(await listTools(open, { timeoutMs: this.entry.timeoutMs }));
        if (this.#open !== open) return;
        this.#options.onListed(list);
        this.#options.onChange();
        // A server that tells of changes all the time is not asked all the time.
        if (this.#isListStale) await sleep(LIST_PAUSE_MS, undefined, { ref: false });
      } catch (error) {
        if (this.#open !== open) return; // its end is told elsewhere
        this.#log(`its tools could not be listed again: ${safeLine(shortenText(thrownText(error), 300))}`);
        return;
      }
    }
  }

  /** The other end has gone: new calls get a new connection. Those that still run on this one may come to their end. */
  #ended(open: OpenClient, reason: string): void {
    open.endReason ??= reason;
    if (open.calls === 0) this.#retire(open);
    if (this.#open !== open) return;
    this.#open = undefined;
    this.#set("failed", this.#withLastWords(reason));
  }

  #retire(open: OpenClient): void {
    if (open.calls > 0 || this.#retired.has(open)) return;
    this.#retired.add(open);
    this.#track(open.close());
  }

  /** `close` waits for it. */
  #track(work: Promise<void>): void {
    const ended: Promise<void> = work.then(
      () => void this.#ending.delete(ended),
      () => void this.#ending.delete(ended),
    );
    this.#ending.add(ended);
  }

  #withLastWords(reason: string): string {
    const last = safeLine(shortenText(this.#stderr.lastLine, 200));
    const said = last === "" ? "" : `; its last line on stderr: ${last}`;
    const garbage = this.#garbage === undefined ? "" : `; its stdout has what is no JSON-RPC message: ${this.#garbage}`;
    return `${reason}${said}${garbage}`;
  }

  #set(status: McpServerStatus, error?: string): void {
    if (this.#status === "closed") return;
    this.#status = status;
    this.#error = error;
    if (error !== undefined) this.#log(error);
    this.#options.onChange();
  }

  #log(text: string): void {
    this.#options.log(`MCP server "${safeLine(this.entry.name)}": ${safeLine(text)}`);
  }
}
