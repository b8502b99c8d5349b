// A Pi tool as one of ours.
import { defineTool } from "../../tools/define-tool.js";
import type { Tool, ToolReturn, ToolSchema } from "../../tools/tool.js";
import type { ExtensionUIContext } from "./extension-context.js";
import { type ContextSource, ToolCallContext } from "./handler-context.js";
import { Missing } from "./missing.js";
import { neutralRenderers } from "./renderers.js";
import type { AnyToolDefinition, ToolDefinition } from "./tool-definition.js";

export interface FromPiToolOptions {
  /** What the tool finds as `ctx.cwd`. Default: the working directory of this moment. */
  readonly cwd?: string;
  /** What the tool finds as `ctx.ui`. Without it `ctx.hasUI` is false. */
  readonly ui?: Partial<ExtensionUIContext>;
}

/**
 * Makes a tool from one in Pi's shape. Its schemas are taken as they are: the two style rules do not apply. `execute`
 * gets five arguments, and `ctx` has `executeTool`. `defaultActive` and `prepareLoadout` are the registry's affair.
 *
 * @throws NestcallError `INVALID_TOOL`, naming the tool and the place in our words (`inputSchema` for `parameters`).
 */
export function fromPiTool<const Params extends ToolSchema, Details, State>(
  definition: ToolDefinition<Params, Details, State>,
  options: FromPiToolOptions = {},
): Tool<Params> {
  const { cwd = process.cwd(), ui } = options;
  const mode = ui === undefined ? "print" : "rpc";
  return toolOf(definition, { cwd, ui, mode, missing: new Missing(undefined) }) as unknown as Tool<Params>; // its schema is the one given
}

export function toolOf(definition: AnyToolDefinition, source: ContextSource): Tool {
  // What is no definition, or has parts that are no functions, is for defineTool to say.
  if (typeof definition !== "object" || definition === null) return defineTool(definition) as never;
  const { name, label, promptSnippet, promptGuidelines, parameters, outputSchema } = definition;
  const { annotations, exposure, namespace, executionMode, prepareArguments, execute } = definition;
  return defineTool({
    name,
    ...(label === undefined || label === "" ? {} : { title: label }),
    // An accessor: a description may be rendered each time it is read.
    get description() {
      return definition.description;
    },
    ...(promptSnippet === undefined ? {} : { snippet: promptSnippet }),
    ...(promptGuidelines === undefined ? {} : { guidelines: promptGuidelines }),
    inputSchema: parameters as ToolSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(exposure === undefined ? {} : { exposure }),
    ...(namespace === undefined ? {} : { namespace: withoutAliases(namespace) }),
    ...(executionMode === undefined ? {} : { executionMode }),
    ...(prepareArguments === undefined ? {} : { prepareArguments: bound(prepareArguments, definition) }),
    strict: false,
    ...neutralRenderers(definition, source.cwd),
    execute:
      typeof execute !== "function"
        ? execute
        : (args: unknown, ctx) => {
            const context = new ToolCallContext(source, ctx);
            return execute.call(
              definition,
              ctx.toolCallId,
              args,
              ctx.signal,
              ctx.onUpdate,
              context,
            ) as Promise<ToolReturn>;
          },
  }) as unknown as Tool; // put together from fields that defineTool has checked
}

function bound<F extends (raw: unknown) => unknown>(method: F, owner: object): F {
  return typeof method === "function" ? (method.bind(owner) as F) : method;
}

function withoutAliases({ name, description, instructions }: NonNullable<AnyToolDefinition["namespace"]>) {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
