// `nestcall demo`: offline, of a real change where there is one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../examples/run.js";
import { freshFolder } from "../helpers/process.js";
import { nestcall } from "./cli.js";

vi.setConfig({ testTimeout: 60_000 });

test("5: without a repository the bundled change is reviewed by three tools; the dangerous call is blocked and recorded", async () => {
  const { exitCode, stdout, stderr } = await nestcall(["demo"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("package.json:7  removes whole folders and asks nothing");
  expect(stdout).toContain("src/basket.js:10  a line that was for debugging");
  expect(stdout).toMatch(/Blocked\n {2}run_command is denied: the rule deny\[0\]/);
  expect(stdout.match(/^ {2}\{"id":"\d"/gm)).toHaveLength(4);
  expect(stdout).toMatch(/"name":"run_command","status":"error",.*"code":"BLOCKED"\}\n {2}complete: true\n$/);
  expect(stderr).toMatch(/T\/4 run_command … error: run_command is denied/);
  expect(stdout + stderr).not.toContain("\u001b");
});

test("5: in a repository its change is reviewed: what is not committed, else the last commit", async () => {
  const folder = freshFolder();
  await git(folder, "init", "--quiet");
  writeFileSync(join(folder, "clean.sh"), "echo clean\n");
  await git(folder, "add", ".");
  await git(folder, "commit", "--quiet", "-m", "first");
  writeFileSync(join(folder, "clean.sh"), "echo clean\nsudo rm -rf /srv\n");
  await git(folder, "commit", "--quiet", "-am", "second");
  const committed = await nestcall(["demo"], { cwd: folder });
  expect(committed.stdout).toMatch(/last commit [0-9a-f]+: second\n {2}1 file, 1 lines added, 0 removed/);
  expect(committed.stdout).toContain("clean.sh:2  removes whole folders");
  writeFileSync(join(folder, "clean.sh"), "// FIXME\n");
  const open = await nestcall(["demo", folder, "--json", "--record", join(folder, "r.json")]);
  const { review, outcome } = JSON.parse(open.stdout) as {
    review: { change: object; leftovers: object };
    outcome: object;
  };
  expect(review).toMatchObject({
    change: { source: "what is not committed" },
    leftovers: { findings: [{ path: "clean.sh", line: 1 }] },
  });
  expect(outcome).toMatchObject({ status: "ok", nestedCalls: { complete: true } });
  expect((await nestcall(["trace", join(folder, "r.json")])).stdout).toContain("run_command");
});
