// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a configuration contains
// DESIGN 8.1: what a configuration may say, and what each mistake in it is told as.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NestcallError } from "nestcall";
import { type McpStdioEntry, readMcpConfig, readMcpConfigFile } from "nestcall/mcp";
import { expect, test } from "vitest";
import { at } from "../../helpers/engine.js";
import { freshFolder } from "../../helpers/process.js";

const environment = { TOKEN: "secret", EMPTY: "", HOME: "/home/me" };
const read = (servers: object) => readMcpConfig({ mcpServers: servers }, { source: "mcp.json", environment });
/** The problem of the only entry. */
const problem = (entry: unknown) => at(read({ s: entry }).problems, 0).message;

function thrown(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof NestcallError && error.code === "INVALID_ARGUMENTS") return error.message;
    throw error;
  }
  throw new Error("it was accepted");
}

test("8.1: the form of Claude, Cursor and Pi, and that of VS Code, mean the same", () => {
  const servers = {
    files: {
      type: "stdio",
      command: "npx",
      args: ["-y", "server", "${HOME}/x"],
      env: { KEY: "a ${TOKEN} b" },
      cwd: "/tmp",
    },
    web: { type: "http", url: "https://example.org/mcp", headers: { Authorization: "Bearer ${env:TOKEN}" } },
    plain: { command: "server", timeoutMs: 5_000, protocol: "auto", disabled: true },
  };
  const given = read(servers);
  expect(given.problems).toEqual([]);
  expect(given.servers).toEqual([
    {
      name: "files",
      transport: "stdio",
      command: "npx",
      args: ["-y", "server", "/home/me/x"],
      env: { KEY: "a secret b" },
      cwd: "/tmp",
      timeoutMs: 60_000,
      protocol: "legacy",
      isDisabled: false,
    },
    {
      name: "web",
      transport: "http",
      url: "https://example.org/mcp",
      headers: { Authorization: "Bearer secret" },
      timeoutMs: 60_000,
      protocol: "auto",
      isDisabled: false,
    },
    {
      name: "plain",
      transport: "stdio",
      command: "server",
      args: [],
      env: {},
      cwd: undefined,
      timeoutMs: 5_000,
      protocol: "auto",
      isDisabled: true,
    },
  ]);
  const inputs = [{ id: "x", type: "promptString" }];
  expect(readMcpConfig({ servers, inputs, $schema: "x" }, { environment }).servers).toEqual(given.servers);
});

test.each([
  [{ command: "a", env: { K: "${NOPE}" } }, "env.K needs the environment variable NOPE, which is not set"],
  [{ command: "a", args: ["${input:token}"] }, 'args[0] has "${input:token}"; only ${NAME}'],
  [{ command: "a", env: { K: "${TOKEN:-x}" } }, 'env.K has "${TOKEN:-x}"'],
  [{ command: "a", env: { K: 1 } }, "env.K must be a text; it is 1"],
  [{ command: "a", timeoutMS: 5 }, 'the key "timeoutMS", which is not known here; did you mean "timeoutMs"?'],
  [{ comand: "a" }, 'did you mean "command"?'],
  [{ command: "a", zzz: 1 }, 'the key "zzz", which is not known here; known are type, timeoutMs'],
  [{ command: "a", autoApprove: ["x"] }, "policy.allow"],
  [{ command: "a", envFile: ".env" }, "write the variables into env, as ${NAME}"],
  [{ command: "a", url: "http://x" }, "both command and url"],
  [{}, "needs a command (a program) or a url (an address)"],
  [{ type: "sse", url: "http://x" }, 'give the server\'s streamable HTTP address with type "http"'],
  [{ type: "http", command: "a" }, 'has the type the string "http", but a command'],
  [{ type: "pigeon", command: "a" }, 'known are "stdio" and "http"'],
  [{ url: "file:///etc" }, "no http or https address"],
  [{ url: "http://x", env: {} }, "has env, which a server with a url does not take"],
  [{ command: "a", headers: {} }, "has headers, which a server with a command does not take"],
  [{ command: "" }, "command must not be empty"],
  [{ command: "${EMPTY}" }, "command must not be empty"],
  [{ command: "a\0b" }, "command contains a NUL character"],
  [{ command: "a", args: "b" }, "args that are the string"],
  [{ command: "a", timeoutMs: 0 }, "timeoutMs that is 0"],
  [{ command: "a", protocol: "2026" }, 'known are "legacy", "modern" and "auto"'],
  [{ command: "a", disabled: "yes" }, "wanted is true or false"],
  ["npx server", 'must be an object with command or url; it is the string "npx server"'],
])("8.1: the entry %j is skipped and told", (entry, text) => {
  expect(problem(entry)).toContain(text);
  expect(problem(entry)).toMatch(/^mcp\.json: server "s": .*\.$/);
});

test("8.1: a problem never shows a value that was filled in, and has one line", () => {
  expect(problem({ url: "${TOKEN}" })).not.toContain("secret");
  const [message] = read({ "a\nb": { command: "x", "k\n\u202e": 1 } }).problems.map((one) => one.message);
  expect(message).toMatch(/^[\x20-\x7e…]*$/);
});

test("8.1: a bad entry costs the others nothing", () => {
  const config = read({ good: { command: "a" }, bad: { command: 7 }, also: { command: "b" } });
  expect(config.servers.map(({ name }) => name)).toEqual(["good", "also"]);
  expect(config.problems.map(({ server }) => server)).toEqual(["bad"]);
});

test("8.1: names and variables such as __proto__ are data", () => {
  const config = readMcpConfig(
    JSON.parse('{"mcpServers": {"__proto__": {"command": "a", "env": {"__proto__": "x", "constructor": "y"}}}}'),
  );
  const entry = at(config.servers, 0) as McpStdioEntry;
  expect([entry.name, Object.entries(entry.env)]).toEqual([
    "__proto__",
    [
      ["__proto__", "x"],
      ["constructor", "y"],
    ],
  ]);
  expect(problem({ command: "a", env: { K: "${constructor}" } })).toContain("constructor, which is not set");
});

test("8.1: a server in both forms is told, not chosen", () => {
  const both = { mcpServers: { a: { command: "x" } }, servers: { a: { command: "y" }, b: { command: "z" } } };
  const config = readMcpConfig(both);
  expect(config.servers.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(config.problems).toEqual([{ server: "a", message: expect.stringContaining("both mcpServers and servers") }]);
});

test("8.1: what is no configuration is an error that names the place", async () => {
  expect(thrown(() => readMcpConfig([]))).toContain("must be an object with mcpServers; it is an array");
  expect(thrown(() => readMcpConfig({}))).toContain("has no servers");
  expect(thrown(() => readMcpConfig({ mcpServers: [] }))).toContain("mcpServers must be an object");
  expect(thrown(() => readMcpConfig({ mcpServer: {} }))).toContain('did you mean "mcpServers"?');
  // Read by somebody who does not know it, a policy would be an open door.
  expect(thrown(() => readMcpConfig({ mcpServers: {}, policy: {} }))).toContain('the key "policy"');
  expect(readMcpConfig({ mcpServers: {}, policy: {} }, { otherKeys: ["policy"] }).servers).toEqual([]);
});

test("8.1: a file that is broken or not there is an error with its path", async () => {
  const path = join(freshFolder(), "mcp.json");
  const failure = () =>
    readMcpConfigFile(path).then(String, (error: NestcallError) => `${error.code} ${error.message}`);
  expect(await failure()).toContain(`INVALID_ARGUMENTS ${path} cannot be read: ENOENT`);
  await writeFile(path, '{ "mcpServers": { ');
  expect(await failure()).toContain(`INVALID_ARGUMENTS ${path} is no JSON`);
  await writeFile(path, '\ufeff{ "mcpServers": { "a": { "command": "x" } } }');
  const config = await readMcpConfigFile(path);
  expect([config.source, config.servers.length]).toEqual([path, 1]);
});
