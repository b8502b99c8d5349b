// A place to run scripts in: tools by name, what they were called with, and how many ran at once.
import { createCodemodeRuntime } from "nestcall/codemode";
import { createGate, type Gate } from "nestcall/testing";

export type Runtime = ReturnType<typeof createCodemodeRuntime>;
export type RunOptions = Parameters<Runtime["run"]>[1];

/** What a run resolves to, its variants laid over each other: a test asks for what it expects. */
export interface Run {
  readonly status: string;
  readonly value?: unknown;
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly line?: number | undefined;
    readonly stack?: string | undefined;
    readonly limit?: string | undefined;
  };
  readonly output: readonly unknown[];
  readonly console: readonly unknown[];
  readonly warnings: readonly string[];
  readonly calls: readonly { readonly id: number; readonly name: string; readonly status: string }[];
  readonly storeWrites: { readonly set: Readonly<Record<string, unknown>>; readonly delete: readonly string[] };
  readonly timings: { readonly cpuMs: number; readonly wallMs: number; readonly queuedMs: number };
}

export interface LabCall {
  readonly id: number;
  readonly signal: AbortSignal;
  readonly inDoubt?: boolean | undefined;
}
export type LabTool = (args: never, call: LabCall) => unknown;
export type LabTools = Readonly<Record<string, LabTool>>;

export interface SeenCall {
  readonly name: string;
  readonly args: unknown;
  readonly id: number;
}

/** A failure with everything that a script is promised to see of it. */
class ToolTrouble extends Error {
  override readonly name = "ToolTrouble";
  readonly code = "E_TROUBLE";
  readonly details = { attempts: 3, hint: "try the other one" };
}

const fail: LabTool = () => {
  throw new ToolTrouble("the tool failed");
};
export const echo: LabTool = (args) => args;

export class Lab {
  readonly runtime: Runtime;
  readonly seen: SeenCall[] = [];
  /** What took longer than it may, on a machine that has time for it. */
  readonly slow: string[] = [];
  /** `held` waits for it. */
  readonly gate: Gate<unknown> = createGate<unknown>();
  running = 0;
  peak = 0;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** Tools that most scripts need; `held` settles when the test opens the gate. */
  get tools(): LabTools {
    return { echo, fail, held: () => this.gate.promise };
  }

  /** Calls seen so far, without their numbers. */
  get made(): unknown[] {
    return this.seen.map(({ name, args }) => [name, args]);
  }

  async run(source: string, tools: LabTools = this.tools, options: Partial<RunOptions> = {}): Promise<Run> {
    return (await this.runtime.run(source, {
      tools: Object.keys(tools).map((name) => ({ name })),
      callTool: (name, args, call) => this.#call(tools, name, args, call),
      ...options,
    })) as Run;
  }

  /** The value of a script that must end well. */
  async value(source: string, tools: LabTools = this.tools, options: Partial<RunOptions> = {}): Promise<unknown> {
    const run = await this.run(source, tools, options);
    if (run.status !== "ok") throw new Error(`the script ended with ${run.status}: ${JSON.stringify(run.error)}`);
    return run.value;
  }

  /** A time that a busy machine may spoil: the row is run again, and must keep it once in four. */
  within(what: string, actualMs: number, limitMs: number): void {
    if (actualMs > limitMs) this.slow.push(`${what} took ${Math.round(actualMs)} ms, wanted are ${limitMs}`);
  }

  /** A claim that a busy machine may spoil, like a time. */
  calmly(claim: string, holds: boolean): void {
    if (!holds) this.slow.push(claim);
  }

  async #call(tools: LabTools, name: string, args: unknown, { id, signal, inDoubt }: LabCall): Promise<unknown> {
    this.seen.push({ name, args, id });
    this.running += 1;
    this.peak = Math.max(this.peak, this.running);
    try {
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (tool === undefined) throw new Error(`the lab has no tool ${name}`);
      return await tool(args as never, { id, signal, inDoubt }); // each tool knows what it is called with
    } finally {
      this.running -= 1;
    }
  }
}

/** A runtime as the battery wants it; the test file closes it. */
export function labRuntime(limits: Parameters<typeof createCodemodeRuntime>[0] = {}): Runtime {
  return createCodemodeRuntime(limits);
}
