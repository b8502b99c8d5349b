// The parts of the trace event format that Perfetto reads from JSON, as far as we write it. Times are microseconds.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

interface Place {
  /** One for each root call. */
  readonly pid: number;
  /** One for each lane. */
  readonly tid: number;
}
interface Named extends Place {
  readonly name: string;
  readonly cat: string;
  readonly ts: number;
}
export interface CompleteEvent extends Named {
  readonly ph: "X";
  readonly dur: number;
  /** A colour of the old viewer. */
  readonly cname?: string;
  readonly args: { readonly [name: string]: unknown };
}
/** The beginning or the end of a wait for a turn. Many of one caller overlap, so they have no lane. */
interface AsyncEvent extends Named {
  readonly ph: "b" | "e";
  readonly id: string;
  readonly args?: { readonly [name: string]: unknown };
}
/** The two ends of an arrow. */
interface FlowEvent extends Named {
  readonly ph: "s" | "f";
  readonly id: number;
  /** It leads to the slice around it, not to the next one. */
  readonly bp?: "e";
}
export interface MetadataEvent extends Place {
  readonly ph: "M";
  readonly name: "process_name" | "process_sort_index" | "thread_name" | "thread_sort_index";
  readonly args: { readonly name: string } | { readonly sort_index: number };
}
export type ChromeEvent = CompleteEvent | AsyncEvent | FlowEvent | MetadataEvent;

export interface ChromeTrace {
  readonly traceEvents: readonly ChromeEvent[];
  readonly displayTimeUnit: "ms";
  readonly otherData: { readonly [name: string]: string };
}
