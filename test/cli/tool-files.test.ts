// Files of --tools do what they like: print, and leave promises alone. Neither spoils what a command gives.
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test, vi } from "vitest";
import { answerText, newClient, yes } from "../hosts/mcp/serve/served.js";
import { folderWith, MAIN, nestcall } from "./cli.js";

vi.setConfig({ testTimeout: 60_000 });

const TOOLS = `
import { defineTool, Type } from "nestcall";
console.log("loading");
process.stdout.write("still loading\\n");
const inputSchema = Type.Object({});
const turn = () => new Promise((resolve) => setTimeout(resolve, 50));
export default [
  defineTool({ name: "loud", description: "Prints.", effect: "read", inputSchema, execute: () => {
    console.log("running");
    return "data";
  } }),
  defineTool({ name: "careless", description: "Rejects.", effect: "read", inputSchema, execute: async () => {
    void Promise.reject(new Error("nobody\\nlooks"));
    await turn();
    return "went on";
  } }),
];`;
const folder = () => folderWith({ "tools.ts": TOOLS, "mcp.json": { mcpServers: {} }, "s.js": "return tools.loud({})" });

test.each([
  ["call", "loud"],
  ["run", "s.js"],
])("8: %s %s: what tool files print goes to stderr", async (...words) => {
  const run = await nestcall([...words, "--tools", "tools.ts"], { cwd: folder() });
  expect([run.exitCode, run.stdout], run.stderr).toEqual([0, "data\n"]);
  expect(run.stderr).toMatch(/loading\nstill loading\n[\s\S]*running\n/);
});

test.each(["call loud", "run s.js", "tools", "doctor", "guard explain loud", "mcp --dry-run"])(
  "8: %s --json: stdout is JSON whatever tool files print",
  async (words) => {
    const { stdout, stderr } = await nestcall([...words.split(" "), "--tools", "tools.ts", "--json"], {
      cwd: folder(),
    });
    expect(() => JSON.parse(stdout), stdout + stderr).not.toThrow();
    expect(stderr).toContain("still loading");
  },
);

test("8.1: a rejection that a tool leaves alone does not end the gateway, and printing does not break its protocol", async () => {
  const client = newClient(yes);
  const args = [MAIN, "mcp", "--config", "mcp.json", "--tools", "tools.ts"];
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd: folder(), stderr: "pipe" });
  let said = "";
  transport.stderr?.on("data", (part: Buffer) => {
    said += part.toString();
  });
  await client.connect(transport);
  const code = "return [await tools.careless({}), await tools.loud({})]";
  for (let n = 0; n < 2; n += 1) expect(answerText(await client.call("codemode", { code }))).toContain("went on");
  expect(said.match(/^A promise was rejected .*the gateway goes on: .*nobody.*looks$/gm)).toHaveLength(2);
});

test("8: a rejection that a tool leaves alone ends call with one clear line", async () => {
  const run = await nestcall(["call", "careless", "--tools", "tools.ts", "--quiet"], { cwd: folder() });
  expect([run.exitCode, run.stdout]).toEqual([1, ""]);
  expect(run.stderr).toMatch(/^A promise was rejected .*the command ends.*nobody.*looks$/m);
  expect(run.stderr).not.toContain("    at ");
});
