import { Type } from "typebox";
import { expect, test } from "vitest";
import { defineTool } from "../../src/tools/define-tool.js";
import { lazy } from "../../src/tools/lazy.js";
import type { ToolContext } from "../../src/tools/tool.js";

const context = (signal = new AbortController().signal) => ({ signal }) as unknown as ToolContext; // all that is read here

test("4.1: a lazy tool loads nothing until it is called, and once for ten calls at a time", async () => {
  let loads = 0;
  const tool = defineTool({
    name: "heavy",
    description: "Heavy.",
    inputSchema: Type.Object({ n: Type.Number() }, { additionalProperties: false }),
    execute: lazy(async () => {
      loads += 1;
      return { default: (args: { readonly n: number }) => `ran ${args.n}` };
    }),
  });
  expect(loads).toBe(0);
  const results = await Promise.all(Array.from({ length: 10 }, (_, n) => tool.execute({ n }, context())));
  expect([results[9], loads]).toEqual(["ran 9", 1]);
});

test("4.1: a module's execute and a plain function are taken too, anything else is refused", async () => {
  expect(await lazy(async () => ({ execute: () => "module" }))()).toBe("module");
  expect(await lazy(async () => () => "function")()).toBe("function");
  const nothing = lazy(async () => ({ run: () => "x" }) as never) as () => Promise<unknown>;
  await expect(nothing()).rejects.toMatchObject({ code: "INVALID_TOOL" });
});

test.each([5, undefined, null, {}, "x"])("4.1: lazy(%j) is refused at once", (load) => {
  const refusal = expect.objectContaining({
    code: "INVALID_TOOL",
    message: expect.stringContaining("lazy takes a fun"),
  });
  expect(() => lazy(load as never)).toThrow(refusal as unknown as Error);
});

test("4.1: a failed load rejects with its cause and is tried again", async () => {
  const cause = new Error("no such file");
  let loads = 0;
  const execute = lazy(async () => {
    loads += 1;
    if (loads === 1) throw cause;
    return () => "ran";
  });
  await expect(Promise.all([execute(), execute()])).rejects.toMatchObject({ code: "TOOL_FAILED", cause });
  expect([await execute(), loads]).toEqual(["ran", 2]);
});

test("T2: a call that was aborted while its code loaded does not begin", async () => {
  const controller = new AbortController();
  let ran = false;
  const execute = lazy(async () => {
    controller.abort(new Error("stop"));
    return (_args: object, _ctx: ToolContext) => {
      ran = true;
    };
  });
  await expect(execute({}, context(controller.signal))).rejects.toThrow("stop");
  expect(ran).toBe(false);
});
