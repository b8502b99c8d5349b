// What a host or an extension gave may throw or reject wherever it is called: nobody waits for it, so nobody would catch it.
import { createExecutor, defineTool, type Tool, Type } from "nestcall";
import { createPiExtensionHost, type ExtensionError, fromPiTool, Text, toPiTool } from "nestcall/pi";
import { expect, onTestFinished, test, vi } from "vitest";
import { load, pluginOf } from "../helpers/elowen.js";
import { textOf, tool } from "../helpers/engine.js";
import { openDoor, piTool } from "./pi/door.js";

const failure = new Error("rejected");
const rejects = async (): Promise<never> => {
  throw failure;
};

/** What would end the process; fails the test that asks for it when there is something. */
function unhandled(): () => Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const hear = (reason: unknown) => void seen.push(reason);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  return async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return seen;
  };
}

test("a plugin's logger that rejects ends nothing", async () => {
  const rejections = unhandled();
  const logger = { debug: rejects, info: rejects, warn: rejects, error: rejects };
  const plugin = {
    ...pluginOf([]),
    register: (ctx: Parameters<ReturnType<typeof pluginOf>["register"]>[0]) => {
      for (const level of ["debug", "info", "warn", "error"] as const) ctx.logger[level]("said");
    },
  };
  await load(plugin, { logger });
  expect(await rejections()).toEqual([]);
});

test("notes to a person that reject or throw are reported, and fail no tool", async () => {
  const rejections = unhandled();
  const errors: ExtensionError[] = [];
  const ui = {
    notify: rejects,
    setStatus: () => {
      throw failure;
    },
    setTitle: rejects,
  };
  const { executor, pi } = await openDoor([], { ui, onError: (error) => void errors.push(error) });
  pi.registerTool(
    piTool("x", (_params, ctx) => {
      ctx.ui.notify("note");
      ctx.ui.setStatus("key", "text");
      (ctx.ui as unknown as { setTitle(title: string): void }).setTitle("title");
      return "ran";
    }),
  );
  expect(textOf(await executor.executeTool("x"))).toBe("ran");
  expect(await rejections()).toEqual([]);
  expect(errors.map(({ event, error }) => [event, error])).toEqual(
    expect.arrayContaining([
      ["ctx.ui.notify", failure],
      ["ctx.ui.setStatus", failure],
      ["ctx.ui.setTitle", failure],
    ]),
  );
});

test("a question that rejects reaches who waits for it, and ends nothing when nobody does", async () => {
  const rejections = unhandled();
  const ui = { select: rejects, confirm: rejects, input: rejects, editor: rejects };
  const { executor, pi } = await openDoor([], { ui });
  pi.registerTool(
    piTool("careless", (_params, ctx) => {
      void ctx.ui.select("t", []);
      void ctx.ui.confirm("t", "m");
      void ctx.ui.input("t");
      void (ctx.ui as unknown as { editor(title: string): Promise<string> }).editor("t");
      return "ran";
    }),
  );
  pi.registerTool(piTool("careful", async (_params, ctx) => String(await ctx.ui.confirm("t", "m").catch(String))));
  expect(textOf(await executor.executeTool("careless"))).toBe("ran");
  expect(textOf(await executor.executeTool("careful"))).toBe("Error: rejected");
  expect(await rejections()).toEqual([]);
});

test("a tool that stands alone tells the console of a note that rejects", async () => {
  const rejections = unhandled();
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => told.mockRestore());
  const note = piTool("x", (_params, ctx) => {
    ctx.ui.notify("note");
    return "ran";
  });
  const executor = createExecutor({ tools: [fromPiTool(note, { ui: { notify: rejects } })] });
  expect(textOf(await executor.executeTool("x"))).toBe("ran");
  expect(await rejections()).toEqual([]);
  expect(told.mock.calls).toEqual([[expect.stringContaining("ctx.ui.notify"), failure]]);
});

test.each([
  ["rejects", rejects],
  [
    "throws",
    () => {
      throw failure;
    },
  ],
])("an onError that %s is told to the console, and the next handler runs", async (_how, onError) => {
  const rejections = unhandled();
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => told.mockRestore());
  const { host, pi } = await openDoor([], { onError });
  const ran: string[] = [];
  pi.on("session_start", rejects);
  pi.on("session_start", () => void ran.push("second"));
  pi.events.on("news", rejects);
  pi.events.on("news", () => {
    throw failure;
  });
  pi.events.on("news", () => void ran.push("third"));
  await host.start();
  pi.events.emit("news", 1);
  expect(await rejections()).toEqual([]);
  expect(ran).toEqual(["second", "third"]);
  expect(told).toHaveBeenCalledTimes(6); // each failure, and each time what became of telling it
});

test("a missing that rejects is reported; one that throws refuses", async () => {
  const rejections = unhandled();
  const errors: ExtensionError[] = [];
  const { pi } = await openDoor([], { missing: rejects, onError: (error) => void errors.push(error) });
  (pi as unknown as { sendMessage(): void }).sendMessage();
  expect(await rejections()).toEqual([]);
  expect(errors).toEqual([{ extension: "(any)", event: "missing pi.sendMessage", error: failure }]);
  const strict = await openDoor([], {
    missing: () => {
      throw failure;
    },
  });
  expect(() => (strict.pi as unknown as { sendMessage(): void }).sendMessage()).toThrow(failure);
});

test("what must answer at once and answers later is an error, and its rejection is nobody's", async () => {
  const rejections = unhandled();
  const { executor, pi } = await openDoor();
  const problems: unknown[] = [];
  executor.on("observer_error", ({ error }) => void problems.push((error as Error).message));
  pi.registerTool(piTool("x", () => "ran", { prepareLoadout: rejects, renderCall: rejects, renderResult: rejects }));
  pi.registerToolRenderer(rejects as never);
  expect(executor.registry.declarations().map(({ name }) => name)).toEqual(["x"]);
  const drawn = executor.registry.renderersOf("x");
  drawn.renderCall({}, {} as never);
  drawn.renderResult({ content: [] }, {} as never);
  expect(await rejections()).toEqual([]);
  expect(problems.length).toBeGreaterThanOrEqual(4);
  expect(problems.join("\n")).toMatch(/promise/);
});

test("inside Pi, drawings that come later are an error, and their rejection is nobody's", async () => {
  const rejections = unhandled();
  const made = toPiTool(
    defineTool({
      name: "late",
      description: "Draws later.",
      inputSchema: Type.Object({}),
      strict: false,
      renderCall: rejects as never,
      execute: () => "ran",
    }) as unknown as Tool,
    { Text },
  );
  expect(() => made.renderCall?.({}, {} as never, {} as never)).toThrow(/promise/);
  expect(await rejections()).toEqual([]);
});

test("closing goes through to the end whatever fails, and who closes twice waits for the same end", async () => {
  const executor = createExecutor({ tools: [tool("of_the_host", () => "ran")] });
  const errors: ExtensionError[] = [];
  const host = createPiExtensionHost(executor, { onError: (error) => void errors.push(error) });
  let isBroken = false;
  let shutDown: (() => void) | undefined;
  await host.load(
    (pi) => {
      pi.registerTool({
        ...piTool("broken", () => "ran"),
      });
      const broken = piTool("moody", () => "ran");
      Object.defineProperty(broken, "description", {
        get() {
          if (isBroken) throw failure;
          return "A tool.";
        },
      });
      pi.registerTool(broken);
      pi.registerTool(piTool("last", () => "ran"));
      pi.on("tool_call", () => ({ block: true }));
      pi.on("session_shutdown", () => new Promise<void>((resolve) => (shutDown = resolve)));
    },
    { name: "one" },
  );
  await host.load((pi) => pi.registerTool(piTool("of_two", () => "ran")), { name: "two" });
  isBroken = true;
  const log: string[] = [];
  const first = host.close().then(() => void log.push("first"));
  const second = host.close().then(() => void log.push("second"));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual([]);
  shutDown?.();
  await Promise.all([first, second]);
  expect(log).toEqual(["first", "second"]);
  for (const name of ["broken", "moody", "last", "of_two"])
    expect((await executor.executeTool(name)).error?.code).toBe("UNKNOWN_TOOL");
  expect(textOf(await executor.executeTool("of_the_host"))).toBe("ran");
  expect(errors).toEqual([]);
  expect(executor.registry.getAllTools()).toHaveLength(5);
});
