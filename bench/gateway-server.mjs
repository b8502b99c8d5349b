// A server for bench/gateway.mjs: one tool, raw JSON-RPC, nothing that could cost more than the gateway.
import { createInterface } from "node:readline";

const echo = {
  name: "echo",
  description: "Gives a number back.",
  inputSchema: { type: "object", properties: { n: { type: "number" } } },
  annotations: { readOnlyHint: true },
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "bench", version: "1" },
  }),
  "tools/list": () => ({ tools: [echo] }),
  "tools/call": ({ arguments: { n } }) => ({ content: [{ type: "text", text: String(n) }] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
