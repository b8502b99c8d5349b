// The tools inside the real Pi 1.6.0: what its sessions keep is what our executor keeps for the same calls.
import { createExecutor, type NestedCallRecord, type NestedCalls, type ToolResultMessage } from "nestcall";
import { createPiExtensionHost, type ExtensionFactory } from "nestcall/pi";
import { beforeAll, expect, type TestContext, test } from "vitest";
import { ensureBuilt } from "../../../examples/built.js";
import { at } from "../../../helpers/engine.js";
import approvalGuard from "../samples/approval-guard.js";
import { nativeTools } from "../samples/native-review.js";
import reviewExtension from "../samples/review-extension.js";
import { installPi, runSession, Unreachable } from "./install.js";
import { compileAgainstPi } from "./pi-types.js";

interface PiSession {
  readonly errors: readonly unknown[];
  /** Each call that a handler of Pi saw: id, name, id of the parent. */
  readonly seen: readonly (readonly [string, string, string | null])[];
  readonly active: readonly string[];
  readonly results: readonly ToolResultMessage[];
}
interface Sessions {
  readonly native: PiSession;
  readonly samples: PiSession;
  readonly drawn: unknown;
  readonly connections: readonly string[];
}

let made: Sessions | Unreachable;
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  try {
    folder = await installPi();
    made = (await runSession(folder)) as Sessions;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    made = error;
    console.warn(reasonOf(error));
  }
}, 600_000);

function sessions({ skip }: TestContext): Sessions {
  if (!(made instanceof Unreachable)) return made;
  return skip(reasonOf(made));
}

function reasonOf({ message }: Unreachable): string {
  return `The package registry cannot be reached, so there is no real Pi here (${message}).`;
}

/** The same calls in our executor. */
async function ours(
  extensions: readonly ExtensionFactory[],
  names: readonly string[],
  tools: typeof nativeTools | readonly [] = [],
): Promise<readonly ToolResultMessage[]> {
  const executor = createExecutor({ tools });
  const host = createPiExtensionHost(executor);
  for (const extension of extensions) await host.load(extension);
  const calls = names.map((name, index) => ({ id: `call_${index + 1}`, name, arguments: {} }));
  const { messages } = await executor.executeBatch(calls);
  await executor.close();
  return messages;
}

/** A record without times, and without what Pi's has not: codes, and how many calls were dropped. */
function comparable({ calls, complete }: NestedCalls): unknown {
  const parts = calls.map(({ durationMs: _, code: __, ...call }: NestedCallRecord) => call);
  return { calls: parts, complete };
}

test("a review by our tools in a session of Pi leaves the record that it leaves here", async (context) => {
  const { native, connections } = sessions(context);
  const messages = await ours([approvalGuard], ["review_diff", "fan_out"], nativeTools);
  expect(native.errors).toEqual([]);
  expect(native.results.map(({ nestedCalls }) => comparable(nestedCalls as NestedCalls))).toEqual(
    messages.map(({ nestedCalls }) => comparable(nestedCalls as NestedCalls)),
  );
  for (const [index, message] of messages.entries()) {
    const { content, details, isError } = at(native.results, index);
    expect({ content, details, isError }).toEqual({
      content: message.content,
      details: message.details,
      isError: message.isError,
    });
  }
  expect(connections).toEqual([]);
});

test("P47: Pi's handlers see the calls that our tools make inside Pi, at every depth", (context) => {
  const { native } = sessions(context);
  const review = native.seen.filter(([id]) => id.startsWith("call_1"));
  expect(review.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
    ["call_1", "review_diff", null],
    ["call_1/1", "run_checks", "call_1"],
    ["call_1/2", "inspect_file", "call_1"],
    ["call_1/2/1", "dangerous_commands", "call_1/2"],
    ["call_1/2/2", "dangerous_commands", "call_1/2"],
    ["call_1/3", "failing_tests", "call_1"],
    ["call_1/4", "clean_up", "call_1"],
    ["call_1/5", "read_history", "call_1"],
  ]);
  const blocked = at(native.results, 0).nestedCalls?.calls.find(({ name }) => name === "clean_up");
  expect(blocked).toMatchObject({ status: "error", error: "clean_up needs approval, and there is no UI to ask" });
});

test("P41, P42: a record of 300 calls is cut in the same place in both", (context) => {
  const { native } = sessions(context);
  const { nestedCalls, content } = at(native.results, 1);
  expect(nestedCalls?.calls).toHaveLength(256);
  expect(nestedCalls?.complete).toBe(false);
  expect(content).toEqual([{ type: "text", text: "300 of 300" }]);
});

test("P43, P44: Pi counts the usage of our tools once, in its own fields", (context) => {
  const { native } = sessions(context);
  expect(at(native.results, 0).usage).toMatchObject({ input: 4, output: 0, totalTokens: 4, cost: { total: 1 } });
});

test("exposures of our tools are Pi's: only direct and model-only ones start active", (context) => {
  expect(sessions(context).native.active).toEqual(
    nativeTools.filter(({ exposure }) => exposure === "direct" || exposure === "model-only").map(({ name }) => name),
  );
});

test("P66: the tools of Pi's chapter give the same review and record in Pi and here", async (context) => {
  const { samples } = sessions(context);
  const [message] = await ours([reviewExtension, approvalGuard], ["review_diff"]);
  const [kept] = samples.results;
  expect(samples.errors).toEqual([]);
  expect(kept?.content).toEqual(message?.content);
  expect(kept?.details).toEqual(message?.details);
  expect(comparable(kept?.nestedCalls as NestedCalls)).toEqual(comparable(message?.nestedCalls as NestedCalls));
});

test("P59: our drawings are components of Pi's own Text on its screen", (context) => {
  expect(sessions(context).drawn).toEqual([
    [true, ["<accent>review (review_diff)"]],
    [true, ["fine"]],
  ]);
});

test("P9: the samples compile with Pi's types as they do with ours, and our tools fit where Pi takes tools", async (context) => {
  sessions(context);
  expect(await compileAgainstPi(folder)).toBe("");
}, 120_000);
