import { test, vi } from "vitest";
import { createRandom } from "../helpers/random.js";
import { checkTree } from "../helpers/tree-model.js";
import { makeTree } from "../helpers/tree-plan.js";
import { runTree } from "../helpers/tree-run.js";

test("debug", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const seed = Number(process.env.NESTCALL_SEED);
  const random = createRandom(seed);
  const tree = makeTree(random);
  const show = (p: any, d = 0): void => {
    console.log(
      "  ".repeat(d),
      p.key,
      p.target,
      p.arguments,
      "hook",
      p.hook,
      p.hookWaits ? "waits" : "",
      "rh",
      p.resultHook,
      "sig",
      p.signal,
      p.isStubborn ? "stubborn" : "",
      p.ending,
      p.usage,
      p.amount,
    );
    for (const s of p.steps) {
      console.log("  ".repeat(d + 1), "-", s.type, s.mode ?? "");
      if (s.plan) show(s.plan, d + 2);
    }
  };
  for (const r of tree.roots) show(r);
  console.log({ ...tree, roots: 0 });
  const run = await runTree(tree, random);
  for (const e of run.log as any[])
    console.log(
      e.type,
      e.key ?? e.plan?.key ?? `${e.event?.type} ${e.event?.toolCallId} ${e.event?.status ?? ""}`,
      e.type === "outcome"
        ? JSON.stringify([
            e.outcome.toolCall.id,
            e.outcome.status,
            e.outcome.error?.code,
            e.outcome.result.content.map((b: any) => b.text?.slice(0, 200)),
            e.outcome.usage,
            e.outcome.nestedCalls && 1,
          ])
        : "",
    );
  try {
    checkTree(tree, run);
  } catch (e: any) {
    console.log(e.message);
    console.log(e.expected, e.actual);
  }
});
