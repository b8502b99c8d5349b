// The arguments of calls, in the order of their starts. They are frozen copies of the engine's, which nobody changes.
import type { ToolExecutionStartEvent } from "../../executor/tool-execution-event.js";
import { measuredJson } from "../../records/json-bytes.js";
import type { KeepLimits } from "./kept-result.js";
import { redactJson } from "./redact-json.js";

/** A kept value takes more than its JSON. */
const OBJECT_BYTES = 64;

/** What is kept of the arguments of a call; `undefined` when they are too large, or have no JSON form. */
export function keepArguments(event: ToolExecutionStartEvent, { maxArgumentBytes, redact }: KeepLimits): unknown {
  const { argumentsBytes } = event;
  if (argumentsBytes === undefined || argumentsBytes > maxArgumentBytes) return undefined;
  return redact === undefined ? event.arguments : redactJson(event.arguments, redact);
}

export class KeptArguments {
  readonly #values: unknown[] = [];
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

  /**
   * @param value - `undefined` for none.
   * @param ownBytes - UTF-8 bytes of its JSON.
   * @returns About how many bytes more are kept now.
   */
  add(value: unknown, ownBytes: number): number {
    this.#values.push(value);
    if (value === undefined) return 0;
    const bytes = ownBytes + OBJECT_BYTES;
    this.bytes += bytes;
    return bytes;
  }

  /** Lets go of the earliest `count`; gives how many bytes that were. */
  dropEarliest(count: number): number {
    const end = Math.min(this.#values.length, this.#dropped + count);
    let freed = 0;
    for (; this.#dropped < end; this.#dropped += 1) {
      const value = this.#values[this.#dropped];
      if (value !== undefined) freed += (measuredJson(value, Number.POSITIVE_INFINITY)?.bytes ?? 0) + OBJECT_BYTES;
      this.#values[this.#dropped] = undefined;
    }
    this.bytes -= freed;
    return freed;
  }
}
