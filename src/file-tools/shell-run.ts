// W3: one command in a shell, from its start until it has ended, was aborted, or ran out of time.
import { type ChildProcess, spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { constants as system } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { onAbort } from "../errors/abort-listeners.js";
import { closeFd, openPipe } from "./open-pipe.js";
import { PipeReader } from "./pipe-reader.js";
import { endGroup, unwatchGroup, watchGroup } from "./process-group.js";

/** How long processes that outlive the shell are listened to, in milliseconds after its end. */
const LATE_OUTPUT_MS = 500;

export interface ShellCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  /** Both streams, in the order of writing. Gives a promise, which never rejects, when it cannot take more yet. */
  onOutput(chunk: Buffer): Promise<void> | undefined;
}

export interface ShellEnd {
  /** 128 and the number of the signal when a signal ended the shell. */
  readonly exitCode: number;
  /** The signal that ended the shell. */
  readonly signal: NodeJS.Signals | undefined;
  readonly stoppedBy: "abort" | "timeout" | undefined;
  /** Whether processes in the background still have the pipe. */
  readonly isStillWritten: boolean;
}

/**
 * Runs the command in a process group of its own, without input.
 *
 * @throws What the system says when the shell cannot be started, and the signal's reason when it aborted before that.
 */
export async function runShell(run: ShellCommand): Promise<ShellEnd> {
  const shell = await findShell();
  const { readFd, writeFd } = await openPipe();
  let child: ChildProcess;
  try {
    run.signal.throwIfAborted();
    child = spawn(shell, ["-c", "--", run.command], {
      cwd: run.cwd,
      env: run.env,
      stdio: ["ignore", writeFd, writeFd],
      detached: true,
    });
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  } catch (error) {
    await closeFd(readFd);
    throw error;
  } finally {
    await closeFd(writeFd); // else the pipe would never come to its end
  }
  return await followShell(child, new PipeReader(readFd, run.onOutput), run);
}

async function followShell(child: ChildProcess, reader: PipeReader, run: ShellCommand): Promise<ShellEnd> {
  const stoppedBy = await untilShellEnds(child, run);
  // What the shell left behind is no part of the command any more: neither its time nor its signal is about that.
  if (stoppedBy === undefined) await listenToLateOutput(reader, run.signal);
  const isStillWritten = await reader.close();
  return { ...statusOf(child), stoppedBy, isStillWritten };
}

/** Resolves when the shell has ended by itself, or its group was ended, to the cause of that. */
async function untilShellEnds(child: ChildProcess, run: ShellCommand): Promise<ShellEnd["stoppedBy"]> {
  const groupId = child.pid as number; // it has been spawned
  let stoppedBy: ShellEnd["stoppedBy"];
  let stopping: Promise<void> | undefined;
  let noteStopped = () => {};
  const stopped = new Promise<void>((resolve) => {
    noteStopped = resolve;
  });
  const stop = (cause: "abort" | "timeout") => {
    if (hasEnded(child)) return; // it just did
    stoppedBy ??= cause;
    stopping ??= endGroup(groupId).then(noteStopped);
  };
  watchGroup(groupId);
  const forget = onAbort(run.signal, () => stop("abort"));
  // After a time during which the event loop stood still, timers run before a shell's end from then has been heard of.
  const outOfTime = () => setImmediate(stop, "timeout");
  const timer = run.timeoutMs === undefined ? undefined : setTimeout(outOfTime, run.timeoutMs);
  if (run.signal.aborted) stop("abort"); // it did while the shell was started

  await Promise.race([stopped, endOfShell(child)]);
  clearTimeout(timer);
  forget();
  await stopping; // the shell may be gone before those in its group that ignore SIGTERM
  unwatchGroup(groupId);
  return stoppedBy;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function endOfShell(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await new Promise((resolve) => child.once("exit", resolve));
}

/** Resolves when nobody can write any more, the time for that is over, or nobody waits for it: an abort. */
async function listenToLateOutput(reader: PipeReader, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let timer: NodeJS.Timeout | undefined;
  let forget = () => {};
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LATE_OUTPUT_MS);
    forget = onAbort(signal, resolve);
  });
  await Promise.race([reader.ended, enough]);
  clearTimeout(timer);
  forget();
}

function statusOf({ exitCode, signalCode }: ChildProcess): Pick<ShellEnd, "exitCode" | "signal"> {
  if (exitCode !== null) return { exitCode, signal: undefined };
  const signal = signalCode ?? "SIGKILL"; // a process that the system cannot end yet has got that one
  return { exitCode: 128 + system.signals[signal], signal };
}

/** A signal's name for an exit code above 128 that stands for one, as shells report a program that a signal ended. */
export function signalOfExitCode(exitCode: number): string | undefined {
  return Object.entries(system.signals).find(([, number]) => exitCode === 128 + number)?.[0];
}

/** bash where there is one, else the system's shell. Looked for on the host's own path, whatever `env` is. */
async function findShell(): Promise<string> {
  const folders = ["/bin", "/usr/bin", ...(process.env.PATH ?? "").split(delimiter).filter(isAbsolute)];
  for (const folder of folders) {
    const path = join(folder, "bash");
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return "/bin/sh";
}
