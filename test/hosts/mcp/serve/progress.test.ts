// What a client that asks for progress sees of nested calls, and that it is not drowned in it.
import { createExecutor, type Tool } from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, onTestFinished, test } from "vitest";
import { paced } from "../../../../src/hosts/mcp/serve/progress-feed.js";
import { tool } from "../../../helpers/engine.js";
import { type Answerer, type Called, conductor, ERAS, guarded, served, yes } from "./served.js";

interface Progress {
  readonly progress: number;
  readonly message?: string;
}

function executorOf(...tools: readonly Tool[]) {
  const executor = createExecutor({ tools });
  onTestFinished(() => executor.close());
  return executor;
}

/** The lines that come with one call; the times, which differ, are cut out. */
async function linesOf(client: Called, name: string, args: object = {}): Promise<string[]> {
  const got: Progress[] = [];
  await client.call(name, args, { onprogress: (one: Progress) => got.push(one) });
  const own = got.filter(({ message }) => message?.startsWith("Fulfilling") !== true); // that is the client's own
  return own.map(({ message = "" }) => message.replace(/ \d+ ms/, " N ms"));
}

test.each(ERAS)("8: %s: nested calls of every depth show as they begin and end, before the result", async (era) => {
  const executor = executorOf(
    conductor(),
    tool("read_file", () => "text"),
    tool("fails", () => {
      throw new Error("the disk is full\nand more");
    }),
    tool("tells", (_args, ctx) => void ctx.onUpdate({ content: [{ type: "text", text: "half\u001b[31m way" }] })),
  );
  const { client } = await served(executor, { era });
  const inner = { calls: [["read_file"], ["tells"]] };
  expect(
    await linesOf(client, "conduct", { calls: [["read_file"], ["conduct", inner], ["fails"], ["nowhere"]] }),
  ).toEqual([
    "T/1 read_file …",
    "T/1 read_file … ok N ms",
    "T/2 conduct …",
    "T/2/1 read_file …",
    "T/2/1 read_file … ok N ms",
    "T/2/2 tells …",
    "T/2/2 tells: half way",
    "T/2/2 tells … ok N ms",
    "T/2 conduct … ok N ms",
    "T/3 fails …",
    "T/3 fails … error N ms: the disk is full",
    "T/4 nowhere …",
    'T/4 nowhere … error: There is no tool "nowhere" that can be called here.',
  ]);
  expect(await linesOf(client, "tells")).toEqual(["half way"]);
});

test.each(ERAS)("8: %s: each call hears of its own, and one that asks for no progress of nothing", async (era) => {
  const gates = [createGate(), createGate()];
  const leaf = tool("leaf", async (args) => {
    const own = (args as { n: number }).n;
    gates[own]?.open();
    await gates[1 - own]?.promise; // both are running
  });
  const executor = executorOf(conductor(), leaf);
  const { client } = await served(executor, { era });
  const [first, second] = await Promise.all([
    linesOf(client, "conduct", { calls: [["leaf", { n: 0 }]] }),
    linesOf(client, "conduct", { calls: [["nowhere"], ["leaf", { n: 1 }]] }),
  ]);
  expect(first).toEqual(["T/1 leaf …", "T/1 leaf … ok N ms"]);
  expect(second).toHaveLength(4);
  await client.call("conduct", { calls: [["nowhere"]] });
});

test("8.1: legacy: a call that waits for a person says so; in the newer protocol its progress goes on with the answer", async () => {
  for (const era of ERAS) {
    const { executor, approvals } = guarded([conductor(), tool("wipe", () => "", { effect: "destructive" })]);
    const onElicit: Answerer = yes;
    const { client } = await served(executor, { era, approvals, onElicit });
    const waits = era === "legacy" ? ["T/1 wipe … waits for approval"] : [];
    expect(await linesOf(client, "conduct", { calls: [["wipe"]] })).toEqual([
      "T/1 wipe …",
      ...waits,
      "T/1 wipe … ok N ms",
    ]);
  }
});

test.each(ERAS)("8: %s: nobody listens to the executor when nobody asks for progress", async (era) => {
  const executor = executorOf(conductor());
  let listeners = 0;
  const counting = {
    ...executor,
    subscribe: (listener: Parameters<typeof executor.subscribe>[0]) => {
      listeners += 1;
      const stop = executor.subscribe(listener);
      return () => {
        listeners -= 1;
        stop();
      };
    },
  };
  const { client } = await served(counting, { era });
  await client.call("conduct");
  expect(listeners).toBe(0);
  const during: number[] = [];
  executor.registry.register(tool("look", () => void during.push(listeners)));
  await Promise.all([linesOf(client, "look"), linesOf(client, "look")]);
  expect([during, listeners]).toEqual([[1, 1], 0]);
});

test("8: lines beyond fifty at once are left out and counted, and none waits for a client that takes none", async () => {
  const sent: string[] = [];
  const say = paced(async (progress, line) => void sent.push(`${progress} ${line}`));
  for (let n = 1; n <= 500; n += 1) say(`line ${n}`);
  expect(sent).toHaveLength(50);
  expect(sent.at(-1)).toBe("50 line 50");
  await new Promise((resolve) => setTimeout(resolve, 60)); // a twentieth of a second makes room for one
  say("late");
  expect(sent.at(-1)).toBe("51 late (450 lines before this one are not shown)");
  let stuck = 0;
  const sayToNobody = paced(() => {
    stuck += 1;
    return Promise.reject(new Error("gone"));
  });
  sayToNobody("x");
  expect(stuck).toBe(1);
});
