// 100,000 nested calls through the gateway to a server over stdio, in scripts of 1,000: time of a call with the server in it,
// memory early and late, listeners left on the process. Runs what `npm run build` has built; BENCH_ROUNDS sets the scripts.

import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGateway, readGatewayConfig } from "../dist/hosts/mcp/index.js";

const CALLS = 1_000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 100);
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

const server = { command: process.execPath, args: [fileURLToPath(new URL("gateway-server.mjs", import.meta.url))] };
const gateway = await createGateway(readGatewayConfig({ mcpServers: { bench: server } }));
const durations = [];
gateway.executor.subscribe((event) => {
  if (event.type === "tool_execution_end" && event.depth === 1) durations.push(event.durationMs ?? Number.NaN);
});
const code = `let sum = 0; for (let n = 0; n < ${CALLS}; n += 1) sum += Number(await tools.mcp__bench__echo({ n })); return sum;`;
const measured = () => {
  collect();
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return `heap ${(heapUsed / 1e6).toFixed(1)} MB, resident ${(rss / 1e6).toFixed(0)} MB`;
};
const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);

const startedAt = performance.now();
let early = "";
let had = 0;
for (let round = 1; round <= rounds; round += 1) {
  const outcome = await gateway.executor.executeTool("codemode", { code });
  if (outcome.isError) throw new Error(outcome.error.message);
  if (round === Math.min(5, rounds)) [early, had] = [measured(), listeners()];
}
const seconds = (performance.now() - startedAt) / 1000;
durations.sort((one, other) => one - other);
const at = (share) => durations[Math.floor(durations.length * share)].toFixed(3);
console.log(
  `${durations.length} calls in ${seconds.toFixed(1)} s; a call with its server: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
);
console.log(
  `after 5 scripts: ${early}; after ${rounds}: ${measured()}; listeners on the process: ${had}, then ${listeners()}`,
);
await gateway.close();
