// Makes the `ctx` of handlers, commands and tools from what the host gave.
import type { NestedCallOptions, ToolContext, ToolInfo } from "../../tools/tool.js";
import type {
  ExecuteToolOptions,
  ExtensionContext,
  ExtensionMode,
  ExtensionToolContext,
  ExtensionUIContext,
} from "./extension-context.js";
import type { ReportFailure } from "./failure-report.js";
import { CONTEXT_METHODS_LEFT_OUT, CONTEXT_VALUES_LEFT_OUT, type Missing } from "./missing.js";
import { toPiOutcome } from "./results.js";
import type { AgentToolCallOutcome, CallableTool } from "./tool-definition.js";
import { userInterface } from "./user-interface.js";

/** What is the same for every handler of a host. */
export interface ContextSource {
  readonly cwd: string;
  readonly mode: ExtensionMode;
  readonly ui: Partial<ExtensionUIContext> | undefined;
  readonly missing: Missing;
  readonly report: ReportFailure;
}

/** The call that a handler or a tool runs for. */
export interface CallPart {
  /** Made when it is read. */
  readonly signal: AbortSignal;
  /** Tells those who draw that the call waits for a person. */
  reportWait?(reason: "approval"): void;
}

/** Members are made when they are read: most handlers use none. */
export class HandlerContext implements ExtensionContext {
  readonly #source: ContextSource;
  readonly #call: CallPart | undefined;

  constructor(source: ContextSource, call?: CallPart) {
    this.#source = source;
    this.#call = call;
  }

  get mode(): ExtensionMode {
    return this.#source.mode;
  }
  get hasUI(): boolean {
    return this.#source.ui !== undefined;
  }
  get cwd(): string {
    return this.#source.cwd;
  }
  get signal(): AbortSignal | undefined {
    return this.#call?.signal;
  }
  get ui(): ExtensionUIContext {
    return userInterface(this.#source, this.#call);
  }

  static {
    for (const name of CONTEXT_VALUES_LEFT_OUT) leaveOut(name, (report) => report());
    for (const name of CONTEXT_METHODS_LEFT_OUT) leaveOut(name, (report) => report);
    function leaveOut(name: string, give: (report: () => undefined) => unknown): void {
      Object.defineProperty(HandlerContext.prototype, name, {
        get(this: HandlerContext) {
          return give(() => this.#source.missing.report(`ctx.${name}`));
        },
      });
    }
  }
}

/** The `ctx` of a running tool. */
export class ToolCallContext extends HandlerContext implements ExtensionToolContext {
  readonly #ctx: ToolContext;

  constructor(source: ContextSource, ctx: ToolContext) {
    super(source, ctx);
    this.#ctx = ctx;
  }

  get tools(): readonly CallableTool[] {
    return this.#ctx.tools.map(callableTool);
  }
  /** Bound, so that it may be passed on. */
  get executeTool(): ExtensionToolContext["executeTool"] {
    const ctx = this.#ctx;
    return async (name: string, args: unknown, options?: ExecuteToolOptions): Promise<AgentToolCallOutcome> =>
      // Options that are undefined are none; the engine checks them.
      toPiOutcome(await ctx.executeTool(name, args, options as NestedCallOptions));
  }
}

export function callableTool({ name, title, description, inputSchema, outputSchema }: ToolInfo): CallableTool {
  return {
    name,
    label: title ?? name,
    description,
    parameters: inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}
