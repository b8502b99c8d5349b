// Whose a tool is when several doors and hosts stand on one executor: no two of them may own each other's tools.
import { createExecutor } from "nestcall";
import { createPiExtensionHost, type ExtensionAPI } from "nestcall/pi";
import { expect, test } from "vitest";
import { answer, load, pluginOf, pluginTool, rejection } from "../helpers/elowen.js";
import { textOf } from "../helpers/engine.js";
import { endOf, piTool } from "./pi/door.js";

const reviewOf = (text: string) =>
  function review(pi: ExtensionAPI) {
    pi.registerTool(piTool("look", () => text));
  };

test("two hosts on one executor keep their extensions apart, though both are called review", async () => {
  const executor = createExecutor();
  const [one, two] = [createPiExtensionHost(executor), createPiExtensionHost(executor)];
  expect((await one.load(reviewOf("first"))).name).toBe("review");
  const second = await two.load(reviewOf("second"));
  expect(second.name).toBe("review-2");
  expect(second.collisions).toEqual([{ name: "look", owner: "pi:review", rejectedOwner: "pi:review-2" }]);
  expect((await rejection(two.load(reviewOf("third"), { name: "review" }))).message).toMatch(/no other extension has/);
  await two.close();
  expect(textOf(await executor.executeTool("look"))).toBe("first");
  await one.close();
  expect(endOf(await executor.executeTool("look"))).toMatch(/^UNKNOWN_TOOL/);
});

test("an extension that was closed or that failed leaves its name to the next, and takes nothing from it later", async () => {
  const executor = createExecutor();
  const old = createPiExtensionHost(executor);
  let failLate: (() => void) | undefined;
  const loading = old.load(
    (pi) => {
      pi.registerTool(piTool("look", () => "old"));
      return new Promise((_resolve, reject) => {
        failLate = () => reject(new Error("late"));
      });
    },
    { name: "review" },
  );
  await old.close();
  const next = createPiExtensionHost(executor);
  await next.load(reviewOf("new"));
  failLate?.();
  expect((await rejection(loading)).message).toMatch(/late/);
  expect(executor.registry.getMetadata("look")?.owner).toBe("pi:review");
  expect(textOf(await executor.executeTool("look"))).toBe("new");
  expect((await createPiExtensionHost(executor).load(reviewOf("other"))).name).toBe("review-2");
});

test("a plugin and an extension of one name are two owners, whoever comes first", async () => {
  for (const order of ["extension first", "plugin first"]) {
    const executor = createExecutor();
    const host = createPiExtensionHost(executor);
    const plugin = pluginOf([pluginTool("look", () => answer("plugin"))], { name: "review" });
    const texts: string[] = [];
    if (order === "plugin first") await load(plugin, { executor });
    const extension = await host.load(reviewOf("extension"));
    if (order === "extension first") texts.push(...(await load(plugin, { executor })).logged);
    texts.push(textOf(await executor.executeTool("look")), ...extension.collisions.map(({ owner }) => String(owner)));
    await host.close();
    texts.push(endOf(await executor.executeTool("look")).slice(0, 12));
    expect([order, texts]).toEqual([
      order,
      order === "plugin first"
        ? ["plugin", "review", "ok"]
        : [
            'warn [review] the tool "look" is left out: the Pi extension "review" has a tool of this name',
            "extension",
            "UNKNOWN_TOOL",
          ],
    ]);
  }
});

test("a plugin cannot take an extension's owner by its name, nor an extension a plugin's", async () => {
  const executor = createExecutor();
  const host = createPiExtensionHost(executor);
  await host.load(reviewOf("extension"));
  const plugin = pluginOf([pluginTool("look", () => answer("plugin"))], { name: "pi:review" });
  expect((await rejection(load(plugin, { executor }))).message).toMatch(/^Plugin "pi:review" is loaded already/);
  await load(pluginOf([], { name: "pi:other" }), { executor });
  expect((await rejection(host.load(() => {}, { name: "other" }))).message).toMatch(/no other extension has/);
});

test("a session's grants tell an extension from a plugin", async () => {
  const executor = createExecutor();
  await createPiExtensionHost(executor).load(reviewOf("extension"));
  await load(pluginOf([pluginTool("other")], { name: "review" }), { executor });
  const asked: string[] = [];
  executor.registry
    .forSession({
      isGranted: (owner, name) => {
        asked.push(`${owner} ${name}`);
        return true;
      },
    })
    .getActiveTools();
  expect(new Set(asked)).toEqual(new Set(["pi:review look", "review other"]));
});
