import { createExecutor, type NestedCallRecord, type NestedCalls } from "nestcall";
import { type CallNode, type RecordedCall, recordTree } from "nestcall/trace";
import { expect, test } from "vitest";
import { at, caller, tool } from "../helpers/engine.js";
import { createRandom, forEachSeed, seedOfThisRun } from "../helpers/random.js";

const call = (id: string, more: Partial<NestedCallRecord> = {}): NestedCallRecord => ({
  id,
  name: `n${id}`,
  status: "ok",
  ...more,
});
const record = (...ids: string[]): NestedCalls => ({ calls: ids.map((id) => call(id)), complete: true });

/** `a(a/1(a/1/1) a/2)` */
function shape({ id, children }: CallNode): string {
  return children.length === 0 ? id : `${id}(${children.map(shape).join(" ")})`;
}

test("calls stand below the one that made them, in the order in which they were made", () => {
  expect(shape(recordTree(record("r/1", "r/2", "r/1/1", "r/2/1", "r/1/2", "r/1/1/1")).root)).toBe(
    "r(r/1(r/1/1(r/1/1/1) r/1/2) r/2(r/2/1))",
  );
});

test("a root id may have slashes, and a bare record may hold one call", () => {
  expect(shape(recordTree(record("a/1/1", "a/1/1/1")).root)).toBe("a/1(a/1/1(a/1/1/1))");
  expect(shape(recordTree(record("solo")).root)).toBe("(solo)");
});

test("an outcome, its message and the record alone give the same calls; the first two know the root", async () => {
  const executor = createExecutor({ tools: [tool("leaf", () => "ran"), caller("top", [["leaf", { n: 1 }], ["no"]])] });
  const outcome = await executor.executeTool("top", { a: 1 }, { toolCallId: "T" });
  const { messages } = await executor.executeBatch([{ id: "T", name: "top", arguments: { a: 1 } }]);
  const tree = recordTree(outcome);
  expect(tree).toMatchObject({ complete: true, dropped: 0 });
  expect(tree.root).toMatchObject({ id: "T", name: "top", status: "ok", arguments: { a: 1 } });
  expect(tree.root.children).toMatchObject([
    { id: "T/1", name: "leaf", arguments: { n: 1 }, status: "ok" },
    {
      id: "T/2",
      name: "no",
      status: "error",
      code: "UNKNOWN_TOOL",
      error: expect.stringContaining("There is no tool"),
    },
  ]);
  const names = (node: CallNode): unknown => [node.id, node.name, node.children.map(names)];
  expect(names(recordTree(at(messages, 0)).root)).toEqual(names(tree.root));
  expect(recordTree(outcome.nestedCalls as NestedCalls).root).toMatchObject({ id: "T", status: "unknown" });
  expect(recordTree(JSON.parse(JSON.stringify(outcome)) as RecordedCall)).toEqual(tree);
});

test("an outcome without nested calls is a tree of one; its error is told", async () => {
  const executor = createExecutor({ tools: [] });
  const tree = recordTree(await executor.executeTool("no", {}, { toolCallId: "T" }));
  expect(tree.root).toMatchObject({ id: "T", name: "no", status: "error", code: "UNKNOWN_TOOL", children: [] });
});

test("dropped calls, omitted arguments and calls that did not finish are told", async () => {
  const calls = Array.from({ length: 260 }, () => ["leaf", {}] as const);
  const executor = createExecutor({ tools: [tool("leaf", () => "ran"), caller("top", calls)] });
  expect(recordTree(await executor.executeTool("top", {}))).toMatchObject({ complete: false, dropped: 4 });

  const cut = {
    calls: [call("r/1", { argumentsBytes: 9000 }), call("r/2", { status: "unfinished" })],
    complete: false,
  };
  expect(recordTree(cut).root.children).toMatchObject([{ argumentsBytes: 9000 }, { status: "unfinished" }]);
});

test("a parent that is missing has a place of its own; one that comes later takes it", () => {
  const tree = recordTree({ ...record("r/1", "r/2/1/1", "r/2/1/2", "r/2/3"), complete: false });
  expect(shape(tree.root)).toBe("r(r/1 r/2/1(r/2/1/1 r/2/1/2) r/2(r/2/3))");
  expect(tree.root.children).toMatchObject([{ status: "ok" }, { status: "unknown" }, { status: "unknown" }]);
  expect(tree.root.children[1]).not.toHaveProperty("name");

  const late = recordTree(record("r/1/1", "r/1", "r/2"));
  expect(shape(late.root)).toBe("r(r/1(r/1/1) r/2)");
  expect(late.root.children[0]).toMatchObject({ name: "nr/1", status: "ok" });
});

test("two calls of one id are two calls", () => {
  expect(shape(recordTree(record("r/1", "r/1", "r/1/1")).root)).toBe("r(r/1 r/1(r/1/1))");
});

test.each([
  [null, "it is null, not an object"],
  [[], "it is an array, not an object"],
  [{}, "it has neither a list of calls, nor a toolCall, nor toolCallId and toolName"],
  [{ calls: ["a"] }, 'calls[0] is the string "a", not an object'],
  [{ calls: [{ id: 5 }] }, "calls[0].id is 5, not a text"],
  [{ calls: [{ id: "a", name: "b", status: "fine" }] }, 'calls[0].status is the string "fine"; known are ok, error'],
  [{ toolCallId: "a", toolName: "b", nestedCalls: { calls: {} } }, "nestedCalls.calls is an object, not a list"],
  [{ toolCall: { id: "a" } }, "toolCall.name is undefined, not a text"],
])("%j is no record, and the message names the place", (value, problem) => {
  expect(() => recordTree(value as never)).toThrow(problem);
});

test("fields of a file that are wrong but not needed are left out", () => {
  const odd = { ...call("r/1"), durationMs: "5", argumentsBytes: -1, error: 7, code: null };
  expect(recordTree({ calls: [odd], complete: "yes", dropped: "many" } as never)).toEqual({
    root: { id: "r", status: "unknown", children: [{ ...call("r/1"), children: [] }] },
    complete: false,
    dropped: 0,
  });
});

test("random trees come back from their flat records, in any order that keeps parents first", async () => {
  await forEachSeed(seedOfThisRun(), 300, async (seed) => {
    const random = createRandom(seed);
    const ids = ["r"];
    const children = new Map<string, number>();
    for (let count = random.between(1, 60); count > 0; count -= 1) {
      const parent = random.pick(ids);
      const number = (children.get(parent) ?? 0) + 1;
      children.set(parent, number);
      ids.push(`${parent}/${number}`);
    }
    const { root } = recordTree(record(...ids.slice(1)));
    const seen: string[] = [];
    const visit = (node: CallNode) => {
      seen.push(node.id);
      node.children.forEach((child, index) => {
        expect(child.id).toBe(`${node.id}/${index + 1}`);
        visit(child);
      });
    };
    visit(root);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });
});
