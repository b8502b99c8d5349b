// Loading extensions: who owns what, what is taken away again, and what is said of the parts of Pi that are not there.
import { createExecutor, NestcallError } from "nestcall";
import {
  createPiExtensionHost,
  type ExtensionAPI,
  type ExtensionError,
  fromPiTool,
  isToolCallEventType,
  piExtension,
  type ToolDefinition,
  Type,
  toPiTool,
} from "nestcall/pi";
import { expect, test } from "vitest";
import { at, textOf } from "../../helpers/engine.js";
import { endOf, openDoor, piCaller, piTool } from "./door.js";

/** The error that a function throws or a promise rejects with. */
async function errorOf(run: () => unknown): Promise<NestcallError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof NestcallError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

test("an extension may be synchronous or not; what it registers later counts as well", async () => {
  const executor = createExecutor();
  const host = createPiExtensionHost(executor);
  let later: ExtensionAPI | undefined;
  const names: string[] = [];
  names.push((await host.load((pi) => pi.registerTool(piTool("sync", () => "ran")))).name);
  names.push(
    (
      await host.load(async function slow(pi) {
        await Promise.resolve();
        pi.registerTool(piTool("async", () => "ran"));
        later = pi;
      })
    ).name,
  );
  names.push((await host.load(() => {})).name);
  later?.registerTool(piTool("late", () => "ran"));
  expect(names).toEqual(["extension", "slow", "extension-2"]);
  expect(executor.registry.getAllTools().map(({ name }) => name)).toEqual(["sync", "async", "late"]);
  expect(executor.registry.getMetadata("late")).toMatchObject({ owner: "pi:slow", external: false });
});

test("an extension that fails is named, and what it had registered is withdrawn", async () => {
  const { executor, host } = await openDoor();
  const failing = (pi: ExtensionAPI) => {
    pi.registerTool(piTool("half", () => "ran"));
    pi.on("tool_call", () => ({ block: true }));
    throw new Error("no configuration");
  };
  const error = await errorOf(() => host.load(failing));
  expect([error.code, error.message]).toEqual([
    "HOOK_FAILED",
    'The Pi extension "failing" was not loaded: no configuration',
  ]);
  expect((error.cause as Error).message).toBe("no configuration");
  expect(endOf(await executor.executeTool("half"))).toMatch(/^UNKNOWN_TOOL/);
  await host.load((pi) => pi.registerTool(piTool("fine", () => "ran")));
  expect(endOf(await executor.executeTool("fine"))).toBe("ok");
  const bad = await errorOf(() => host.load((pi) => pi.registerTool(piTool("a tool", () => "ran")), { name: "bad" }));
  expect([bad.code, bad.message]).toEqual([
    "INVALID_TOOL",
    expect.stringContaining('The Pi extension "bad" was not loaded: Tool "a tool"'),
  ]);
  expect((await errorOf(() => host.load("no function" as never))).message).toContain("an extension's default export");
  await host.load(() => {}, { name: "taken" });
  expect((await errorOf(() => host.load(() => {}, { name: "taken" }))).message).toContain("no other extension");
});

test("the first owner of a name keeps it, and the other extension is told; the owner may replace its tool", async () => {
  const { executor, host } = await openDoor();
  await host.load((pi) => pi.registerTool(piTool("x", () => "first")), { name: "one" });
  const two = await host.load((pi) => pi.registerTool(piTool("x", () => "second")), { name: "two" });
  expect(two.collisions).toEqual([{ name: "x", owner: "pi:one", rejectedOwner: "pi:two" }]);
  expect(textOf(await executor.executeTool("x"))).toBe("first");
  await host.load(
    (pi) => {
      pi.registerTool(piTool("y", () => "old", { promptGuidelines: ["old"] }));
      pi.registerTool(piTool("y", () => "new"));
      expect(pi.getAllTools().find(({ name }) => name === "y")).not.toHaveProperty("promptGuidelines");
    },
    { name: "three" },
  );
  expect(textOf(await executor.executeTool("y"))).toBe("new");
});

test("closing the host tells the extensions, then takes handlers, renderers, commands and tools away", async () => {
  const { executor, host, pi } = await openDoor();
  const log: string[] = [];
  executor.registry.register(fromPiTool(piTool("of_the_host", () => "ran")));
  pi.registerTool(piTool("x", () => "ran"));
  pi.on("tool_call", () => void log.push("tool_call"));
  pi.on("session_start", ({ reason }) => void log.push(`start ${reason}`));
  pi.on("session_shutdown", async ({ reason }) => {
    await Promise.resolve();
    log.push(`shutdown ${reason}`);
  });
  pi.registerCommand("go", { handler: async () => {} });
  await host.start();
  await executor.executeTool("x");
  await host.close();
  await host.close();
  expect(endOf(await executor.executeTool("x"))).toMatch(/^UNKNOWN_TOOL/);
  expect(endOf(await executor.executeTool("of_the_host"))).toBe("ok");
  expect(log).toEqual(["start startup", "tool_call", "shutdown quit"]);
  expect(host.getCommands()).toEqual([]);
  for (const use of [
    () => pi.registerTool(piTool("z", () => "")),
    () => pi.on("tool_call", () => {}),
    () => host.load(() => {}),
  ]) {
    expect((await errorOf(use)).code).toBe("CLOSED");
  }
});

test("a session handler that fails is reported with its extension, and the others run", async () => {
  const errors: ExtensionError[] = [];
  const { host, pi } = await openDoor([], { onError: (error) => void errors.push(error) });
  const ran: string[] = [];
  const failure = new Error("failed");
  pi.on("session_start", () => {
    throw failure;
  });
  const remove = pi.on("session_start", () => void ran.push("taken away"));
  pi.on("session_start", () => void ran.push("second"));
  remove();
  pi.events.on("news", () => {
    throw failure;
  });
  pi.events.on("news", async (data) => void ran.push(String(data)));
  await host.start("resume");
  pi.events.emit("news", "hello");
  pi.events.emit("nobody listens", 1);
  expect(ran).toEqual(["second", "hello"]);
  expect(errors).toEqual([
    { extension: "of_the_test", event: "session_start", error: failure },
    { extension: "(any)", event: 'events "news"', error: failure },
  ]);
});

test("parts of Pi that are not there say so when they are used, with their name", async () => {
  const { executor, pi } = await openDoor();
  const api = pi as unknown as { sendMessage(): void; setModel(): void };
  for (const [name, use] of [
    ["pi.sendMessage", () => api.sendMessage()],
    ["pi.setModel", () => api.setModel()],
    ['pi.on("agent_end")', () => pi.on("agent_end" as never, (() => {}) as never)],
  ] as const) {
    const { code, message } = await errorOf(use);
    expect([code, message]).toEqual([
      "INVALID_ARGUMENTS",
      expect.stringMatching(/ is not there: nestcall runs .* without an agent loop/),
    ]);
    expect(message.startsWith(name)).toBe(true);
  }
  expect((await errorOf(() => pi.on("tool_cal" as never, (() => {}) as never))).message).toBe(
    'pi.on takes the name of an event; it got the string "tool_cal". Did you mean "tool_call"?',
  );
  expect((await errorOf(() => pi.on("tool_call", "x" as never))).message).toContain("takes a function");
  pi.registerTool(
    piTool("entries", (_params, ctx) => String((ctx as unknown as { sessionManager: object }).sessionManager)),
  );
  pi.registerTool(piTool("idle", (_params, ctx) => String((ctx as unknown as { isIdle(): boolean }).isIdle())));
  expect(endOf(await executor.executeTool("entries"))).toMatch(/^TOOL_FAILED: ctx\.sessionManager is not there/);
  expect(endOf(await executor.executeTool("idle"))).toMatch(/^TOOL_FAILED: ctx\.isIdle is not there/);
});

test("a host that says so goes on without what is not there", async () => {
  const missing: string[] = [];
  const { executor, pi } = await openDoor([], { missing: (member) => void missing.push(member) });
  pi.on("agent_end" as never, (() => {}) as never)();
  (pi as unknown as { sendMessage(message: object): void }).sendMessage({});
  pi.registerTool(piTool("x", (_params, ctx) => String((ctx as unknown as { scopedModels?: object }).scopedModels)));
  expect(textOf(await executor.executeTool("x"))).toBe("undefined");
  expect(missing).toEqual(['pi.on("agent_end")', "pi.sendMessage", "ctx.scopedModels"]);
});

test("pi.exec gives output, exit code and what ended a program, and never rejects", async () => {
  const { pi } = await openDoor();
  const node = (script: string, options?: Parameters<ExtensionAPI["exec"]>[2]) =>
    pi.exec(process.execPath, ["-e", script], options);
  const plain = { stdout: "", stderr: "", code: 0, killed: false, truncated: false };
  expect(await node("process.stdout.write('out'); process.stderr.write('err'); process.exitCode = 3")).toEqual({
    ...plain,
    stdout: "out",
    stderr: "err",
    code: 3,
  });
  expect(await node("process.stdout.write(process.cwd())", { cwd: "/" })).toEqual({ ...plain, stdout: "/" });
  expect(await node("setInterval(() => {}, 1000)", { timeout: 100 })).toMatchObject({ code: 143, killed: true });
  expect(await node("setInterval(() => {}, 1000)", { signal: AbortSignal.abort() })).toMatchObject({ killed: true });
  expect(await node("process.stdout.write('x'.repeat(5000))", { maxBuffer: 1000 })).toMatchObject({
    killed: true,
    truncated: true,
    code: 1,
  });
  expect(await pi.exec("no-such-program", [])).toEqual({
    ...plain,
    code: 1,
    stderr: expect.stringContaining("ENOENT"),
  });
});

test("what is no executor, no option, no list or no tool is refused with what is wanted", async () => {
  const executor = createExecutor();
  const messages = [];
  for (const use of [
    () => createPiExtensionHost(undefined as never),
    () => createPiExtensionHost(executor, { cdw: "/" } as never),
    () => piExtension({ tools: undefined as never }),
    () => toPiTool({ name: "x" } as never),
  ]) {
    messages.push((await errorOf(use)).message);
  }
  expect(messages).toEqual([
    "createPiExtensionHost takes an executor; it got undefined.",
    'createPiExtensionHost has no option "cdw". Did you mean "cwd"?',
    "piExtension: options.tools must be a list of tools, not undefined.",
    expect.stringMatching(/^Tool "x": /),
  ]);
});

test("commands have one owner, and an unknown one is named with what is close", async () => {
  const { host, pi } = await openDoor();
  const log: string[] = [];
  pi.registerCommand("review", { handler: async (args, ctx) => void log.push(`${args} ${ctx.hasUI}`) });
  await host.runCommand("review", "all of it");
  expect(log).toEqual(["all of it false"]);
  expect((await errorOf(() => host.runCommand("reviw"))).message).toContain('Did you mean "review"?');
  const error = await errorOf(() => host.load((other) => other.registerCommand("review", { handler: async () => {} })));
  expect(error.message).toContain('"of_the_test" has a command "review" already');
});

test("a registered tool's shape is checked in our words, its style is not", async () => {
  const open = Type.Object({ kind: Type.Union([Type.Literal("a"), Type.Literal("b")]) }); // two rules of style broken
  const made = fromPiTool({ ...piTool("open", () => "ran"), parameters: open } as ToolDefinition);
  expect([made.strict, made.title, made.exposure]).toEqual([false, "open", "direct"]);
  expect((await errorOf(() => fromPiTool(undefined as never))).code).toBe("INVALID_TOOL");
  for (const [more, text] of [
    [{ prepareArguments: 5 }, "prepareArguments must be a function"],
    [{ renderCall: "x" }, "renderCall must be a function"],
    [{ parameters: Type.String() }, "inputSchema must be an object schema"],
    [{ parameters: () => ({}) }, "it is a function"],
    [{ execute: undefined }, "execute"],
    [{ exposure: "public" }, "exposure must be one of"],
  ] as const) {
    const definition = { ...piTool("bad", () => "ran"), ...more } as unknown as ToolDefinition;
    const { code, message } = await errorOf(() => fromPiTool(definition));
    expect([code, message]).toEqual(["INVALID_TOOL", expect.stringContaining(text)]);
  }
});

test("a Pi tool on its own runs on any executor: five arguments, prepareArguments, a description that is read anew", async () => {
  let version = 1;
  const definition = {
    name: "own",
    label: "Own",
    get description() {
      return `Version ${version}.`;
    },
    parameters: Type.Object({ path: Type.String() }),
    greeting: "hello",
    prepareArguments(raw: unknown) {
      return { path: String((raw as { file?: unknown }).file ?? (raw as { path?: unknown }).path) };
    },
    async execute(this: { greeting: string }, ...given: readonly unknown[]) {
      const [id, params, signal, onUpdate, ctx] = given;
      const kinds = [typeof id, JSON.stringify(params), signal instanceof AbortSignal, typeof onUpdate, typeof ctx];
      return { content: [{ type: "text" as const, text: `${this.greeting} ${kinds.join(" ")}` }], details: undefined };
    },
  };
  const executor = createExecutor({ tools: [fromPiTool(definition as ToolDefinition)] });
  expect(textOf(await executor.executeTool("own", { file: "a" }))).toBe(
    'hello string {"path":"a"} true function object',
  );
  version = 2;
  expect(at(executor.registry.getAllTools(), 0).description).toBe("Version 2.");
});

test("isToolCallEventType narrows an event to a tool whose arguments are known", async () => {
  const { executor, pi } = await openDoor();
  pi.registerTool(piTool("leaf", (params) => String(params.n)));
  pi.registerTool(piCaller("top", [["leaf", { n: 1 }]]));
  pi.on("tool_call", (event) => {
    if (isToolCallEventType<"leaf", { n: number }>("leaf", event)) event.input.n += 1;
  });
  expect(textOf(await executor.executeTool("top"))).toBe("2");
});
