// The events of a code review as an agent makes it: files read side by side, two edits that wait for one file, a guard that
// refuses, a tool that fails, one that is aborted, and one without an end. Made by hand, so that its times are always the same.
import type { TraceEvent } from "nestcall/trace";

const START = Date.UTC(2026, 10, 30, 9, 41, 7, 120);

interface SampleCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  /** Milliseconds from the beginning: called, ran from, ended. */
  readonly at: readonly [called: number, ran: number | undefined, ended: number | undefined];
  readonly status?: "ok" | "error" | "aborted";
  readonly code?: "BLOCKED" | "TOOL_FAILED" | "ABORTED" | "TIMEOUT";
  readonly text?: string;
  readonly usage?: { readonly [field: string]: number | { readonly [field: string]: number } };
  readonly details?: unknown;
  readonly waits?: readonly {
    readonly at: number;
    readonly reason: "files" | "lane" | "concurrency" | "approval";
    readonly paths?: readonly string[];
    readonly heldBy?: string;
  }[];
  readonly update?: { readonly at: number; readonly text: string; readonly updates: number };
}

/** The events of these calls in the order of their times. */
export function eventsOfCalls(calls: readonly SampleCall[], start = START): TraceEvent[] {
  const timed: { at: number; order: number; event: TraceEvent }[] = [];
  for (const [order, call] of calls.entries()) {
    for (const { at, rank, event } of eventsOfCall(call, start)) timed.push({ at, order: rank * 1e6 + order, event });
  }
  timed.sort((one, other) => one.at - other.at || one.order - other.order);
  return timed.map(({ event }) => event);
}

function eventsOfCall(call: SampleCall, start: number): { at: number; rank: number; event: TraceEvent }[] {
  const { id, name, args, at, waits = [], update } = call;
  const [called, ran, ended] = at;
  const parts = id.split("/");
  const parent = parts.slice(0, -1).join("/");
  const base = (ms: number) => ({
    toolCallId: id,
    ...(parts.length > 1 ? { parentToolCallId: parent } : {}),
    toolName: name,
    depth: parts.length - 1,
    timestamp: start + Math.floor(ms),
  });
  const bytes = Buffer.byteLength(JSON.stringify(args));
  const events: { at: number; rank: number; event: TraceEvent }[] = [
    {
      at: called,
      rank: 1,
      event: { type: "tool_execution_start", ...base(called), arguments: args, argumentsBytes: bytes },
    },
  ];
  for (const wait of waits) {
    const { at: from, reason, paths, heldBy } = wait;
    const more = { ...(paths === undefined ? {} : { paths }), ...(heldBy === undefined ? {} : { heldBy }) };
    events.push({ at: from, rank: 2, event: { type: "tool_execution_wait", ...base(from), reason, ...more } });
  }
  if (update !== undefined) {
    const partialResult = { content: [{ type: "text", text: update.text } as const] };
    const own = { type: "tool_execution_update", ...base(update.at), partialResult, updates: update.updates } as const;
    events.push({ at: update.at, rank: 3, event: own });
  }
  if (ended !== undefined) events.push({ at: ended, rank: 0, event: endOf(call, base(ended), ran, ended) });
  return events;
}

function endOf(
  { status = "ok", code, text = "", usage, details }: SampleCall,
  base: Omit<Extract<TraceEvent, { readonly toolName: string }>, "type">,
  ran: number | undefined,
  ended: number,
): TraceEvent {
  return {
    type: "tool_execution_end",
    ...base,
    status,
    isError: status !== "ok",
    ...(code === undefined ? {} : { code }),
    ...(ran === undefined ? {} : { durationMs: Math.round((ended - ran) * 1000) / 1000 }),
    result: {
      content: [{ type: "text", text }],
      ...(usage === undefined ? {} : { usage }),
      ...(details === undefined ? {} : { details }),
    },
    resultBytes: Buffer.byteLength(text),
  };
}

const FILES = ["guard.ts", "policy.ts", "session.ts", "audit.ts", "limits.ts", "index.ts"];
const ROOT = "call_review_7";

function reads(): SampleCall[] {
  return FILES.map((file, index) => {
    const from = 46 + index * 3.2;
    return {
      id: `${ROOT}/2/${index + 1}`,
      name: "read",
      args: { path: `src/policy/${file}`, limit: 400 },
      at: [46, from, from + 38 + ((index * 37) % 61)],
      text: `// ${file}\nimport { Decision } from "./decision.js";\n\nexport function decide(call: Call): Decision {\n  …\n`,
      ...(index > 3 ? { waits: [{ at: 46.4, reason: "concurrency" as const }] } : {}),
    };
  });
}

const REVIEWS: readonly SampleCall[] = [
  {
    id: `${ROOT}/3/1`,
    name: "ask_model",
    args: { model: "reviewer-small", question: "Does policy.ts still fail closed when a rule throws?" },
    at: [172, 173, 812],
    text: "Yes: a rule that throws denies the call. The new branch at line 88 returns before the check, though.",
    usage: { input: 3120, output: 214, cost: { total: 0.0131 } },
  },
  {
    id: `${ROOT}/3/2`,
    name: "ask_model",
    args: { model: "reviewer-small", question: "Are the limits in limits.ts documented?" },
    at: [172, 174, 690],
    text: "Two are not: maxDepth and maxCallsPerRoot.",
    usage: { input: 2210, output: 88, cost: { total: 0.0087 } },
  },
  {
    id: `${ROOT}/3/3`,
    name: "run_tests",
    args: { filter: "policy", reporter: "dot" },
    at: [172, 176, 1324],
    status: "error",
    code: "TOOL_FAILED",
    text: '2 of 41 tests failed:\n  policy > denies when a rule throws\n    expected "deny", got "allow" (policy.test.ts:114)\n  policy > names the rule\n    expected undefined to be "no-shell" (policy.test.ts:131)',
    update: { at: 900, text: "38 passed, 2 failed, 1 to go", updates: 9 },
  },
  {
    id: `${ROOT}/3/4`,
    name: "web_search",
    args: { query: "CVE policy engine fail open", limit: 5 },
    at: [173, 184, 1330],
    status: "aborted",
    code: "ABORTED",
    text: 'Tool "web_search" was aborted: its caller "inspect" has enough answers.',
  },
];

const EDITS: readonly SampleCall[] = [
  {
    id: `${ROOT}/4`,
    name: "edit",
    args: {
      path: "src/policy/policy.ts",
      edits: [{ oldText: "if (rule.quick) return allow;", newText: "if (rule.quick && rule.checked) return allow;" }],
    },
    at: [1352, 1356, 1494],
    text: "Edited src/policy/policy.ts: 1 replacement.",
    details: {
      diff: "--- a/src/policy/policy.ts\n+++ b/src/policy/policy.ts\n@@ -86,4 +86,4 @@\n   for (const rule of rules) {\n-    if (rule.quick) return allow;\n+    if (rule.quick && rule.checked) return allow;\n     const decision = rule.decide(call);\n",
    },
  },
  {
    id: `${ROOT}/5`,
    name: "edit",
    args: {
      path: "src/policy/policy.ts",
      edits: [{ oldText: "/** Limits. */", newText: "/** Limits: maxDepth, maxCallsPerRoot. */" }],
    },
    at: [1353, 1496, 1571],
    waits: [{ at: 1355, reason: "files", paths: ["/srv/app/src/policy/policy.ts"], heldBy: `${ROOT}/4` }],
    text: "Edited src/policy/policy.ts: 1 replacement.",
  },
  {
    id: `${ROOT}/6`,
    name: "bash",
    args: { command: "git push --force origin main", timeout_seconds: 60 },
    at: [1584, undefined, 2210],
    status: "error",
    code: "BLOCKED",
    waits: [{ at: 1586, reason: "approval" }],
    text: "bash was not approved: policy rule “no-force-push” asks a person for `git push --force`, and the answer was no.",
  },
];

/** A finished review, and a second root call that still runs. */
export function sampleEvents(): TraceEvent[] {
  return eventsOfCalls([
    {
      id: ROOT,
      name: "review",
      args: { repository: "app", base: "main", head: "policy-quick-path", paths: ["src/policy/**"] },
      at: [0, 2, 2480],
      text: "1 defect fixed, 2 tests still fail, nothing pushed.",
      usage: { input: 5200, output: 640, cost: { total: 0.0236 } },
    },
    { id: `${ROOT}/1`, name: "list_changes", args: { base: "main" }, at: [4, 5, 39], text: FILES.join("\n") },
    {
      id: `${ROOT}/2`,
      name: "read_all",
      args: { paths: FILES.map((file) => `src/policy/${file}`) },
      at: [44, 45, 166],
    },
    ...reads(),
    { id: `${ROOT}/3`, name: "inspect", args: { files: FILES.length, depth: "full" }, at: [170, 171, 1340] },
    ...REVIEWS,
    ...EDITS,
    {
      id: `${ROOT}/7`,
      name: "summarize",
      args: { style: "short", sections: ["fixed", "open"] },
      at: [2222, 2223, 2470],
      text: "1 defect fixed, 2 tests still fail, nothing pushed.",
      usage: { input: 1830, output: 120, cost: { total: 0.0061 } },
    },
    {
      id: "call_watch_8",
      name: "watch_build",
      args: { workflow: "ci.yml", branch: "policy-quick-path" },
      at: [2520, 2521, undefined],
      update: { at: 2900, text: "queued; waiting for a runner", updates: 3 },
    },
    {
      id: "call_watch_8/1",
      name: "http_get",
      args: { url: "https://ci.example.com/runs/latest" },
      at: [2540, 2541, 2795],
      text: '{"status":"queued"}',
    },
    {
      id: "call_watch_8/2",
      name: "http_get",
      args: { url: "https://ci.example.com/runs/latest" },
      at: [3010, 3011, undefined],
    },
  ]);
}
