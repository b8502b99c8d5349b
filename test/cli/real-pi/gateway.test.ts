// The issue: Pi 1.6.0 under Node 24, with the gateway in its mcp.json, calls a tool through it. No model, no network but the
// package registry when Pi has not been installed before.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run } from "../../examples/run.js";
import { official } from "../../hosts/mcp/connect.js";
import { installPi, Unreachable } from "../../hosts/pi/real-pi/install.js";
import { folderWith, MAIN } from "../cli.js";

const script = fileURLToPath(new URL("gateway-session.mjs", import.meta.url));
interface Session {
  readonly errors: readonly unknown[];
  readonly active: readonly string[];
  readonly results: readonly {
    readonly toolName: string;
    readonly isError: boolean;
    readonly content: readonly { text: string }[];
  }[];
}

test("the real Pi sees two tools of the gateway, and calls a server's tool by a script", {
  timeout: 240_000,
}, async (context) => {
  const agentDir = folderWith({
    "gateway.json": { mcpServers: { everything: official("everything") }, policy: { allow: ["mcp__everything__*"] } },
  });
  const nestcall = { command: process.execPath, args: [MAIN, "mcp", "--config", join(agentDir, "gateway.json")] };
  const definition = { mcpServers: { nestcall: { ...nestcall, exposure: "direct" } } };
  writeFileSync(join(agentDir, "mcp.json"), JSON.stringify(definition));
  const calls = [
    ["mcp__nestcall__tool_search", { query: "sum" }],
    ["mcp__nestcall__codemode", { code: 'return await tools["mcp__everything__get-sum"]({ a: 2, b: 3 })' }],
  ];
  try {
    const folder = await installPi();
    const env = { NODE_NO_WARNINGS: "1", PI_OFFLINE: "1", PI_CODING_AGENT_DIR: agentDir };
    const args = [script, folder, agentDir, JSON.stringify(calls)];
    const isNew = Number(process.versions.node.split(".")[0]) >= 24;
    const { exitCode, stdout, stderr } = isNew
      ? await run(process.execPath, args, { env })
      : await run("npx", ["-y", "node@24", ...args], { cwd: folder, env });
    expect(exitCode, stderr).toBe(0);
    const session = JSON.parse(stdout) as Session;
    expect(session.errors).toEqual([]);
    expect(session.active).toEqual(expect.arrayContaining(["mcp__nestcall__codemode", "mcp__nestcall__tool_search"]));
    expect(session.active.filter((name) => name.startsWith("mcp__"))).toHaveLength(2);
    const [found, sum] = session.results.map(
      ({ isError, content }) => `${isError} ${content.map(({ text }) => text).join("")}`,
    );
    expect(found).toMatch(/^false .*get-sum/s);
    expect(sum).toMatch(/^false .*5/s);
  } catch (error) {
    if (error instanceof Unreachable) context.skip(error.message);
    throw error;
  }
});
