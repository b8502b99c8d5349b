// The tool `codemode` (DESIGN 7, 7.1): a script of the model, each call of which is a nested call of the engine.
import { describeBySession } from "../registry/read-description.js";
import { sessionKeyOf } from "../registry/session-key.js";
import { defineTool } from "../tools/define-tool.js";
import type { Tool, ToolContext, ToolDefinition, ToolReturn } from "../tools/tool.js";
import type { CodemodeError, CodemodeReport, CodemodeRun } from "./run-types.js";
import { makeCall } from "./tool/make-call.js";
import { OutputFolder } from "./tool/output-folder.js";
import { renderResult } from "./tool/result-text.js";
import { readStore, SessionStores, writeStore } from "./tool/script-store.js";
import { scriptToolsOf, ToolDescription } from "./tool/tool-description.js";
import {
  type CheckedToolOptions,
  type CodemodeToolCall,
  type CodemodeToolOptions,
  checkToolOptions,
  storeOf,
} from "./tool/tool-options.js";

/** Written out: TypeBox takes longer to load than the runtime with its first script. */
const INPUT = {
  type: "object",
  properties: {
    code: {
      type: "string",
      description: "The script: the body of an async function that returns a value, in JavaScript or TypeScript.",
    },
  },
  required: ["code"],
  additionalProperties: false,
} as const;

/** What the tool's result keeps for the host; the model sees none of it. */
export interface CodemodeDetails extends Pick<CodemodeReport, "warnings" | "calls" | "timings"> {
  readonly status: CodemodeRun["status"];
  readonly value?: unknown;
  readonly error?: CodemodeError;
  /** The complete output, when the text was cut. */
  readonly fullOutputPath?: string;
  /** Of the images that the script showed, in order. */
  readonly imagePaths: readonly string[];
}

/**
 * Makes the tool `codemode`, which takes `{ code }` and runs it in the sandbox. Register it with the executor whose tools
 * scripts shall call: `executor.registry.register(createCodemodeTool({ runtime, executor }))`.
 *
 * A script reaches what tools reach: active `direct` tools, `codemode` and `deferred` ones; never `model-only` or `hidden`
 * ones, so it cannot start another script by this tool. Each of its calls is a nested call with id `<call>/<n>`: hooks
 * see it with `source: "codemode"`, records and usage have it. The description is rendered when it is read, and declares to
 * a session what that session reaches.
 *
 * The tool claims neither to read only nor to destroy: what a script does, its calls do, and guards see each of them.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a wrong option, `INVALID_TOOL` for a bad name.
 */
export function createCodemodeTool(options: CodemodeToolOptions): Tool<typeof INPUT> {
  const checked = checkToolOptions(options);
  const description = new ToolDescription(options.executor.registry, checked.declarations);
  const folder = new OutputFolder(checked.outputFolder);
  const stores = new SessionStores();
  const definition = {
    name: checked.name,
    title: "Run a script",
    get description() {
      return description.text;
    },
    inputSchema: INPUT,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    exposure: "model-only",
    execute: ({ code }, ctx) => runScript({ options, checked, folder, stores }, code, ctx),
  } satisfies ToolDefinition<typeof INPUT>;
  return defineTool(describeBySession(definition, (session) => description.textFor(session))) as Tool<typeof INPUT>;
}

interface ToolState {
  readonly options: CodemodeToolOptions;
  readonly checked: CheckedToolOptions;
  readonly folder: OutputFolder;
  readonly stores: SessionStores;
}

async function runScript(state: ToolState, code: string, ctx: ToolContext): Promise<ToolReturn> {
  const { options, checked, folder, stores } = state;
  const { toolCallId, host, session } = ctx;
  const call: CodemodeToolCall = { toolCallId, code, host, session };
  const store = storeOf(options.store, call, () => stores.of(sessionKeyOf(session)));
  const journal = await options.journal?.(call);
  const findTool = (name: string) => options.executor.registry.get(name);
  const maker = { ctx, findTool, confirmInDoubt: options.confirmInDoubt };
  const run = await options.runtime.run(code, {
    tools: scriptToolsOf(ctx.tools),
    callTool: (name, args, made) => makeCall(maker, name, args, made),
    signal: ctx.signal,
    store: readStore(store),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(journal === undefined ? {} : { journal }),
  });
  // What the script did is told whatever becomes of the store.
  const storeProblem = run.status === "ok" ? await writeStore(store, run.storeWrites) : undefined;
  const { content, ...files } = await renderResult(run, { toolCallId, budget: checked.text, folder, storeProblem });
  const details = detailsOf(run, files);
  if (storeProblem === undefined) return { content, details, isError: run.status !== "ok" };
  return { content, details: { ...details, warnings: [...run.warnings, storeProblem] }, isError: true };
}

function detailsOf(run: CodemodeRun, files: Pick<CodemodeDetails, "fullOutputPath" | "imagePaths">): CodemodeDetails {
  const { status, warnings, calls, timings } = run;
  const end = run.status === "ok" ? { value: run.value } : { error: run.error };
  return { status, ...end, warnings, calls, timings, ...files };
}
