// --html, --trace and --inspect, and `nestcall trace` of what they wrote, as a user starts them.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { parseTrace, type Trace } from "nestcall/trace";
import { expect, onTestFinished, test, vi } from "vitest";
import { raw } from "../hosts/mcp/connect.js";
import { newClient } from "../hosts/mcp/serve/served.js";
import { folderWith, MAIN, nestcall } from "./cli.js";

vi.setConfig({ testTimeout: 60_000 });

const SCRIPT = `
const files = await tools.look({ path: "notes.md" });
const refused = await tools.wipe({}).catch((error) => error.code);
return [files, refused];`;
const TOOLS = `
import { defineTool, Type } from "nestcall";
const tool = (name, effect, execute) => defineTool({
  name, description: name, effect, inputSchema: Type.Object({ path: Type.Optional(Type.String()) }, { additionalProperties: false }), execute,
});
export default [
  tool("look", "read", ({ path }) => "seen </script> " + path),
  tool("wipe", "destructive", () => "wiped"),
];`;
const world = () => folderWith({ "tools.ts": TOOLS, "s.js": SCRIPT });
const withTools = ["--tools", "tools.ts"];

const briefly = ({ calls }: Trace) => calls.map(({ name, status }) => `${name} ${status}`);
/** The names and ends of the calls on a page. */
function onPage(html: string): string[] {
  const [, json = ""] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const { roots } = JSON.parse(json) as { roots: { calls: { name: string; status: string }[] }[] };
  return roots.flatMap(({ calls }) => calls.map(({ name, status }) => `${name} ${status}`));
}

test("6: run writes a page and a trace, for their owner alone, and says where they are", async () => {
  const cwd = world();
  const words = ["run", "s.js", ...withTools, "--approve", "none", "--html", "p.html", "--trace", "t.nestcall.jsonl"];
  const { exitCode, stdout, stderr } = await nestcall(words, { cwd });
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, ["seen </script> notes.md", "BLOCKED"]]);
  expect(stderr).toContain("The page is in p.html; open it in a browser.");
  expect(stderr).toContain("The trace is in t.nestcall.jsonl; `nestcall trace t.nestcall.jsonl` shows it.");
  const all = ["codemode ok", "look ok", "wipe blocked"];
  expect(onPage(readFileSync(join(cwd, "p.html"), "utf8"))).toEqual(all);
  expect(briefly(parseTrace(readFileSync(join(cwd, "t.nestcall.jsonl"), "utf8")))).toEqual(all);
  for (const file of ["p.html", "t.nestcall.jsonl"]) expect(statSync(join(cwd, file)).mode & 0o777).toBe(0o600);
});

test("6: trace shows what was written: a tree, a page, a trace of Chrome, JSON; a torn file too", async () => {
  const cwd = world();
  await nestcall(["run", "s.js", ...withTools, "--approve", "none", "--trace", "t.nestcall.jsonl"], { cwd });
  const tree = (await nestcall(["trace", "t.nestcall.jsonl"], { cwd })).stdout;
  expect(tree).toMatch(/✓ codemode .* ok .*\n├─ ✓ look .*notes\.md.* ok .*\n└─ . wipe .*BLOCKED/);
  const page = await nestcall(["trace", "t.nestcall.jsonl", "--html", "-o", "p.html"], { cwd });
  expect([page.exitCode, page.stdout]).toEqual([0, ""]);
  expect(onPage(readFileSync(join(cwd, "p.html"), "utf8"))).toEqual(["codemode ok", "look ok", "wipe blocked"]);
  const chrome = (await nestcall(["trace", "t.nestcall.jsonl", "--chrome"], { cwd })).stdout;
  const { traceEvents } = JSON.parse(chrome) as { traceEvents: { name: string; ph: string }[] };
  expect(traceEvents.filter(({ ph }) => ph === "X").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["codemode", "look", "wipe"]),
  );
  const json = (await nestcall(["trace", "t.nestcall.jsonl", "--json"], { cwd })).stdout;
  expect(briefly(JSON.parse(json) as Trace)).toHaveLength(3);
  writeFileSync(join(cwd, "torn.nestcall.jsonl"), readFileSync(join(cwd, "t.nestcall.jsonl"), "utf8").slice(0, -40));
  const torn = await nestcall(["trace", "torn.nestcall.jsonl"], { cwd });
  expect([torn.exitCode, torn.stdout]).toEqual([0, expect.stringMatching(/unfinished[\s\S]*last line .* was torn/)]);
});

test("6: demo, call and trace of a record write pages too", async () => {
  const cwd = world();
  expect((await nestcall(["demo", "--html", "demo.html", "--record", "r.json"], { cwd })).exitCode).toBe(0);
  const calls = onPage(readFileSync(join(cwd, "demo.html"), "utf8"));
  expect(calls).toEqual(expect.arrayContaining(["codemode ok", "changed_files ok", "run_command blocked"]));
  expect(onPage((await nestcall(["trace", "r.json", "--html"], { cwd })).stdout).toSorted()).toEqual(calls.toSorted());
  await nestcall(["call", "look", "path=x", ...withTools, "--html", "call.html"], { cwd });
  expect(onPage(readFileSync(join(cwd, "call.html"), "utf8"))).toEqual(["look ok"]);
});

test.each([
  [["run", "s.js", ...withTools, "--html", "none/p.html"], "none/p.html cannot be written"],
  [["run", "s.js", ...withTools, "--trace", "none/t.jsonl"], "none/t.jsonl cannot be written"],
  [["run", "s.js", ...withTools, "--record", "none/r.json"], "none/r.json cannot be written"],
  [
    ["call", "look", ...withTools, "--html", "x", "--trace", "./x"],
    "--html and --trace both name ./x; each needs a file of its own",
  ],
  [["mcp", ...withTools, "--inspect", "many"], '--inspect takes a port from 0 to 65535; it is "many"'],
  [["mcp", ...withTools, "--dry-run", "--inspect", "0"], "--inspect shows calls, and --dry-run makes none"],
  [["trace", "s.js"], "s.js is neither JSON lines"],
  [["trace", "s.js", "--html", "--chrome"], "give one of --html and --chrome"],
])("8: %j is refused before anything runs", async (words, message) => {
  const cwd = world();
  const { exitCode, stdout, stderr } = await nestcall(words, { cwd });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("T/1");
});

test.skipIf(!existsSync("/dev/full"))(
  "6: a disk that is full costs the file, not the result nor the other files",
  async () => {
    const cwd = world();
    for (const option of ["--html", "--trace", "--record"]) {
      const other = option === "--html" ? "--trace" : "--html";
      const words = ["call", "look", "path=x", ...withTools, option, "/dev/full", other, "other"];
      const { exitCode, stdout, stderr } = await nestcall(words, { cwd });
      expect([exitCode, stdout]).toEqual([1, "seen </script> x\n"]);
      expect(stderr).toMatch(/^\/dev\/full cannot be written: ENOSPC/m);
      expect(readFileSync(join(cwd, "other"), "utf8")).toContain("look");
    }
  },
);

test("6: an interrupted run leaves its page, with the call that did not end as aborted", async () => {
  const hang = `import { defineTool, Type } from "nestcall";
export const hang = defineTool({ name: "hang", description: "Hangs.", effect: "read", inputSchema: Type.Object({}),
  execute: (_args, { signal }) => new Promise((_resolve, reject) => {
    const keep = setInterval(() => {}, 1000);
    process.stderr.write("hanging\\n");
    signal.addEventListener("abort", () => { clearInterval(keep); reject(signal.reason); });
  }) });`;
  const cwd = folderWith({ "tools.ts": hang, "s.js": "return await tools.hang({})" });
  const { exitCode } = await nestcall(["run", "s.js", ...withTools, "--html", "p.html"], {
    cwd,
    onStart: (child) => child.stderr?.on("data", (text) => /hanging/.test(String(text)) && child.kill("SIGINT")),
  });
  expect(exitCode).toBe(130);
  expect(onPage(readFileSync(join(cwd, "p.html"), "utf8"))).toEqual(["codemode aborted", "hang aborted"]);
});

test("6: --inspect shows the gateway's calls on a page of this machine alone, and writes the page at the end", async () => {
  const look = {
    name: "look",
    description: "Looks.",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  };
  const cwd = folderWith({ "mcp.json": { mcpServers: { s: raw({ tools: [look], calls: {} }) } } });
  const args = [MAIN, "mcp", "--http", "0", "--inspect", "0", "--html", "p.html"];
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [inspectUrl, mcpUrl] = await new Promise<[string, string]>((resolve) => {
    let said = "";
    child.stderr.on("data", (text) => {
      said += String(text);
      const urls = ["Calls are shown at", "Serving MCP at"].map(
        (words) => new RegExp(`${words} (\\S+)`).exec(said)?.[1],
      );
      if (urls[0] !== undefined && urls[1] !== undefined) resolve([urls[0], urls[1]]);
    });
  });
  expect(inspectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
  await client.call("codemode", { code: "return await tools.mcp__s__look({})" });
  expect(await (await fetch(inspectUrl)).text()).toContain('<script type="application/json" id="data">');
  const events = await fetch(new URL("events", inspectUrl));
  let heard = "";
  for await (const chunk of events.body ?? []) {
    heard += Buffer.from(chunk).toString("utf8");
    if (heard.includes("mcp__s__look")) break;
  }
  expect((await fetch(inspectUrl, { headers: { Origin: "https://example.com" } })).status).toBe(403);
  await client.close();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(existsSync(join(cwd, "p.html"))).toBe(true);
  expect(onPage(readFileSync(join(cwd, "p.html"), "utf8"))).toContain("mcp__s__look ok");
});
