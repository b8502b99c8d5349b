// Servers do not outlive the program that started them, whatever its end. The program is the built package in a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, expect, test, vi } from "vitest";
import { ensureBuilt } from "../../examples/built.js";
import { fixture, isAlive, raw } from "./connect.js";

vi.setConfig({ testTimeout: 30_000 });
beforeAll(() => ensureBuilt(), 120_000);

test.each(["exit", "throw", "close", "SIGTERM", "SIGINT"])("8.1: servers end with their host: %s", async (way) => {
  const config = { mcpServers: { s: raw({ start: "stubborn" }) } };
  const host = spawn(process.execPath, [fixture("host.mjs"), JSON.stringify(config), way], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [chunk] = (await once(host.stdout, "data")) as [Buffer];
  const pid = Number(chunk.toString());
  if (way.startsWith("SIG")) host.kill(way as NodeJS.Signals);
  await once(host, "exit");
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
});
