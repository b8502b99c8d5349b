// A whole extension for Pi made of our tools: what its file exports by default.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import { atOnce } from "../../errors/thenable.js";
import { drawCallLine, drawResultContent } from "../../registry/default-renderers.js";
import type { ToolRendererResolver } from "../../registry/renderers.js";
import type { ToolRenderers as NeutralRenderers } from "../../tools/drawing.js";
import type { Tool } from "../../tools/tool.js";
import { checkOptions } from "./check-options.js";
import type { ToolRenderers } from "./component.js";
import { neutralRenderers, piRenderers, type TextClass } from "./renderers.js";
import { checkPiToolOptions, piToolOf, TO_PI_TOOL_OPTIONS, type ToPiToolOptions } from "./to-pi-tool.js";
import type { ToolDefinition } from "./tool-definition.js";

export interface PiExtensionOptions extends ToPiToolOptions {
  // biome-ignore lint/suspicious/noExplicitAny: tools of every input and output
  readonly tools: readonly Tool<any, any>[];
  /**
   * How tools are drawn, of any name; needs `Text`. In a Pi before 1.0.1, which cannot be told, it holds for `tools` only.
   */
  readonly renderer?: ToolRendererResolver;
}

/** The part of Pi's API that is used. */
export interface PiRegistration {
  // biome-ignore lint/suspicious/noExplicitAny: Pi's own type of it, of any version
  registerTool(tool: any): void;
  // biome-ignore lint/suspicious/noExplicitAny: Pi's own type of it, of any version
  registerToolRenderer?(resolver: any): void;
}

/**
 * Makes a Pi extension: `export default piExtension({ tools: [reviewDiff], Text })`.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a renderer without `Text`, tools that are no list, or an unknown option.
 */
export function piExtension(options: PiExtensionOptions): (pi: PiRegistration) => void {
  checkOptions("piExtension", options, ["tools", "renderer", ...TO_PI_TOOL_OPTIONS]);
  checkPiToolOptions("piExtension", options);
  const { tools, renderer, Text } = options;
  if (!Array.isArray(tools)) {
    const message = `piExtension: options.tools must be a list of tools, not ${describeValue(tools)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  if (renderer !== undefined && Text === undefined) {
    const message = "piExtension: options.renderer needs options.Text, the Text of @earendil-works/pi-tui.";
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  return (pi) => {
    const canTell = typeof pi.registerToolRenderer === "function";
    for (const tool of tools) {
      const own = piToolOf(tool, options);
      pi.registerTool(canTell || !renderer || !Text ? own : { ...own, ...drawnBy(renderer, tool, Text) });
    }
    if (canTell && renderer && Text) pi.registerToolRenderer?.(inPi(renderer, Text));
  };
}

/** P61: without a place for resolvers, what the resolver says is put on the tool. */
function drawnBy(renderer: ToolRendererResolver, tool: Tool, Text: TextClass): Partial<ToolDefinition> {
  const { renderCall, renderResult } = tool;
  const own: NeutralRenderers = {
    ...(renderCall === undefined ? {} : { renderCall: renderCall.bind(tool) }),
    ...(renderResult === undefined ? {} : { renderResult: renderResult.bind(tool) }),
  };
  return piRenderers(
    atOnce(renderer(tool.name, () => withDefaults(own))) ?? own,
    tool.name,
    Text,
  ) as Partial<ToolDefinition>;
}

function inPi(renderer: ToolRendererResolver, Text: TextClass) {
  return (toolName: string, next: () => ToolRenderers | undefined): ToolRenderers | undefined => {
    const rest = next();
    const chosen = atOnce(
      renderer(toolName, () => withDefaults(rest === undefined ? {} : neutralRenderers(rest, process.cwd()))),
    );
    return chosen === undefined ? rest : { ...rest, ...piRenderers(chosen, toolName, Text) };
  };
}

function withDefaults(own: NeutralRenderers): Required<NeutralRenderers> {
  return { renderCall: drawCallLine, renderResult: drawResultContent, ...own };
}
