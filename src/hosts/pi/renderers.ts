// Renderers in both directions: Pi's draw components, ours draw data. What was made from one kind is turned back into
// that very thing, so that a resolver which only passes `next()` on loses nothing.
import { atOnce } from "../../errors/thenable.js";
import { drawCallLine, drawResultContent } from "../../registry/default-renderers.js";
import type { ToolRendererResolver as NeutralResolver } from "../../registry/renderers.js";
import type { Drawing, DrawingView, ToolRenderers as NeutralRenderers } from "../../tools/drawing.js";
import type { Component, Theme, ToolRenderContext, ToolRendererResolver, ToolRenderers } from "./component.js";
import { componentText, drawingText, PLAIN_THEME } from "./drawing-text.js";
import { piContent } from "./results.js";

/** Makes a component that shows a text: Pi's `Text`, from `@earendil-works/pi-tui`, or ours. */
export type TextClass = new (text: string, paddingX: number, paddingY: number) => Component;

type Mutable<T> = { -readonly [Part in keyof T]: T[Part] };
const originals = new WeakMap<object, object>();

/** Ours from Pi's. `cwd` is what the renderers are told. */
export function neutralRenderers(given: ToolRenderers, cwd: string): NeutralRenderers {
  const known = originals.get(given);
  if (known !== undefined) return known as NeutralRenderers; // it was made from these by `piRenderers`
  const { renderCall, renderResult } = given;
  const made: Mutable<NeutralRenderers> = {};
  // What is no function is passed on for the registry, or defineTool, to complain of.
  if (renderCall !== undefined) {
    made.renderCall = wrapped(renderCall, (args, view) =>
      draw(renderCall.call(given, args, PLAIN_THEME, renderContext(args, view, cwd)), view),
    );
  }
  if (renderResult !== undefined) {
    made.renderResult = wrapped(renderResult, (result, view) => {
      const options = { expanded: view.isExpanded === true, isPartial: view.isPartial === true };
      const whole = { details: undefined, ...result, content: piContent(result.content ?? []) };
      const context = renderContext(view.arguments, view, cwd);
      return draw(renderResult.call(given, whole, options, PLAIN_THEME, context), view);
    });
  }
  originals.set(made, given);
  return made;
}

/** Pi's from ours, for Pi's own screen. */
export function piRenderers(given: NeutralRenderers, toolName: string, Text: TextClass): ToolRenderers {
  const known = originals.get(given);
  if (known !== undefined) return known as ToolRenderers; // it was made from these by `neutralRenderers`
  const { renderCall, renderResult } = given;
  const made: Mutable<ToolRenderers> = {};
  if (renderCall !== undefined) {
    made.renderCall = (args, theme, context) =>
      component(renderCall.call(given, args, drawingView(toolName, context)), theme, context, Text);
  }
  if (renderResult !== undefined) {
    made.renderResult = (result, { expanded: isExpanded, isPartial }, theme, context) => {
      const view = { ...drawingView(toolName, context), isExpanded, isPartial, arguments: context?.args };
      return component(renderResult.call(given, result, view), theme, context, Text);
    };
  }
  originals.set(made, given);
  return made;
}

/** One resolver for the registry that asks Pi's in the order in which they were added, as Pi does. */
export function resolverOf(
  resolversNow: () => readonly ToolRendererResolver[],
  cwd: string,
  Text: TextClass,
): NeutralResolver {
  return (toolName, next) => {
    const resolvers = resolversNow();
    const ask = (index: number): ToolRenderers | undefined => {
      const resolver = resolvers[index];
      if (resolver === undefined) return ownOf(toolName, next(), Text);
      return atOnce(resolver(toolName, () => ask(index + 1)));
    };
    const chosen = resolvers.length === 0 ? undefined : ask(0);
    return chosen === undefined ? undefined : neutralRenderers(chosen, cwd);
  };
}

/** Pi knows no default renderers: nothing of one's own is `undefined`. */
function ownOf(toolName: string, { renderCall, renderResult }: Required<NeutralRenderers>, Text: TextClass) {
  const own: NeutralRenderers = {
    ...(renderCall === drawCallLine ? {} : { renderCall }),
    ...(renderResult === drawResultContent ? {} : { renderResult }),
  };
  return Object.keys(own).length === 0 ? undefined : piRenderers(own, toolName, Text);
}

function wrapped<F>(given: unknown, wrapper: F): F {
  return typeof given === "function" ? wrapper : (given as F);
}

function draw(drawn: unknown, { isError }: DrawingView): Drawing {
  return { type: "text", text: componentText(atOnce(drawn)), ...(isError === true ? { tone: "error" } : {}) };
}

function component(drawing: Drawing, theme: Theme, context: ToolRenderContext | undefined, Text: TextClass): Component {
  const text = drawingText(atOnce(drawing), theme);
  const last = context?.lastComponent as (Component & { setText?(text: string): void }) | undefined;
  if (!(last instanceof Text) || typeof last.setText !== "function") return new Text(text, 0, 0);
  last.setText(text);
  return last;
}

function drawingView(toolName: string, context: ToolRenderContext | undefined): DrawingView {
  const { toolCallId, isError, isPartial, expanded } = context ?? {};
  return {
    toolName,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(isError === undefined ? {} : { isError }),
    ...(isPartial === undefined ? {} : { isPartial }),
    ...(expanded === undefined ? {} : { isExpanded: expanded }),
  };
}

function renderContext(args: unknown, view: DrawingView, cwd: string): ToolRenderContext {
  return {
    args,
    toolCallId: view.toolCallId ?? "",
    invalidate: () => {},
    lastComponent: undefined,
    state: {},
    cwd,
    executionStarted: true,
    argsComplete: true,
    isPartial: view.isPartial === true,
    expanded: view.isExpanded === true,
    showImages: false,
    isError: view.isError === true,
    durationMs: undefined,
    outputPad: 0,
    keyText: () => "",
    keyHint: (_keybinding, description) => description,
  };
}
