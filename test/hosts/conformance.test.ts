// The doors that there are, each with the one definition of conformance.ts. A new door adds itself here.
import { createExecutor, defineTool, type Executor, type Tool } from "nestcall";
import { type AgntnTool, defineTool as defineAgntnTool } from "nestcall/agntn";
import { loadPlugin } from "nestcall/elowen";
import { fromPiTool, toPiTool } from "nestcall/pi";
import { type OpenDoor, type Reply, type Sample, type ShownTool, testDoor } from "./conformance.js";

testDoor({
  name: "engine",
  failureText: "data",
  open: (sample) => inExecutor(createExecutor({ tools: [ourTool(sample)] })),
});

testDoor({
  name: "agntn",
  failureText: "one line",
  open: (sample) => inExecutor(createExecutor({ tools: [agntnTool(sample)] })),
});

testDoor({ name: "a tool of agntn inside Pi", failureText: "one line", open: (sample) => insidePi(agntnTool(sample)) });

testDoor({ name: "our tool inside Pi", failureText: "data", open: (sample) => insidePi(ourTool(sample)) });

testDoor({
  name: "a tool of Pi",
  failureText: "data",
  open: (sample) => inExecutor(createExecutor({ tools: [fromPiTool(piTool(sample))] })),
});

testDoor({
  name: "elowen",
  failureText: "data",
  open: async (sample) => {
    const executor = createExecutor();
    const register = (ctx: { registerTool(tool: never): void }) => ctx.registerTool(piTool(sample) as never);
    await loadPlugin({ manifest: { name: "tracker" }, register }, { executor });
    return inExecutor(executor);
  },
});

function ourTool({ schema, run, ...rest }: Sample): Tool {
  const execute = (args: never, { signal }: { readonly signal: AbortSignal }) => run(args, signal);
  return defineTool({ ...rest, inputSchema: schema, execute }) as unknown as Tool;
}

function agntnTool({ schema, run, ...rest }: Sample): AgntnTool {
  return defineAgntnTool({ ...rest, input: schema, execute: (input, { signal }) => run(input, signal) }) as never;
}

/** In the shape that Pi's and Elowen's documents share. */
function piTool(sample: Sample) {
  const { name, title, description, snippet, guidelines, schema, run } = sample;
  return {
    name,
    label: title,
    description,
    promptSnippet: snippet,
    promptGuidelines: [...guidelines],
    annotations: ourTool(sample).annotations,
    parameters: schema,
    execute: async (_id: string, params: never, signal: AbortSignal | undefined) =>
      (await run(params, signal as AbortSignal)) as never, // our doors always give one
  };
}

function inExecutor(executor: Executor): OpenDoor {
  const { registry } = executor;
  const [declaration] = registry.declarations();
  const { name, description, inputSchema } = declaration as NonNullable<typeof declaration>;
  const { title, snippet, guidelines, annotations } = registry.get(name) as Tool;
  const shown: ShownTool = { name, title, description, schema: inputSchema, annotations, snippet, guidelines };
  return {
    shown,
    async call(args, signal): Promise<Reply> {
      const { isError, result } = await executor.executeTool(name, args, signal === undefined ? {} : { signal });
      return { isError, content: result.content, details: result.details };
    },
  };
}

function insidePi(tool: Tool | AgntnTool): OpenDoor {
  const given = toPiTool(tool as Tool);
  const { name, label, description, parameters, annotations, promptSnippet, promptGuidelines } = given;
  return {
    shown: {
      name,
      title: label,
      description,
      schema: parameters,
      annotations,
      snippet: promptSnippet,
      guidelines: promptGuidelines,
    },
    async call(args, signal): Promise<Reply> {
      const {
        isError = false,
        content,
        details,
      } = await given.execute("c", args as never, signal, undefined, {} as never);
      return { isError, content, details };
    },
  };
}
