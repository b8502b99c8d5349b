// `node bench/trace.mjs` after a build: what a nested call costs while somebody listens, a collector keeps its events, or a
// writer writes them, beside one that nobody hears of. Every contestant runs in a process of its own, because what a
// collector keeps is work for the garbage collector of all. CPU time of all threads; "p10" is that of the fastest tenth of
// the rounds, as in the other benchmarks, "mean" has the garbage collection in it. BENCH_REPEATS (default 5) sets how often.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createExecutor, defineTool, Type } from "nestcall";
import { approvalGuard, budgetGuard, redactionGuard } from "nestcall/guards";
import { createTraceCollector, createTraceWriter } from "nestcall/trace";

const self = fileURLToPath(import.meta.url);
const patterns = [/sk-[A-Za-z0-9]{20,}/, "hunter2"];
const listeners = {
  nobody: () => {},
  "a listener": (executor) => {
    executor.subscribe(() => {});
    executor.on("tool_execution_wait", () => {});
  },
  collector: (executor) => createTraceCollector(executor),
  "collector, redacting": (executor) => createTraceCollector(executor, { patterns }),
  writer: (executor) => createTraceWriter(executor, join(mkdtempSync(join(tmpdir(), "nestcall-")), "x.nestcall.jsonl")),
};

const file = fileURLToPath(new URL("../package.json", import.meta.url));
const answer = ({ path }) => `read ${path}`;
function guarded(executor) {
  executor.on("tool_call", approvalGuard());
  executor.on("tool_call", budgetGuard({ maxCalls: 1e9 }));
  executor.on("tool_result", redactionGuard({ patterns }));
}
/** Each: how many calls a round makes, what the tool does, how they are made, and which guards there are. */
const cases = {
  "does nothing": [2000, answer, "one by one"],
  "does nothing, with three guards": [2000, answer, "one by one", guarded],
  "does nothing, 100 side by side": [2000, answer, "side by side"],
  "root calls that do nothing": [2000, answer, "root"],
  "waits one turn of the event loop": [1000, () => new Promise((done) => setImmediate(done, "a text"))],
  "reads a small file": [200, () => readFile(file, "utf8")],
};

function roundOf(name, listen) {
  const [calls, execute, how = "one by one", guards = () => {}] = cases[name];
  const inputSchema = Type.Object({ path: Type.String(), limit: Type.Integer() }, { additionalProperties: false });
  const work = defineTool({ name: "work", description: "Works.", inputSchema, effect: "read", execute });
  const args = (n) => ({ path: "src/index.ts", limit: n });
  const outer = defineTool({
    name: "outer",
    description: "Calls.",
    inputSchema: Type.Object({}),
    effect: "read",
    async execute(_args, ctx) {
      const beside = how === "side by side" ? 100 : 1;
      for (let n = 0; n < calls; n += beside) {
        if (beside === 1) await ctx.executeTool(work, args(n));
        else await Promise.all(Array.from({ length: beside }, (_, index) => ctx.executeTool(work, args(n + index))));
      }
    },
  });
  const executor = createExecutor({ tools: [work, outer], limits: { maxConcurrency: 100 } });
  guards(executor);
  listen(executor);
  if (how !== "root") return [calls, () => executor.executeTool("outer", {})];
  const all = async () => {
    for (let n = 0; n < calls; n += 1) await executor.executeTool(work, args(n));
  };
  return [calls, all];
}

const spent = (since) => {
  const { user, system } = process.cpuUsage(since);
  return user + system;
};

if (process.argv[2] === "--one") {
  const [calls, round] = roundOf(process.argv[3], listeners[process.argv[4]]);
  const rounds = Math.max(20, Math.round(200_000 / calls));
  for (let warm = 0; warm < rounds / 10; warm += 1) await round();
  const times = [];
  const before = process.cpuUsage();
  for (let n = 0; n < rounds; n += 1) {
    const began = process.cpuUsage();
    await round();
    times.push(spent(began) / calls);
  }
  const mean = spent(before) / calls / rounds;
  console.log(JSON.stringify({ mean, p10: times.toSorted((a, b) => a - b)[Math.floor(rounds / 10)] }));
  process.exit();
}

const repeats = Number(process.env.BENCH_REPEATS ?? 5);
for (const name of Object.keys(cases)) {
  const found = Object.fromEntries(Object.keys(listeners).map((listener) => [listener, []]));
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const listener of Object.keys(listeners)) {
      found[listener].push(
        JSON.parse(execFileSync(process.execPath, [self, "--one", name, listener], { encoding: "utf8" })),
      );
    }
  }
  console.log(`\n## ${name} (µs of CPU a call, least of ${repeats}; times that of nobody)\n`);
  const least = (listener, key) => Math.min(...found[listener].map((times) => times[key]));
  for (const listener of Object.keys(listeners)) {
    const columns = ["p10", "mean"].map((key) => {
      const times = least(listener, key);
      return `${key} ${times.toFixed(2).padStart(7)} ${(times / least("nobody", key)).toFixed(2).padStart(5)}`;
    });
    console.log(`${listener.padEnd(22)}${columns.join("   ")}`);
  }
}
