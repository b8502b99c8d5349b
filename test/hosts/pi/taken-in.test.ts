// One definition registered several times, and calls that share an id: each keeps its own.
import { createExecutor } from "nestcall";
import { fromPiTool } from "nestcall/pi";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { textOf } from "../../helpers/engine.js";
import { openDoor, piTool } from "./door.js";

test("one object registered as three tools declares each with its own description", async () => {
  const { executor, pi } = await openDoor();
  const definition = piTool("none", () => "ran", { promptGuidelines: ["none"] });
  const asked: string[] = [];
  for (const name of ["a", "b", "c"]) {
    Object.assign(definition, { name, description: `Does ${name}.`, namespace: { name: "n", aliases: [name] } });
    definition.promptGuidelines?.splice(0, 1, `Use ${name}.`);
    definition.reachesTools = () => [name];
    definition.prepareLoadout = () => {
      asked.push(name);
      return { descriptions: { [name]: `Declared ${name}.` } };
    };
    pi.registerTool(definition);
  }
  expect(
    pi.getAllTools().map((info) => [info.description, info.namespace, info.reachesTools?.({}), info.promptGuidelines]),
  ).toEqual(["a", "b", "c"].map((name) => [`Does ${name}.`, { name: "n", aliases: [name] }, [name], [`Use ${name}.`]]));
  expect(executor.registry.declarations().map(({ description }) => description)).toEqual([
    "Declared a.",
    "Declared b.",
    "Declared c.",
  ]);
  expect(asked).toEqual(["a", "b", "c"]);
  pi.setActiveTools(["c"]);
  asked.length = 0;
  executor.registry.declarations();
  expect(asked).toEqual(["c"]);
});

test("a description that a class computes is read anew; a plain one is taken in", () => {
  class Moody {
    version = 1;
    readonly name = "moody";
    readonly label = "Moody";
    readonly parameters = { type: "object" };
    get description() {
      return `Version ${this.version}.`;
    }
    async execute() {
      return { content: [], details: undefined };
    }
  }
  const moody = new Moody();
  const plain = piTool("plain", () => "ran");
  const { registry } = createExecutor({ tools: [fromPiTool(moody), fromPiTool(plain)] });
  moody.version = 2;
  plain.description = "Changed.";
  expect(registry.getAllTools().map(({ description }) => description)).toEqual(["Version 2.", "The test tool plain."]);
});

test("two root calls of one id: the second's progress has its arguments after the first has ended", async () => {
  const { executor, pi } = await openDoor();
  const gates = [createGate(), createGate()];
  const args: unknown[] = [];
  pi.on("tool_execution_update", (event) => void args.push(event.args));
  pi.registerTool({
    ...piTool("x", () => ""),
    async execute(_id, params: { n: number }, _signal, onUpdate) {
      await gates[params.n]?.promise;
      onUpdate?.({ content: [], details: undefined });
      return { content: [{ type: "text", text: "ran" }], details: undefined };
    },
  });
  const calls = [0, 1].map((n) => executor.executeTool("x", { n }, { toolCallId: "same" }));
  gates[0]?.open();
  expect(textOf(await (calls[0] as (typeof calls)[number]))).toBe("ran");
  gates[1]?.open();
  await calls[1];
  expect(args).toEqual([{ n: 0 }, { n: 1 }]);
});
