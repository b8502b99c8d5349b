// What rows of numbers cannot say of an event.
import { cutText } from "../../errors/text.js";
import type { ToolExecutionEndEvent, ToolExecutionWaitEvent } from "../../executor/tool-execution-event.js";
import { textOfContent } from "../../tools/tool-result.js";
import { type KeptResult, textBytesOf } from "./kept-result.js";
import { ownText } from "./kept-text.js";

export interface KeptWait {
  readonly reason: ToolExecutionWaitEvent["reason"];
  readonly paths: readonly string[] | undefined;
  readonly heldBy: string | undefined;
}
export interface RowExtra {
  /** Of a call whose id cannot be counted out, because calls before it have no place. */
  readonly id?: string;
  readonly code?: ToolExecutionEndEvent["code"] | undefined;
  readonly wait?: KeptWait;
  /** How many updates it stands for. */
  readonly updates?: number;
  readonly kept?: KeptResult;
}

/** About what one takes besides its texts. */
const EXTRA_BYTES = 150;
const THIN_ERROR_CHARS = 500;

export class RowExtras {
  readonly #extras = new Map<number, RowExtra>();
  /** Their rows, in the order in which they came. */
  readonly #rows: number[] = [];
  #thinned = 0;
  bytes = 0;

  /** Whether there is one that was not thinned yet. */
  get hasMore(): boolean {
    return this.#thinned < this.#rows.length;
  }

  get(row: number): RowExtra | undefined {
    return this.#extras.get(row);
  }

  /** @returns About how many bytes more are kept now. */
  set(row: number, extra: RowExtra): number {
    const before = this.#extras.get(row);
    if (before === undefined) this.#rows.push(row);
    const more = bytesOf(extra) - (before === undefined ? 0 : bytesOf(before));
    this.#extras.set(row, extra);
    this.bytes += more;
    return more;
  }

  /** Leaves out results, the earliest `count`; of an error's text the beginning stays. Gives how many bytes that frees. */
  thinEarliest(count: number): number {
    const end = Math.min(this.#rows.length, this.#thinned + count);
    let freed = 0;
    for (; this.#thinned < end; this.#thinned += 1) {
      const row = this.#rows[this.#thinned] as number; // inside the list
      const extra = this.#extras.get(row);
      if (extra?.kept !== undefined) freed -= this.set(row, { ...extra, kept: thinResult(extra.kept, extra.code) });
    }
    return freed;
  }
}

function bytesOf({ id, wait, kept }: RowExtra): number {
  const texts =
    (id?.length ?? 0) + (wait?.heldBy?.length ?? 0) + (wait?.paths?.reduce((sum, path) => sum + path.length, 0) ?? 0);
  return EXTRA_BYTES + texts + (kept?.bytes ?? 0);
}

function thinResult(kept: KeptResult, code: RowExtra["code"]): KeptResult {
  const { text, result } = kept;
  const whole = text ?? textOfContent(result?.content ?? []);
  const usage = result?.usage;
  const beginning = code === undefined ? undefined : ownText(cutText(whole, THIN_ERROR_CHARS));
  return {
    text: beginning,
    result: usage === undefined ? undefined : { usage },
    textBytes: textBytesOf(kept),
    bytes: (beginning?.length ?? 0) + (usage === undefined ? 0 : EXTRA_BYTES),
    isCut: true,
  };
}
