// Runs a tool in our engine and its nested calls in Pi's. Each name that the tool calls stands for a tool that asks Pi:
// so signals, time limits, order of updates and calls that were not awaited are dealt with as everywhere.
import { describeValue, shortenText } from "../../errors/text.js";
import { createExecutor, type Executor } from "../../executor/create-executor.js";
import { defineTool } from "../../tools/define-tool.js";
import type {
  Host,
  NestedCallOptions,
  StandardSchema,
  Tool,
  ToolCallOutcome,
  ToolContext,
  ToolInfo,
  ToolResult,
  UpdateCallback,
} from "../../tools/tool.js";
import type { ExtensionToolContext } from "./extension-context.js";
import { piResult } from "./results.js";
import type { AgentToolCallOutcome, AgentToolResult, CallableTool } from "./tool-definition.js";

/** A call as Pi made it. */
export interface HostCall {
  readonly toolCallId: string;
  readonly args: unknown;
  readonly signal?: AbortSignal;
  readonly onUpdate?: UpdateCallback;
}

/** What a running call keeps. */
interface Running {
  readonly ctx: ExtensionToolContext;
  readonly executor: Executor;
  /** By our id of the nested call: what Pi said of it. */
  readonly answers: Map<string, AgentToolCallOutcome>;
  /** By the host's name of a tool: the name under which our engine knows what stands for it. */
  readonly offered: Map<string, string>;
}

/** The parts of a tool that say how it runs. How it is reached and drawn, and its lane, are Pi's affair. */
const RUNNING_PARTS = ["name", "description", "outputSchema", "timeoutMs", "idleTimeoutMs", "strict"] as const;
const hostedTools = new WeakMap<Tool, Tool>();
const runningOf = new WeakMap<object, Running>();

export async function runInsideHost(tool: Tool, call: HostCall, ctx: ExtensionToolContext): Promise<AgentToolResult> {
  const { args, ...options } = call;
  const key = {};
  const executor = createExecutor({
    tools: [hostedTool(tool)],
    host: key as Host, // replaced by Pi's ctx in what the tool sees
    ...(typeof ctx.cwd === "string" && ctx.cwd !== "" ? { cwd: ctx.cwd } : {}),
  });
  runningOf.set(key, { ctx, executor, answers: new Map(), offered: new Map() });
  const { result } = await executor.executeTool(tool.name, args, options);
  return piResult(result); // Pi adds the usage of nested calls itself
}

/** The tool with a context whose calls go to Pi. Made once: its definition is checked each time. */
function hostedTool(tool: Tool): Tool {
  const known = hostedTools.get(tool);
  if (known !== undefined) return known;
  const parts = RUNNING_PARTS.filter((part) => tool[part] !== undefined).map((part) => [part, tool[part]] as const);
  const made = defineTool({
    ...(Object.fromEntries(parts) as Pick<Tool, "name" | "description">),
    inputSchema: tool.inputSchema,
    ...(tool.mutates === undefined ? {} : { mutates: (args: unknown) => tool.mutates?.(args as never) ?? [] }),
    execute: (args, own) => tool.execute(args as never, contextInside(own)), // checked against the tool's own schema
  }) as unknown as Tool;
  hostedTools.set(tool, made);
  return made;
}

/** A proxy, because a context has no parts that could be copied. */
function contextInside(own: ToolContext): ToolContext {
  const running = runningOf.get(own.host);
  if (running === undefined) return own;
  const executeTool = (target: unknown, args?: unknown, options?: NestedCallOptions) =>
    callHost(running, own, target, args, options);
  return new Proxy(own, {
    get: (target, key) => {
      if (key === "executeTool") return executeTool;
      if (key === "tools") return (running.ctx.tools ?? []).map(infoOf);
      if (key === "host") return running.ctx;
      return Reflect.get(target, key, target);
    },
  });
}

async function callHost(
  running: Running,
  own: ToolContext,
  target: unknown,
  args: unknown,
  options: NestedCallOptions | undefined,
): Promise<ToolCallOutcome> {
  const name = typeof target === "string" ? target : (target as Partial<Tool> | undefined)?.name;
  // The engine says what is wrong with what has no name.
  if (typeof name !== "string") return own.executeTool(name as unknown as string, args, options);
  const offered = offer(running, name);
  const outcome = await own.executeTool(offered, args, options);
  const said = running.answers.get(outcome.toolCall.id);
  // It never came to Pi, or Pi did not answer in time.
  if (said === undefined) return offered === name ? outcome : underName(outcome, offered, name);
  running.answers.delete(outcome.toolCall.id);
  const { id, name: called, arguments: given } = said.toolCall;
  const { durationMs: _, ...rest } = outcome;
  const duration = said.durationMs === undefined ? {} : { durationMs: said.durationMs };
  return { ...rest, toolCall: { id, name: called, arguments: given }, ...duration };
}

const OUR_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/**
 * Also for the running tool's own name: a call of itself goes through Pi as well. A name that only the host allows gets one
 * of ours, which no other name has.
 */
function offer({ executor, offered }: Running, name: string): string {
  const known = offered.get(name);
  if (known !== undefined) return known;
  const taken = new Set(offered.values());
  const base = OUR_NAME.test(name) ? name : `_${name.slice(0, 50).replace(/[^A-Za-z0-9_-]/g, "_")}`;
  let free = base;
  for (let number = 2; taken.has(free); number += 1) free = `${base.slice(0, 50)}_${number}`;
  offered.set(name, free);
  executor.registry.register(standFor(name, free));
  return free;
}

/** The outcome with the host's name of the tool where it has ours. */
function underName(outcome: ToolCallOutcome, ours: string, name: string): ToolCallOutcome {
  const renamed = (text: string) => text.replaceAll(`"${ours}"`, () => `"${shortenText(name, 128)}"`);
  const { toolCall, error, result } = outcome;
  const content = result.content.map((block) =>
    block.type === "text" ? { ...block, text: renamed(block.text) } : block,
  );
  return {
    ...outcome,
    toolCall: { ...toolCall, name },
    result: { ...result, content },
    ...(error === undefined ? {} : { error: { ...error, message: renamed(error.message) } }),
  };
}

/** Pi checks the arguments, whatever they are. */
const ANYTHING: StandardSchema = Object.freeze({
  "~standard": Object.freeze({
    version: 1,
    vendor: "nestcall",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ type: "object" }) },
  }),
});

function standFor(name: string, ours: string): Tool {
  return defineTool({
    name: ours,
    description: `The tool ${name} of the host.`,
    inputSchema: ANYTHING,
    exposure: "codemode",
    execute: async (args, own): Promise<ToolResult> => {
      const running = runningOf.get(own.host);
      if (running === undefined) throw new Error(`The tool ${name} was called outside of its host.`);
      const { signal, onUpdate } = own;
      const outcome = checkedAnswer(name, await running.ctx.executeTool(name, args, { signal, onUpdate }));
      running.answers.set(own.toolCallId, outcome);
      return resultOf(outcome);
    },
  }) as unknown as Tool;
}

function checkedAnswer(name: string, answer: unknown): AgentToolCallOutcome {
  const { toolCall, result } = (answer ?? {}) as Partial<AgentToolCallOutcome>;
  const isCall = typeof toolCall?.id === "string" && typeof toolCall.name === "string";
  const isResult = typeof result === "object" && result !== null;
  if (isCall && isResult) return answer as AgentToolCallOutcome; // every other part may be missing
  const isObject = typeof answer === "object" && answer !== null;
  const what = isObject ? `an outcome without ${isCall ? "result" : "toolCall"}` : describeValue(answer);
  throw new TypeError(`The host's executeTool answered the call of "${shortenText(name, 128)}" with ${what}.`);
}

function resultOf({ result, isError }: AgentToolCallOutcome): ToolResult {
  const { content, details, structuredContent, usage, terminate } = result;
  return {
    content: Array.isArray(content) ? content : [],
    ...(details === undefined ? {} : { details }),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(usage === undefined ? {} : { usage }),
    isError: isError === true,
    ...(terminate === undefined ? {} : { terminate }),
  };
}

function infoOf({ name, label, description, parameters, outputSchema }: CallableTool): ToolInfo {
  return {
    name,
    title: label,
    description,
    inputSchema: parameters,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: {},
    exposure: "direct",
  };
}
