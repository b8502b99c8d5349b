// Writes the events of root calls into a file while they happen, so that a trace is there even when the process is not any
// more. It is an observer: nothing it does changes an outcome (H6).
import { createWriteStream, type WriteStream } from "node:fs";
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import type { ToolExecutionEvent } from "../../executor/tool-execution-event.js";
import {
  type CollectorSettings,
  collectorSettings,
  type TraceCollectorOptions,
} from "../collector/collector-options.js";
import { keptEvent } from "../collector/kept-event.js";
import { PRIVATE_MODE } from "./private-mode.js";
import { eventLine, headerLine } from "./trace-lines.js";

export interface TraceWriterOptions extends Omit<TraceCollectorOptions, "maxRoots" | "maxBytes"> {
  /** Bytes of the file; calls that begin when it is longer are counted instead of written. Default 256 MiB. */
  readonly maxBytes?: number | undefined;
}

export interface TraceWriter {
  /**
   * Stops listening, and resolves when all is in the file.
   *
   * @throws What the file system threw when it could not be written.
   */
  close(): Promise<void>;
}

const OPTIONS = ["roots", "maxBytes", "maxArgumentBytes", "maxResultBytes", "patterns", "replacement"];
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_UNWRITTEN_BYTES = 64 * 1024 * 1024;

/**
 * Writes what happens in an executor from now on as JSON lines, a new file each time. Give it a name that ends in
 * `.nestcall.jsonl`; `readTraceFile` reads it, also when the process died and its last line is torn.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a wrong option.
 */
export function createTraceWriter(
  executor: Pick<Executor, "on" | "subscribe">,
  path: string,
  options: TraceWriterOptions = {},
): TraceWriter {
  if (typeof executor?.subscribe !== "function") throw wrong("an executor first", executor);
  if (typeof path !== "string" || path === "") throw wrong("the path of a file second", path);
  const settings = collectorSettings({ maxBytes: MAX_BYTES, ...options }, OPTIONS);
  const lines = new TraceLines(createWriteStream(path, { mode: PRIVATE_MODE }), settings);
  const stops = [
    executor.subscribe((event) => lines.take(event)),
    executor.on("tool_execution_wait", (event) => lines.take(event)),
  ];
  return Object.freeze({
    close: () => {
      for (const stop of stops) stop();
      return lines.end();
    },
  });
}

interface OpenRoot {
  /** False: the file is full already. */
  readonly isWritten: boolean;
  /** Calls below it that have no place in the file. */
  dropped: number;
}

class TraceLines {
  readonly #stream: WriteStream;
  readonly #settings: CollectorSettings;
  /** The open root calls by their ordinals. */
  readonly #roots = new Map<number, OpenRoot>();
  /** Open calls that have no place, by the ordinals of their root calls and their own. */
  readonly #placeless = new Set<string>();
  /** Calls of root calls that have no place. */
  #lost = 0;
  #pending: string;
  #bytes = 0;
  #failure: Error | undefined = undefined;

  constructor(stream: WriteStream, settings: CollectorSettings) {
    this.#stream = stream;
    this.#settings = settings;
    this.#pending = "";
    stream.on("error", (error) => {
      this.#failure = error;
    });
    this.#add(headerLine(Date.now()));
  }

  take(event: ToolExecutionEvent): void {
    const { depth, type, rootOrdinal } = event;
    if (type === "tool_execution_start" && depth === 0 && this.#settings.isWanted(event))
      this.#roots.set(rootOrdinal, { isWritten: !this.#isFull, dropped: 0 });
    const root = this.#roots.get(rootOrdinal);
    if (root === undefined) return;
    if (root.isWritten) this.#takeOf(root, event);
    else if (type === "tool_execution_start") this.#lost += 1;
    if (type === "tool_execution_end" && depth === 0) this.#roots.delete(rootOrdinal);
  }

  /** Ends of calls that are in the file have their place, without what came back when it is full. */
  #takeOf(root: OpenRoot, event: ToolExecutionEvent): void {
    const { toolCallId, depth, type, timestamp } = event;
    const key = `${event.rootOrdinal}/${event.ordinal}`;
    const isEnd = type === "tool_execution_end";
    if (type === "tool_execution_start" && depth > 0 && this.#isFull) {
      root.dropped += 1;
      this.#placeless.add(key);
    } else if (this.#placeless.has(key)) {
      if (isEnd) this.#placeless.delete(key);
    } else if (!this.#isFull) this.#add(eventLine(keptEvent(event, this.#settings)));
    else if (isEnd) this.#add(eventLine(keptEvent(event, { ...this.#settings, maxResultBytes: 0 })));
    if (isEnd && depth === 0 && root.dropped > 0)
      this.#add(eventLine({ type: "trace_dropped", toolCallId, calls: root.dropped, timestamp }));
  }

  /** A disk that is too slow counts as one that is full. */
  get #isFull(): boolean {
    return this.#bytes > this.#settings.maxBytes || this.#stream.writableLength > MAX_UNWRITTEN_BYTES;
  }

  end(): Promise<void> {
    const lost = { type: "trace_dropped", toolCallId: "", calls: this.#lost, timestamp: Date.now() } as const;
    if (this.#lost > 0) this.#add(eventLine(lost));
    this.#flush();
    return new Promise((resolve, reject) => {
      const done = () => (this.#failure === undefined ? resolve() : reject(this.#failure));
      if (this.#stream.closed) done();
      else this.#stream.once("close", done).end();
    });
  }

  /** Lines of one turn of the event loop are written together. */
  #add(line: string): void {
    if (this.#pending === "") setImmediate(() => this.#flush());
    this.#pending += line;
    this.#bytes += Buffer.byteLength(line);
  }

  #flush(): void {
    if (this.#pending !== "" && this.#stream.writable) this.#stream.write(this.#pending);
    this.#pending = "";
  }
}

function wrong(wanted: string, value: unknown): NestcallError {
  const message = `createTraceWriter takes ${wanted}, not ${describeValue(value)}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
