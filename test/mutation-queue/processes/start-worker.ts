// Starts processes that use a crossProcess queue (worker.mjs), and tells them what to do.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

const script = fileURLToPath(new URL("worker.mjs", import.meta.url));
const started = new Set<ChildProcess>();

afterEach(async () => {
  await Promise.all([...started].map((child) => kill(child)));
});

type Message = { readonly id?: number; readonly error?: string; readonly isReady?: true; readonly stands?: string };

export interface Worker {
  /** Settles with the answer. */
  tell(name: "hold" | "letGo" | "increment" | "stand" | "replace", ...values: readonly unknown[]): Promise<void>;
  /** Settles when the process holds the file and its event loop is about to stand. */
  readonly stands: Promise<void>;
  /** Lets the process end by itself; settles when it is gone. */
  end(): Promise<void>;
  /** Ends the process at once (SIGKILL); settles when it is gone. */
  kill(): Promise<void>;
}

/** A process that is ready for `tell`; killed after the test. */
export async function startWorker(): Promise<Worker> {
  const child = fork(script);
  started.add(child);
  const open = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let standing = () => {};
  const stands = new Promise<void>((resolve) => {
    standing = resolve;
  });
  const ready = new Promise<void>((resolve) => {
    child.on("message", ({ id, error, isReady, stands: path }: Message) => {
      if (isReady === true) resolve();
      if (path !== undefined) standing();
      if (id === undefined) return;
      if (error === undefined) open.get(id)?.resolve();
      else open.get(id)?.reject(new Error(error));
      open.delete(id);
    });
  });
  await ready;
  const tell: Worker["tell"] = (name, ...values) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      open.set(lastId, { resolve, reject });
      child.send({ id: lastId, name, values });
    });
  return { tell, stands, end: () => end(child), kill: () => kill(child) };
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.disconnect();
  await exit;
}

async function kill(child: ChildProcess): Promise<void> {
  started.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
