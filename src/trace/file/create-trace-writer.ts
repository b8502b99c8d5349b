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
import { rootIdOf } from "../trace-event.js";
import { FILE_MODE } from "./trace-file.js";
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
  const lines = new TraceLines(createWriteStream(path, { mode: FILE_MODE }), settings);
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

class TraceLines {
  readonly #stream: WriteStream;
  readonly #settings: CollectorSettings;
  /** The open root calls that are written, with how many of their calls have no place. */
  readonly #roots = new Map<string, number>();
  readonly #placeless = new Set<string>();
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
    const { toolCallId, depth, type, timestamp } = event;
    const isStart = type === "tool_execution_start";
    const rootId = rootIdOf(event);
    if (isStart && depth === 0 && this.#settings.isWanted(event)) this.#roots.set(rootId, 0);
    const dropped = this.#roots.get(rootId);
    if (dropped === undefined) return;
    const isEnd = type === "tool_execution_end";
    if (isStart && depth > 0 && this.#bytes > this.#settings.maxBytes) {
      this.#roots.set(rootId, dropped + 1);
      this.#placeless.add(toolCallId);
    } else if (!this.#placeless.has(toolCallId)) this.#add(eventLine(keptEvent(event, this.#settings)));
    else if (isEnd) this.#placeless.delete(toolCallId);
    if (!isEnd || depth > 0) return;
    if (dropped > 0) this.#add(eventLine({ type: "trace_dropped", toolCallId, calls: dropped, timestamp }));
    this.#roots.delete(rootId);
  }

  end(): Promise<void> {
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
    this.#bytes += line.length;
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
