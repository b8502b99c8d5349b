// A Pi tool as one of ours.
import { defineTool } from "../../tools/define-tool.js";
import type { ToolDefinition as OurDefinition, Tool, ToolContext, ToolReturn, ToolSchema } from "../../tools/tool.js";
import { checkOptions } from "./check-options.js";
import type { ExtensionUIContext } from "./extension-context.js";
import { reportToConsole } from "./failure-report.js";
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
 * @throws NestcallError `INVALID_TOOL`, naming the tool and the place in our words (`inputSchema` for `parameters`);
 *   `INVALID_ARGUMENTS` for bad options.
 */
export function fromPiTool<const Params extends ToolSchema, Details, State>(
  definition: ToolDefinition<Params, Details, State>,
  options: FromPiToolOptions = {},
): Tool<Params> {
  checkOptions("fromPiTool", options, ["cwd", "ui"]);
  const { cwd = process.cwd(), ui } = options;
  const mode = ui === undefined ? "print" : "rpc";
  const report = reportToConsole;
  const source = { cwd, ui, mode, missing: new Missing(undefined, report), report } as const;
  return toolOf(definition, source) as unknown as Tool<Params>; // its schema is the one given
}

/** The definition is taken in: it may change afterwards. Only a description that is computed is read anew. */
export function toolOf(definition: AnyToolDefinition, source: ContextSource): Tool {
  // What is no definition, or has parts that are no functions, is for defineTool to say.
  if (typeof definition !== "object" || definition === null) return defineTool(definition) as never;
  const { name, label, promptSnippet, promptGuidelines, parameters, outputSchema } = definition;
  const { annotations, exposure, namespace, executionMode, prepareArguments, execute } = definition;
  const tool = {
    name,
    ...(label === undefined || label === "" ? {} : { title: label }),
    ...(isComputed(definition, "description") ? {} : { description: definition.description }),
    ...(promptSnippet === undefined ? {} : { snippet: promptSnippet }),
    ...(promptGuidelines === undefined ? {} : { guidelines: listOf(promptGuidelines) }),
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
        : (args: unknown, ctx: ToolContext) => {
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
  };
  if (isComputed(definition, "description")) {
    Object.defineProperty(tool, "description", { get: () => definition.description, enumerable: true });
  }
  return defineTool(tool as OurDefinition) as unknown as Tool; // defineTool checks each field
}

/** Whether a property is an accessor, of the object or of its class. */
function isComputed(object: object, key: string): boolean {
  for (let owner: object | null = object; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    const property = Object.getOwnPropertyDescriptor(owner, key);
    if (property !== undefined) return property.get !== undefined;
  }
  return false;
}

/** A copy; what is no list is for defineTool to say. */
function listOf<T extends readonly unknown[]>(list: T): T {
  return Array.isArray(list) ? ([...list] as unknown as T) : list;
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
