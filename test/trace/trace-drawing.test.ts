// A finished trace in a terminal: every root call, waits and who held, how calls ended, what it adds up to.
import { createExecutor } from "nestcall";
import { createTraceCollector, drawTrace, traceOf } from "nestcall/trace";
import { expect, test } from "vitest";
import { line, widthOfLine } from "../../src/trace/text-layout.js";
import { tool } from "../helpers/engine.js";
import { createRandom, forEachSeed, seedOfThisRun } from "../helpers/random.js";
import { eventsOfCalls, sampleEvents } from "./sample-events.js";

const widest = (text: string) => Math.max(...text.split("\n").map((each) => widthOfLine(line(each))));

test("the sample, as it is drawn in 80 columns", () => {
  const text = drawTrace(traceOf(sampleEvents()));
  expect(widest(text)).toBeLessThanOrEqual(80);
  expect(text).toMatchInlineSnapshot(`
    "✓ T1 review repository: "app", base: "main", head: "policy-quick-…  ok  2,478 ms
    ├─ ✓ list_changes base: "main"  ok  34 ms
    ├─ ✓ read_all paths: ["src/policy/guard.ts", "src/policy/policy.ts"…  ok  121 ms
    │  ├─ ✓ read path: "src/policy/guard.ts", limit: 400  ok  38 ms
    │  ├─ ✓ read path: "src/policy/policy.ts", limit: 400  ok  75 ms
    │  ├─ ✓ read path: "src/policy/session.ts", limit: 400  ok  51 ms
    │  ├─ ✓ read path: "src/policy/audit.ts", limit: 400  ok  88 ms
    │  ├─ ✓ read path: "src/policy/limits.ts", limit: 400  ok  64 ms
    │  │     waited 12 ms for a free place
    │  └─ ✓ read path: "src/policy/index.ts", limit: 400  ok  40 ms
    │        waited 16 ms for a free place
    ├─ ✓ inspect files: 6, depth: "full"  ok  1,169 ms
    │  ├─ ✓ ask_model model: "reviewer-small", question: "Does policy.t…  ok  639 ms
    │  ├─ ✓ ask_model model: "reviewer-small", question: "Are the limit…  ok  516 ms
    │  ├─ ✗ run_tests filter: "policy", reporter: "dot"  TOOL_FAILED  1,148 ms
    │  │     2 of 41 tests failed: policy > denies when a rule throws expected
    │  │     "deny", got "allow" (policy.test.ts:114) policy > names the rule
    │  │     expected undefined to be "no-shell" (policy.test.ts:131)
    │  └─ ■ web_search query: "CVE policy engine fail open", lim…  aborted  1,146 ms
    │        Tool "web_search" was aborted: its caller "inspect" has enough answers.
    ├─ ✓ T1/4 edit path: "src/policy/policy.ts", edits: [{oldText: "if …  ok  138 ms
    ├─ ✓ edit path: "src/policy/policy.ts", edits: [{oldText: "/** Limit…  ok  75 ms
    │     waited 141 ms for policy.ts held by T1/4
    ├─ ✗ bash command: "git push --force origin main", timeout_seconds: 60  BLOCKED
    │     waited 624 ms for approval
    │     bash was not approved: policy rule “no-force-push” asks a person for \`git
    │     push --force\`, and the answer was no.
    └─ ✓ summarize style: "short", sections: ["fixed", "open"]  ok  247 ms
    … T2 watch_build workflow: "ci.yml", branch: "policy-quick-path"  unfinished
    ├─ ✓ http_get url: "https://ci.example.com/runs/latest"  ok  254 ms
    └─ … http_get url: "https://ci.example.com/runs/latest"  unfinished
    21 calls: 16 ok, 1 blocked, 1 failed, 1 aborted, 2 unfinished · 3,010 ms ·
    usage: input 12,360, output 1,062, cost.total 0.052"
  `);
});

test("several root calls have names of their own; a holder in another root call is named by it", () => {
  const paths = ["/a/notes.md", "/a/b.md"];
  const events = eventsOfCalls([
    { id: "x", name: "one", args: {}, at: [0, 0, 50] },
    { id: "x/1", name: "edit", args: {}, at: [1, 1, 40] },
    { id: "z", name: "two", args: {}, at: [2, 2, 60] },
    { id: "z/1", name: "edit", args: {}, at: [3, 40, 50], waits: [{ at: 3, reason: "files", paths, heldBy: "x/1" }] },
    { id: "z/2", name: "edit", args: {}, at: [4, 50, 55], waits: [{ at: 4, reason: "lane", heldBy: "gone\u202e/1" }] },
  ]);
  const text = drawTrace(traceOf(events.filter((event) => "toolName" in event)));
  expect(text).toContain("waited 37 ms for notes.md and 1 more held by T1/1");
  expect(text).toContain("✓ T1/1 edit");
  expect(text).toMatch(/waited 46 ms for the sequential lane held by gone\\u.*202e.*\/1/);
});

test("a real run, 10,000 calls and a depth of 150 are drawn in few lines, what went wrong among them", async () => {
  const leaf = tool("leaf", ({ n }) => (n === 5000 ? Promise.reject(new Error("the one that failed")) : "done"));
  const deep = tool("deep", async ({ left }, ctx) => {
    if (Number(left) > 0) await ctx.executeTool("deep", { left: Number(left) - 1 });
    return "done";
  });
  const outer = tool("outer", async (_args, ctx) => {
    for (let n = 0; n < 9800; n += 1) await ctx.executeTool("leaf", { n });
    await ctx.executeTool("deep", { left: 150 });
    return "done";
  });
  const executor = createExecutor({ tools: [leaf, deep, outer], limits: { maxDepth: 200 } });
  const collector = createTraceCollector(executor);
  await executor.executeTool("outer", {});
  const text = drawTrace(collector.trace(), { width: 80 });
  const lines = text.split("\n");
  expect(lines.length).toBeLessThan(40);
  expect(text).toContain("the one that failed");
  expect(text).toMatch(/… \d[\d,]* calls below: \d+ ok/);
  expect(lines.at(-1)).toMatch(/^9,952 calls: 9,951 ok, 1 failed · .*ms$/);
});

test("an empty trace says so", () => {
  expect(drawTrace(traceOf([]))).toBe("no calls · 0 ms");
});

test("random traces of hostile texts stay within every width", async () => {
  const texts = [
    "plain",
    "漢字".repeat(30),
    "\u001b[2J\u202e\u0007x",
    "e\u0301".repeat(50),
    "🎉".repeat(40),
    "a\nb\tc\r",
    "",
  ];
  await forEachSeed(seedOfThisRun(), 100, async (seed) => {
    const random = createRandom(seed);
    const text = () => random.pick(texts);
    const calls = Array.from({ length: random.between(1, 40) }, (_, index) => ({
      id: index === 0 ? "r" : random.chance(0.5) ? `r/${index}` : `r/1/${index}`,
      name: text(),
      args: { a: text() },
      at: [index, index + 5, random.chance(0.1) ? undefined : index + 9] as const,
      status: random.pick(["ok", "error", "aborted"] as const),
      text: text(),
      waits: random.chance(0.3) ? [{ at: index, reason: "files" as const, paths: [text()], heldBy: text() }] : [],
    }));
    for (const width of [40, 80, 121]) {
      const drawn = drawTrace(traceOf(eventsOfCalls(calls)), { width });
      expect(widest(drawn)).toBeLessThanOrEqual(width);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(drawn).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    }
  });
});
