// The way to a server that is a program: one JSON-RPC message a line over its stdin and stdout. The SDK's own transport keeps
// no bound on what it joins for a line of many chunks, knows no process group, and waits for the end of every process
// that holds the pipe.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { safeLine } from "../../errors/safe-text.js";
import { shortenText, thrownText } from "../../errors/text.js";
import { endGroup, unwatchGroup, watchGroup } from "../../file-tools/process-group.js";
import { MCP_LIMITS } from "./limits.js";
import { LineReader } from "./line-reader.js";
import type { McpStdioEntry } from "./mcp-config.js";
import { errorAnswerTo, type MessageWatch } from "./message-watch.js";
import type { TextTail } from "./text-tail.js";

type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** What a server has to leave by itself, once its stdin is closed. */
const LEAVE_WITHIN_MS = 500;
/** What is still in the pipe when a process has ended. */
const DRAIN_WITHIN_MS = 100;
const INHERITED =
  process.platform === "win32" ? ["PATH", "PATHEXT", "SYSTEMROOT", "TEMP", "USERPROFILE"] : ["PATH", "HOME"];

export interface StdioTransportOptions {
  readonly watch: MessageWatch;
  /** Gets what the server writes there. */
  readonly stderr: TextTail;
  /** Hears what went wrong and was got over. */
  readonly onNote: (note: string) => void;
  /** Gets each line on stdout that is no message, made short and harmless. */
  readonly onGarbage: (line: string) => void;
}

export class StdioTransport implements Transport {
  // The client sees by these two names that this is no HTTP.
  readonly stderr: TextTail;
  pid: number | undefined;
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  onmessage?: Transport["onmessage"];
  readonly #entry: McpStdioEntry;
  readonly #watch: MessageWatch;
  readonly #onNote: (note: string) => void;
  readonly #onGarbage: (line: string) => void;
  #process: ServerProcess | undefined;
  #ending: Promise<void> | undefined;
  #isClosed = false;
  #endText: string | undefined;
  #delivered: Promise<void> = Promise.resolve();

  constructor(entry: McpStdioEntry, options: StdioTransportOptions) {
    this.#entry = entry;
    this.stderr = options.stderr;
    this.#watch = options.watch;
    this.#onNote = options.onNote;
    this.#onGarbage = options.onGarbage;
  }

  /** Why there is nobody at the other end any more, as far as it is known. */
  get endText(): string | undefined {
    return this.#endText;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { command, args, cwd, env } = this.#entry;
      const child = spawn(command, [...args], {
        cwd,
        env: { ...inherited(), ...env },
        stdio: ["pipe", "pipe", "pipe"],
        detached: process.platform !== "win32", // a group of its own, which is ended as a whole
        windowsHide: true,
      });
      this.#process = child;
      child.once("spawn", () => {
        this.pid = child.pid;
        if (child.pid !== undefined) watchGroup(child.pid);
        resolve();
      });
      child.once("error", (error: NodeJS.ErrnoException) => {
        this.#endText ??= this.#startProblem(error);
        reject(new Error(this.#endText, { cause: error }));
        void this.#end();
      });
      this.#listen(child);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (stdin === undefined || this.#isClosed || !stdin.writable) throw new Error("Not connected");
    this.#watch.noteSent(message);
    await new Promise<void>((resolve) => {
      stdin.write(`${JSON.stringify(message)}\n`, () => resolve()); // an error of the pipe ends the connection by itself
    });
  }

  close(): Promise<void> {
    return this.#end();
  }

  #listen(child: ServerProcess): void {
    const reader = new LineReader(MCP_LIMITS.messageBytes, {
      onLine: (line) => this.#onLine(line),
      onLongLine: (line) => this.#onLongLine(line),
    });
    child.stdout.on("data", (chunk: Buffer) => reader.add(chunk));
    child.stderr.on("data", (chunk: Buffer) => this.stderr.add(chunk));
    child.once("exit", (code, signal) => {
      this.#endText ??=
        signal === null ? `its process ended with exit code ${code}` : `its process was ended by ${signal}`;
      // Others that it started may hold the pipe for ever, so the end of the pipe is not waited for.
      const drained = sleep(DRAIN_WITHIN_MS, undefined, { ref: false });
      void Promise.race([drained, new Promise((resolve) => child.once("close", resolve))]).then(() => this.#end());
    });
    child.stdout.once("end", () => this.#lost("it closed its stdout"));
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on("error", (error) => this.#lost(`its pipe failed: ${thrownText(error)}`));
    }
  }

  /** An exit follows mostly, and says more. */
  #lost(reason: string): void {
    const timer = setTimeout(() => {
      this.#endText ??= reason;
      void this.#end();
    }, DRAIN_WITHIN_MS);
    timer.unref();
  }

  #onLine(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#note(line);
      return;
    }
    if (typeof message !== "object" || message === null || (message as { jsonrpc?: unknown }).jsonrpc !== "2.0") {
      this.#note(line);
      return;
    }
    this.#deliver(message as JSONRPCMessage); // the client looks at the rest of it
  }

  /**
   * One message after the other: the client handles a notification a turn later than an answer, and would know nothing of
   * the request whose last progress came in one piece with its answer.
   */
  #deliver(message: JSONRPCMessage): void {
    this.#delivered = this.#delivered.then(() => this.#deliverNow(message));
  }

  #deliverNow(message: JSONRPCMessage): void {
    if (this.#isClosed) return;
    try {
      this.onmessage?.(this.#watch.received(message));
    } catch (error) {
      // Nested too deep for the stack, for instance. The request it answers would wait for ever.
      this.onerror?.(error as Error);
      const problem = `the answer cannot be read: ${shortenText(thrownText(error), 200)}`;
      const answer = errorAnswerTo((message as { readonly id?: unknown }).id, problem);
      if (answer !== undefined) this.onmessage?.(answer); // nothing in it is deep
    }
  }

  #onLongLine({ start, end }: { readonly start: string; readonly end: string }): void {
    const size = `${MCP_LIMITS.messageBytes / 2 ** 20} MiB`;
    this.#onNote(`a line of more than ${size} on its stdout was thrown away`);
    const id = /"id":\s*(\d{1,15})\s*[,}]/.exec(end)?.[1] ?? /"id":\s*(\d{1,15})\s*[,}]/.exec(start)?.[1];
    const answer = errorAnswerTo(Number(id), `the answer is longer than ${size}, which is not taken`);
    if (answer !== undefined) {
      this.#deliver(answer);
      return;
    }
    // Nobody can say whose answer it was; who waited for it must not wait on.
    this.#endText ??= `it wrote a line of more than ${size}, which is not taken`;
    void this.#end();
  }

  #note(line: string): void {
    if (line.trim() === "") return;
    const shown = safeLine(shortenText(line, 200));
    this.#onGarbage(shown);
    this.#onNote(`a line on its stdout is no JSON-RPC message: ${shown}`);
  }

  #startProblem(error: NodeJS.ErrnoException): string {
    const { command, cwd } = this.#entry;
    if (error.code !== "ENOENT") return `its command "${command}" cannot be started: ${thrownText(error)}`;
    const where = cwd === undefined ? "on the PATH" : `on the PATH, or its cwd "${cwd}" does not exist`;
    return `its command "${command}" is not to be found ${where}; install it, or write its whole path`;
  }

  /** Tells the client at once; what is left of the group is ended after that. */
  #end(): Promise<void> {
    if (this.#ending === undefined) {
      this.#ending = this.#endProcess();
      this.#isClosed = true;
      this.onclose?.();
    }
    return this.#ending;
  }

  async #endProcess(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined) return;
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) {
      const left = new Promise((resolve) => child.once("exit", resolve));
      await Promise.race([left, sleep(LEAVE_WITHIN_MS, undefined, { ref: false })]);
    }
    await endGroup(child.pid);
    unwatchGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
    this.pid = undefined;
  }
}

/** DESIGN 8.1: PATH and HOME besides the entry's own variables, and nothing else that this process knows. */
function inherited(): Record<string, string> {
  const known = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(known);
}
