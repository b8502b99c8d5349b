// Every example, built and run as a reader would run it. What an example claims, it checks itself; here it is enough
// that it ended well and said what it shows. The review example has more below and in review-guard.test.ts.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { NestedCalls, Usage } from "../../src/index.js";
import { ensureBuilt, example, root } from "./built.js";
import { git, type Run, runNode, temporaryFolder } from "./run.js";

const bundledProject = join(root, "examples", "02-review-guard", "project");
const main = example("02-review-guard/main.js");

beforeAll(() => ensureBuilt(), 120_000);

const shows: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  "01-first-nested-call.js": ["root/1 counted 4 words", /complete: true/],
  "03-sequential-file-tools.js": ["20 parallel edits of one file under 4 spellings, none lost", "20 parallel calls"],
  "04-batch-terminate.js": ["goes on        [hand_over, look_up, look_up]", "ends the turn  [hand_over, forbidden]"],
  "05-script-host.js": ["cents: 770", "tool: price_of s/2"],
  "06-file-agent.js": ["edit-1 error\nedit-2 ok", "exit code 1, and after the edit with 0"],
  "07-codemode.js": ['"cleaned":"run_command was not approved"', /"name": "run_command",.*?"code": "BLOCKED"/s],
  "08-resume.js": ["killed after 3 payments", "made 2 more, nothing twice", "To be checked by a person: A3"],
  "09-three-doors.js": ["├─ ✓ text_count_lines", "Notes are kept."],
};

test.each(Object.entries(shows))("%s checks itself and says what it shows", async (name, texts) => {
  const { exitCode, stdout, stderr } = await runNode([example(name)], { cwd: root });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  for (const text of texts) expect(stdout).toMatch(text);
});

const pages = [...Object.keys(shows), "02-review-guard/main.js"];

test.each(pages)(
  "%s writes its page without a line of its own",
  async (name) => {
    const page = join(await temporaryFolder(), "page.html");
    const words = name.startsWith("02") ? [bundledProject] : [];
    const { exitCode } = await runNode(["--import", "nestcall/trace/register", example(name), ...words], {
      cwd: root,
      env: { NESTCALL_TRACE: page },
    });
    expect(exitCode).toBe(0);
    const [, json = ""] =
      /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(await readFile(page, "utf8")) ?? [];
    const { roots } = JSON.parse(json) as { readonly roots: readonly { readonly calls: readonly object[] }[] };
    expect(roots.flatMap(({ calls }) => calls).length).toBeGreaterThan(1);
  },
  60_000,
);

test("every example is among those that are run", async () => {
  const files = (await readdir(join(root, "examples"))).filter((name) => /^\d\d-/.test(name));
  const known = [...Object.keys(shows).map((name) => name.replace(".js", ".ts")), "02-review-guard"];
  expect(files.toSorted()).toEqual(known.toSorted());
});

/** What the review printed on stdout: its text, and the JSON behind it. */
function readReview({ stdout }: Run): {
  readonly text: string;
  readonly data: { nestedCalls: NestedCalls; usage?: Usage };
} {
  const start = stdout.indexOf("\n{\n");
  return { text: stdout.slice(0, start), data: JSON.parse(stdout.slice(start)) };
}

const briefly = ({ calls }: NestedCalls) =>
  calls.map(({ id, name, status, code }) => `${id} ${name} ${code ?? status}`);

/** The calls of a review of the bundled project, whose change adds three scripts; the last lookup is of the review's own step. */
const CALLS = [
  "review/1 run_checks ok",
  "review/2 collect_diff ok",
  "review/3 failing_tests ok",
  "review/4 dangerous_commands ok",
  "review/5 dangerous_commands ok",
  "review/6 dangerous_commands ok",
  "review/7 dangerous_commands ok",
  "review/8 run_command BLOCKED",
];

test("02-review-guard: a copy without git history reviews the bundled project, and finds what is wrong with it", async () => {
  const folder = await temporaryFolder();
  for (const path of ["package.json", "dist", "build/examples", "examples/02-review-guard/project"]) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const run = await runNode([join(folder, "build/examples/02-review-guard/main.js")], { cwd: folder });
  expect(run).toMatchObject({ exitCode: 0 });

  const { text, data } = readReview(run);
  expect(text).toContain("Review of the bundled project (there is no git history here)");
  expect(text).toContain("patch file\n  3 files, 22 lines added, 1 removed");
  expect(text).toContain("tests: FAILED, exit code 1");
  expect(text).toContain(
    "1 of 5 tests fail\n  FAILS a discount leaves whole cents (test/basket.test.js): Expected values",
  );
  expect(text).toContain("3 looked up, 3 dangerous");
  expect(text).toContain("curl | sh: runs a script from the network that nobody has read");
  expect(text).toContain(
    'run_command "rm -rf build" (review/8): BLOCKED: run_command requires approval, but no UI is available',
  );
  expect(briefly(data.nestedCalls)).toEqual(CALLS);
  expect(data.nestedCalls.complete).toBe(true);
  expect(data.usage).toMatchObject({ processes: 2 });
}, 60_000);

test("02-review-guard: the tree on stderr shows every call with its id, indented, and nothing that moves a cursor", async () => {
  const { stderr } = await runNode([main, await repository()], { env: { FORCE_COLOR: "1", TERM: "xterm" } });
  expect(stderr).not.toContain("\u001b");
  const lines = stderr.split("\n");
  expect(lines).toContain("review_diff  review  running");
  expect(lines).toContain("  run_checks  review/1  running");
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}failing_tests {2}review\/3 {2}ok {2}\d+ ms$/));
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}run_command {2}review\/8 .* blocked {2}run_command requires approval/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^review_diff {2}review {2}ok {2}\d+ ms$/));
  expect(stderr).toContain("The model made 1 call; 8 more");
}, 60_000);

test("02-review-guard: reviews the last commit of another repository, and its working tree once that differs", async () => {
  const folder = await repository();
  const committed = readReview(await runNode([main, folder]));
  expect(committed.text).toMatch(/last commit [0-9a-f]+: Discounts\n {2}3 files, 22 lines added, 1 removed/);
  expect(briefly(committed.data.nestedCalls)).toEqual(CALLS);

  await writeFile(join(folder, "new.sh"), "sudo rm -fr /opt/basket\n");
  const filesOfGit = async () => (await readdir(join(folder, ".git"), { recursive: true })).toSorted();
  const before = await filesOfGit();
  const uncommitted = readReview(await runNode([main, folder]));
  expect(uncommitted.text).toContain("working tree\n  1 files, 1 lines added, 0 removed\n  new.sh  +1 -0");
  expect(uncommitted.text).toContain(
    "new.sh: sudo rm -fr /opt/basket\n    rm -rf: removes whole folders and asks nothing",
  );
  expect(await git(folder, "status", "--porcelain")).toBe("?? new.sh\n");
  expect(await filesOfGit()).toEqual(before);
}, 60_000);

test("02-review-guard: without a change to read it says so and still runs the checks", async () => {
  const folder = await temporaryFolder();
  await cp(bundledProject, folder, { recursive: true });
  const run = await runNode([main, folder]);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toContain("no diff: fatal: not a git repository");
  expect(run.stdout).toContain("1 of 5 tests fail");
}, 60_000);

test("02-review-guard: Ctrl-C stops the whole tree, the project's processes too, and ends with 130", async () => {
  const folder = await temporaryFolder();
  await using server = await listen();
  await mkdir(join(folder, "test"));
  await writeFile(join(folder, "package.json"), '{ "scripts": { "test": "node --test" } }');
  await writeFile(
    join(folder, "test", "slow.test.js"),
    `const socket = require("node:net").connect(${server.port}, "127.0.0.1");
    require("node:test")("waits", () => new Promise((resolve) => socket.once("close", resolve)));`,
  );
  await git(folder, "init", "--quiet");
  const onStart = async (child: ChildProcess) => {
    await server.connected; // the project's test is running
    child.kill("SIGINT");
  };
  const { exitCode, stdout, stderr } = await runNode([main, folder], { onStart });
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
  expect(stderr).toMatch(/run_checks {2}review\/1 {2}aborted/);
  expect(stderr).not.toContain("review/3"); // nothing more was begun
  expect(stderr).toContain("Interrupted");
  await server.disconnected; // the project's test is not running any more
}, 60_000);

/** A server that tells when somebody has connected to it, and when that one has gone. */
async function listen() {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const connected = once(server, "connection") as Promise<[Socket]>;
  const disconnected = connected.then(([socket]) => once(socket.on("error", () => {}).resume(), "close"));
  const { port } = server.address() as AddressInfo;
  return { port, connected, disconnected, [Symbol.asyncDispose]: async () => void server.close() };
}

test.each([
  [["no/such/folder"], {}, "There is no folder no/such/folder."],
  [["package.json"], {}, "package.json is not a folder."],
  [["--fast"], {}, "Unknown arguments: --fast"],
  [[".", "."], {}, "Unknown arguments: . ."],
  [[], { NESTCALL_REVIEW: "1" }, "A review is running already"],
])("02-review-guard: %j with %j ends with exit code 2 and a reason", async (args, env, reason) => {
  const run = await runNode([main, ...args], { cwd: root, env });
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain(reason);
});

test.each(["start.mjs", "check.mjs"])("scripts/%s refuses to run inside a review", async (script) => {
  const run = await runNode([join(root, "scripts", script)], { env: { NESTCALL_REVIEW: "1" } });
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain("A review of this repository is running");
});

/** The bundled project as a repository whose last commit is its change. */
async function repository(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(bundledProject, folder, { recursive: true });
  await git(folder, "init", "--quiet");
  await git(folder, "apply", "--reverse", "last-change.patch");
  await git(folder, "add", ".");
  await git(folder, "commit", "--quiet", "--message", "A basket and what it costs");
  await git(folder, "apply", "last-change.patch");
  await git(folder, "commit", "--quiet", "--all", "--message", "Discounts");
  return folder;
}
