// W3: a signal that ends this process ends the commands that still run, unless the application sees to them itself.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { freshFolder } from "../helpers/process.js";
import { ROOT } from "../helpers/source-files.js";
import { isRunning } from "./file-world.js";

vi.setConfig({ testTimeout: 30_000 }); // processes and a compiler are started, which a busy machine takes long for

/** A copy of what runs a command, for a process without vitest. */
function compiledCopy(): string {
  const copy = freshFolder();
  writeFileSync(join(copy, "package.json"), '{ "type": "module" }');
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = "--ignoreConfig --noCheck --module nodenext --target es2023 --types node --rootDir src --outDir";
  const file = "src/file-tools/shell-run.ts"; // and what it imports
  execFileSync(process.execPath, [tsc, file, ...options.split(" "), copy], { cwd: ROOT });
  return copy;
}

/**
 * Another process that runs a command with each copy of the package and exits with 7 when they have ended; `listeners` is
 * run there before that. Resolves when every command has printed the pid of a process that it waits for.
 */
async function startHost(copies: readonly string[], listeners = "") {
  const program = `
    const controller = new AbortController();
    const say = (text) => void process.stdout.write(text);
    ${listeners}
    await Promise.all(process.argv.slice(1).map(async (copy) => {
      const { runShell } = await import(copy + "/file-tools/shell-run.js");
      const command = "sleep 84 & echo pid $!; wait";
      await runShell({ command, cwd: "/", env: process.env, signal: controller.signal, onOutput: say });
    }));
    process.exit(7);`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", program, ...copies], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void host.kill("SIGKILL"));
  let said = "";
  host.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const pids = () => [...said.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
  const ended = once(host, "exit");
  await vi.waitFor(() => expect(pids()).toHaveLength(copies.length), { interval: 10, timeout: 10_000 });
  onTestFinished(() => {
    for (const pid of pids().filter(isRunning)) process.kill(pid, "SIGKILL");
  });
  return { host, ended, pids: pids(), said: () => said };
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s, which nobody listens to: the command dies, and this process by the signal",
  async (signal) => {
    const { host, ended, pids } = await startHost([compiledCopy()]);
    host.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await vi.waitFor(() => expect(pids.some(isRunning)).toBe(false), { interval: 10 });
  },
);

test("two copies of the package do not take each other for an application that listens", async () => {
  const { host, ended, pids } = await startHost([compiledCopy(), compiledCopy()]);
  host.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
  await vi.waitFor(() => expect(pids.some(isRunning)).toBe(false), { interval: 10 });
});

test("an application that listens decides itself: nothing dies before it says so", async () => {
  const listeners = `
    let heard = 0;
    process.on("SIGINT", () => {
      heard += 1;
      say("heard " + heard);
      if (heard === 3) controller.abort();
    });`;
  const { host, ended, pids, said } = await startHost([compiledCopy()], listeners);
  for (const count of [1, 2]) {
    host.kill("SIGINT");
    await vi.waitFor(() => expect(said()).toContain(`heard ${count}`), { interval: 10 });
    expect(pids.every(isRunning)).toBe(true);
  }
  host.kill("SIGINT");
  expect(await ended).toEqual([7, null]);
  expect(pids.some(isRunning)).toBe(false);
});

test("a listener that leaves after its signal: the next one finds nobody, so the command and this process die", async () => {
  const listeners = `process.once("SIGINT", () => say("heard"));`;
  const { host, ended, pids, said } = await startHost([compiledCopy()], listeners);
  host.kill("SIGINT");
  await vi.waitFor(() => expect(said()).toContain("heard"), { interval: 10 });
  expect(pids.every(isRunning)).toBe(true);
  host.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
  await vi.waitFor(() => expect(pids.some(isRunning)).toBe(false), { interval: 10 });
});

test("a listener that ends this process if it is the only one, as signal-exit has it, still does", async () => {
  const listeners = `
    const leave = () => {
      if (process.listenerCount("SIGINT") > 1) return;
      process.off("SIGINT", leave);
      process.kill(process.pid, "SIGINT");
    };
    process.on("SIGINT", leave);`;
  const { host, ended } = await startHost([compiledCopy()], listeners);
  host.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
});
