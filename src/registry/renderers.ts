// How calls are drawn: resolvers, the tool's own way, the default (P55 to P58), and which output is shown at all (E50).
// Drawing is apart from reach and guards: any name can be asked for, of a hidden or an unregistered tool too (P60).
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText } from "../errors/text.js";
import { checkDrawing } from "../tools/check-drawing.js";
import type { Drawing, DrawingView, ToolRenderers } from "../tools/drawing.js";
import { namePattern } from "../tools/name-pattern.js";
import type { Tool } from "../tools/tool.js";
import { drawCallLine, drawResultContent } from "./default-renderers.js";

/** Both parts, whatever was asked for. They never throw, and what they give is a drawing. */
export type CheckedRenderers = Required<ToolRenderers>;

/**
 * Says how a tool is drawn. `next()` gives what would be used without this resolver, both parts; return it, your own,
 * or a mixture. A part that is missing comes from `next()`; `undefined` stands for both.
 */
export type ToolRendererResolver = (toolName: string, next: () => CheckedRenderers) => ToolRenderers | undefined;

type RendererPart = keyof CheckedRenderers;
/** A resolver or a renderer that failed. What it should have drawn is drawn without it. */
export interface RendererFailure {
  readonly toolName: string;
  readonly part: "resolver" | RendererPart;
  /** What was thrown; a NestcallError `INVALID_RESULT` when what came back was no drawing, or no renderers. */
  readonly error: unknown;
}

export interface RenderersOptions {
  /** The tool of a name, hidden ones too. */
  readonly toolOf: (name: string) => Pick<Tool, RendererPart> | undefined;
  /** Default: `console.error`, once for each tool and part. */
  readonly onError?: ((failure: RendererFailure) => void) | undefined;
}

/** Both parts take what is drawn and the view; what a tool's own one takes is the tool's to know. */
type Renderer = (subject: unknown, view: DrawingView) => Drawing;
const DEFAULTS: Readonly<Record<RendererPart, Renderer>> = {
  renderCall: drawCallLine,
  renderResult: drawResultContent,
};
const MAX_REPORTS = 100;

export class Renderers {
  readonly #options: RenderersOptions;
  /** The latest first. Replaced, never changed, so that a resolver may come or go while one is asked. */
  #resolvers: readonly ToolRendererResolver[] = [];
  #shown: readonly ((name: string) => boolean)[] = [];
  /** What needs no second check: a resolver that gives back what `next()` gave adds nothing. */
  readonly #checkedAlready = new WeakSet<object>();
  readonly #reported = new Set<string>();

  constructor(options: RenderersOptions) {
    this.#options = options;
  }

  /**
   * Adds a resolver, which is asked before those that are there; returns a function that removes it.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` when `resolver` is no function.
   */
  register(resolver: ToolRendererResolver): () => void {
    if (typeof resolver !== "function") {
      const message = `registerToolRenderer takes a function (toolName, next) => renderers; it got ${describeValue(resolver)}.`;
      throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
    }
    const own: ToolRendererResolver = (name, next) => resolver(name, next); // one function may be registered twice
    this.#resolvers = [own, ...this.#resolvers];
    return () => {
      this.#resolvers = this.#resolvers.filter((other) => other !== own);
    };
  }

  /** How a tool of this name is drawn; any name has an answer. */
  of(toolName: string): CheckedRenderers {
    const { renderCall, renderResult } = this.#resolve(toolName, this.#resolvers, 0);
    return {
      renderCall: (args, view) => renderCall(args, { ...view, toolName }),
      renderResult: (result, view) => renderResult(result, { ...view, toolName }),
    };
  }

  /**
   * Shows the successful output of the tools whose names fit; without a pattern it is hidden (E50). Returns a function
   * that takes the patterns back.
   *
   * @param patterns - Names in which `*` stands for any text.
   * @throws NestcallError `INVALID_ARGUMENTS` when `patterns` is no list of texts.
   */
  showOutput(patterns: readonly string[]): () => void {
    if (!Array.isArray(patterns)) {
      const message = `showOutput takes a list of names in which * stands for any text; it got ${describeValue(patterns)}.`;
      throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
    }
    const tests = patterns.map((pattern) => namePattern(pattern));
    const own = (name: string) => tests.some((fits) => fits(name));
    this.#shown = [...this.#shown, own];
    return () => {
      this.#shown = this.#shown.filter((other) => other !== own);
    };
  }

  /** Whether a list of calls shows what the tool gave, besides its call; what failed is always shown. */
  isOutputShown(toolName: string, isError = false): boolean {
    return isError || this.#shown.some((fits) => fits(toolName));
  }

  /** What the resolver at `index` says, those behind it being its `next()`. Behind the last one stands the tool. */
  #resolve(toolName: string, resolvers: readonly ToolRendererResolver[], index: number): CheckedRenderers {
    const resolver = resolvers[index];
    let rest: CheckedRenderers | undefined;
    const next = () => {
      rest ??= resolver === undefined ? DEFAULTS : this.#resolve(toolName, resolvers, index + 1);
      return rest;
    };
    try {
      const given = resolver === undefined ? this.#options.toolOf(toolName) : resolver(toolName, next);
      return this.#checked(toolName, given, next);
    } catch (error) {
      this.#report({ toolName, part: "resolver", error });
      return next();
    }
  }

  #checked(toolName: string, given: ToolRenderers | undefined, next: () => CheckedRenderers): CheckedRenderers {
    if (given === undefined) return next();
    if (typeof given !== "object" || given === null || given instanceof Promise) {
      letGo(given);
      throw wrongRenderers("A renderer resolver", "an object { renderCall?, renderResult? }", given);
    }
    const part = (name: RendererPart) => this.#guarded(toolName, given, name) ?? next()[name];
    return { renderCall: part("renderCall"), renderResult: part("renderResult") };
  }

  /** A renderer that cannot fail. It stays a method of its object. */
  #guarded(toolName: string, owner: ToolRenderers, part: RendererPart): Renderer | undefined {
    const render = owner[part] as Renderer | undefined; // what its own arguments are is the renderer's to know
    if (render === undefined || this.#checkedAlready.has(render)) return render;
    if (typeof render !== "function") throw wrongRenderers(`A renderer resolver for ${part}`, "a function", render);
    const guarded: Renderer = (subject, view) => {
      const told: DrawingView = { ...view, toolName };
      return this.#drawn(toolName, part, () => render.call(owner, subject, told)) ?? DEFAULTS[part](subject, told);
    };
    this.#checkedAlready.add(guarded);
    return guarded;
  }

  #drawn(toolName: string, part: RendererPart, draw: () => unknown): Drawing | undefined {
    try {
      const value = draw();
      const checked = checkDrawing(value);
      if ("drawing" in checked) return checked.drawing;
      letGo(value);
      const message = `${part} for the tool "${shortenText(toolName, 60)}" gave no drawing: ${checked.problem}.`;
      throw new NestcallError(ErrorCode.INVALID_RESULT, message);
    } catch (error) {
      this.#report({ toolName, part, error });
      return undefined;
    }
  }

  #report(failure: RendererFailure): void {
    try {
      const { onError = (own) => this.#reportOnce(own) } = this.#options;
      onError(failure);
    } catch (error) {
      console.error("nestcall: the report of a failed renderer failed:", error);
    }
  }

  #reportOnce({ toolName, part, error }: RendererFailure): void {
    const where = `${part}, tool ${shortenText(toolName, 60)}`;
    if (this.#reported.has(where) || this.#reported.size >= MAX_REPORTS) return;
    this.#reported.add(where);
    console.error(`nestcall: drawing failed (${where}):`, error);
  }
}

function wrongRenderers(what: string, wanted: string, value: unknown): NestcallError {
  return new NestcallError(ErrorCode.INVALID_RESULT, `${what} gave ${describeValue(value)}; wanted is ${wanted}.`);
}

/** What becomes of a promise where an answer at once is wanted is nobody's affair. */
function letGo(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
