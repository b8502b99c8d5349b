// What the host and a worker say to each other. Both sides name the run; what belongs to a run that is over is dropped.
import type { DeclaredTool } from "./declarations/declared-tool.js";
import type { CodemodeLimits } from "./limits.js";
import type { CodemodeConsoleLine, CodemodeError, CodemodeLimitName, CodemodeOutputItem } from "./run-types.js";
import type { WasmModule } from "./vm/wasm-exports.js";

/** Goes into the first entry of a journal; a journal of another one is not replayed. */
export const PROTOCOL = "nestcall-codemode/1";

/** A text, or its UTF-8 bytes, whose buffer is transferred. */
export type Payload = string | Uint8Array<ArrayBuffer>;

/** How a payload is to be read. */
export const ABSENT = 0;
export const JSON_TEXT = 1;
export const PLAIN_TEXT = 2;
/** JSON of `{ name?, message, code?, details? }`. */
export const FAILURE = 3;

export interface WorkerData {
  readonly control: SharedArrayBuffer;
  /** The host's `performance.timeOrigin`. */
  readonly timeOrigin: number;
}

/** Cells of the shared control block, as 32-bit integers; times are milliseconds since the host's origin. */
export const CONTROL = {
  running: 0,
  lastPoll: 1,
  deadline: 2,
  enteredAt: 3,
  stopBase: 16,
  stopCells: 4096,
} as const;
export const CONTROL_BYTES = 4 * (CONTROL.stopBase + CONTROL.stopCells);
export const stopCell = (run: number): number => CONTROL.stopBase + (run % CONTROL.stopCells);

/** A worker remembers so many sets of tools, those that came last; the host knows which. */
export const MAX_TOOL_SETS = 64;

/** The compiled engine; it comes before any run. */
interface EngineMessage {
  readonly type: "engine";
  readonly module: WasmModule;
}

interface ToolSetMessage {
  readonly type: "tools";
  readonly id: number;
  readonly tools: readonly DeclaredTool[];
}

export interface RunMessage {
  readonly type: "run";
  readonly run: number;
  readonly source: string;
  readonly toolSet: number;
  readonly limits: CodemodeLimits;
  readonly seed: readonly [number, number, number, number];
  readonly startedAt: number;
  /** Keys and JSON texts. */
  readonly store: readonly (readonly [string, string])[];
  /** Calls up to this number are in the journal: they do not count as running. */
  readonly recordedCalls: number;
}

/** Number, how to read the payload, the payload, and the script's time from then on. */
export type Settlement = readonly [id: number, kind: number, payload: Payload | undefined, now: number];

export interface SettleMessage {
  readonly type: "settle";
  readonly run: number;
  readonly settlements: readonly Settlement[];
  /** How long calls have waited for a person so far. */
  readonly pausedMs: number;
}

interface StopMessage {
  readonly type: "stop";
  readonly run: number;
}

interface InspectMessage {
  readonly type: "inspect";
  readonly id: number;
}

export type HostMessage = EngineMessage | ToolSetMessage | RunMessage | SettleMessage | StopMessage | InspectMessage;

/** Number, index of the tool in its set, JSON of the arguments. */
export type CallMessage = readonly [id: number, tool: number, args: Payload | undefined];

export type Outcome =
  | { readonly kind: "value"; readonly json: Payload | undefined }
  | { readonly kind: "error"; readonly error: CodemodeError }
  | {
      readonly kind: "limit";
      readonly limit: CodemodeLimitName;
      readonly message: string;
      readonly error?: CodemodeError;
    }
  | { readonly kind: "deadlock"; readonly message: string }
  | { readonly kind: "stopped" };

export interface SlotReport {
  readonly type: "report";
  readonly run: number;
  readonly calls: readonly CallMessage[];
  /** `parked` waits for calls; `draining` has its outcome and waits for calls that nobody awaits; `done` is over. */
  readonly state: "running" | "parked" | "draining" | "done";
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Only while the script waits: what is left of it. */
  readonly wallLeftMs: number;
  readonly ending?: EndingReport;
}

/** With the first report that has an outcome, and again with the last. */
export interface EndingReport {
  readonly outcome: Outcome;
  readonly output: readonly CodemodeOutputItem[];
  readonly console: readonly CodemodeConsoleLine[];
  readonly warnings: readonly string[];
  readonly stored: readonly (readonly [string, string | undefined])[];
  readonly drainMs: number;
  /** Numbers of calls that still ran when the script ended by itself. */
  readonly unawaited: readonly number[];
}

export interface SlotInspection {
  readonly state: "idle" | "busy";
  readonly memoryHash: string;
  readonly imageHash: string;
  readonly memoryBytes: number;
}

export interface InspectionMessage {
  readonly type: "inspection";
  readonly id: number;
  readonly slots: readonly SlotInspection[];
}

export type WorkerMessage = SlotReport | InspectionMessage;
