// The arguments of calls, in the order of their starts. They are frozen copies of the engine's, which nobody changes.
import type { ToolExecutionStartEvent } from "../../executor/tool-execution-event.js";
import { measuredJson } from "../../records/json-bytes.js";
import type { KeepLimits } from "./kept-result.js";
import { redactJson } from "./redact-json.js";

/** A kept value takes more than its JSON. */
const OBJECT_BYTES = 64;

export interface KeptValue {
  readonly value: unknown;
  /** UTF-8 bytes of its JSON. */
  readonly bytes: number;
}

/** What is kept of the arguments of a call; `undefined` when they are too large, or have no JSON form. */
export function keepArguments(event: ToolExecutionStartEvent, limits: KeepLimits): KeptValue | undefined {
  const { arguments: value, argumentsBytes: bytes } = event;
  const { maxArgumentBytes, redact } = limits;
  if (bytes === undefined || bytes > maxArgumentBytes) return undefined;
  const shown = redact === undefined ? value : redactJson(value, redact);
  if (shown === value) return { value, bytes };
  const measured = measuredJson(shown, maxArgumentBytes); // what stands in place of a match may be longer
  return measured === undefined ? undefined : { value: measured.json, bytes: measured.bytes };
}

export class KeptArguments {
  readonly #values: unknown[] = [];
  readonly #sizes: number[] = [];
  #dropped = 0;
  /** About how much memory they take. */
  bytes = 0;

  get length(): number {
    return this.#values.length;
  }

  /** Whether there are some that were not let go. */
  get hasMore(): boolean {
    return this.#dropped < this.#values.length;
  }

  at(index: number): unknown {
    return this.#values[index];
  }

  /** @returns About how many bytes more are kept now. */
  add(kept: KeptValue | undefined): number {
    const bytes = kept === undefined ? 0 : kept.bytes + OBJECT_BYTES;
    this.#values.push(kept?.value);
    this.#sizes.push(bytes);
    this.bytes += bytes;
    return bytes;
  }

  /** Lets go of the earliest `count`; gives how many bytes that were. */
  dropEarliest(count: number): number {
    const end = Math.min(this.#values.length, this.#dropped + count);
    let freed = 0;
    for (; this.#dropped < end; this.#dropped += 1) {
      freed += this.#sizes[this.#dropped] ?? 0;
      this.#values[this.#dropped] = undefined;
    }
    this.bytes -= freed;
    return freed;
  }
}
