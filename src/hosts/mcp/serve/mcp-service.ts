// What all clients of one serveMcp share: the executor and whose tools they see, the calls that run, and those that are
// parked. It knows nothing of wires.

import { safeLine } from "../../../errors/safe-text.js";
import { shortenText, thrownText } from "../../../errors/text.js";
import type { Executor } from "../../../executor/create-executor.js";
import type { ToolSession } from "../../../tools/tool-session.js";
import type { McpTracing } from "../mcp-tracing.js";
import { approvalMessage, originText } from "./approval-form.js";
import { ClientCall, type Visit } from "./client-call.js";
import type { ClientConnection } from "./client-connection.js";
import type { ApprovalDesk, ApprovalQuestion } from "./mcp-approvals.js";
import { ParkedCalls } from "./parked-calls.js";
import { ProgressFeed } from "./progress-feed.js";
import { callName } from "./progress-line.js";

export interface McpServiceOptions {
  readonly executor: Executor;
  readonly session: ToolSession;
  readonly desk: ApprovalDesk;
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions: string | undefined;
  readonly beforeList: (() => unknown) | undefined;
  readonly tracing: McpTracing | undefined;
  readonly log: (line: string) => void;
}

export interface CallRequest {
  readonly id: string | number;
  readonly name: string;
  readonly args: unknown;
  readonly visit: Visit;
}

const MAX_LOG_CHARS = 500;

export class McpService {
  readonly options: McpServiceOptions;
  readonly parked: ParkedCalls;
  readonly progress: ProgressFeed;
  readonly #running = new Map<string, ClientCall>();
  readonly #onToolsChanged = new Set<() => void>();
  readonly #unsubscribe: () => void;
  #isTelling = false;
  #isClosed = false;

  constructor(options: McpServiceOptions) {
    const { executor, session, desk } = options;
    this.options = options;
    this.progress = new ProgressFeed(executor);
    this.parked = new ParkedCalls({ keepMs: desk.answerWithinMs, onExpire: (call) => this.#giveUp(call) });
    this.#unsubscribe = session.subscribe(() => this.#toolsChanged());
  }

  begin(connection: ClientConnection, { id, name, args, visit }: CallRequest): ClientCall {
    const { executor, session, desk } = this.options;
    const callId = this.#uniqueId(connection.callId(id));
    const run = async (signal: AbortSignal) => {
      const batch = await executor.executeBatch([{ id: callId, name, arguments: args }], { signal, session });
      return batch.outcomes[0] as (typeof batch.outcomes)[number]; // one for each call
    };
    let unregister = () => {};
    const call = ClientCall.begin({ id: callId, name, args, visit, run }, (begun) => {
      this.#running.set(callId, begun);
      unregister = desk.register(callId, (question) => this.#ask(begun, question));
    });
    const end = () => {
      unregister();
      this.#running.delete(callId);
    };
    call.outcome.then(end, end);
    connection.add(call);
    if (this.#isClosed) call.abort(closedReason());
    return call;
  }

  /** The client is gone, and with it whoever could have had an answer. */
  endConnection(connection: ClientConnection, reason: string): void {
    this.parked.drop(connection.calls);
    for (const call of connection.calls) call.abort(new Error(reason));
  }

  async prepareList(): Promise<void> {
    try {
      await this.options.beforeList?.();
    } catch (error) {
      this.log(`Tools are listed as they are: ${thrownText(error)}`);
    }
  }

  /** Hears when other tools are shown than before; several changes at once are one. */
  onToolsChanged(listener: () => void): () => void {
    const own = () => listener(); // one function may listen twice
    this.#onToolsChanged.add(own);
    return () => this.#onToolsChanged.delete(own);
  }

  log(line: string): void {
    this.options.log(shortenText(safeLine(line), MAX_LOG_CHARS));
  }

  /** Aborts every call, and waits until all have settled and their answers are on their way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#onToolsChanged.clear();
    const calls = [...this.#running.values()];
    this.parked.drop(new Set(calls));
    for (const call of calls) call.abort(closedReason());
    await Promise.allSettled(calls.map((call) => call.outcome));
    await new Promise((resolve) => setImmediate(resolve));
  }

  async #ask(call: ClientCall, question: ApprovalQuestion): Promise<boolean | undefined> {
    const { desk } = this.options;
    const { toolName, toolCallId, signal } = question.request;
    if (call.isParking && this.parked.size >= desk.maxParked) {
      throw new Error(`${desk.maxParked} calls wait for approval already (maxParked of mcpApprovals)`);
    }
    const message = approvalMessage(question, this.#originOf(toolName));
    return call.ask(message, callName(call.id, toolCallId, toolName), signal);
  }

  #originOf(toolName: string): string {
    const { desk, executor } = this.options;
    const origin = desk.originOf(toolName);
    return originText(origin?.server ?? executor.registry.getMetadata(toolName)?.owner, origin?.tool);
  }

  #giveUp(call: ClientCall): void {
    const seconds = this.options.desk.answerWithinMs / 1_000;
    this.log(`A call of ${call.name} was given up: nobody answered within ${seconds} s whether a tool may run.`);
    call.abort(new Error(`nobody answered within ${seconds} s whether a tool may run`));
  }

  /** A client must not use an id twice while the first call runs; one that does must not reach the first call by it. */
  #uniqueId(wanted: string): string {
    let id = wanted;
    for (let n = 2; this.#running.has(id); n += 1) id = `${wanted}.${n}`;
    return id;
  }

  #toolsChanged(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      for (const listener of [...this.#onToolsChanged]) listener();
    });
  }
}

function closedReason(): Error {
  return new Error("the MCP server was closed");
}
