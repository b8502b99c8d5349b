// Runs a program with a time limit, bounded output and a signal; a non-zero exit is an answer, not an error.
// It ends the whole process group, so that nothing a test script started stays behind.
import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

export interface ProcessOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Added to the environment of the child. */
  readonly env?: Readonly<Record<string, string>>;
  /** Bytes of output that are kept, from the start; default 256 KiB. */
  readonly maxBytes?: number;
  /** Run `command` as a line of the system's shell. */
  readonly shell?: boolean;
}

export interface ProcessResult {
  /** Absent when the program could not be started, or a signal ended it. */
  readonly exitCode?: number;
  readonly stdout: string;
  /** Both streams, in the order in which they arrived, without colours. */
  readonly output: string;
  readonly outputBytes: number;
  readonly durationMs: number;
  readonly timedOut: boolean;
}

const onWindows = process.platform === "win32";
const KILL_AFTER_MS = 100;
/** How long a background process of the program may hold its output open. */
const DRAIN_MS = 500;

/** Set for every child: whoever finds it must not start a review of its own. */
export const INSIDE_REVIEW = "NESTCALL_REVIEW";

/** The environment of a child: no colours, no watch mode, and nothing of the runner or git hook that started us. */
function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_TEST_|NODE_V8_COVERAGE|GIT_|FORCE_COLOR)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    CI: process.env.CI ?? "true",
    NO_COLOR: "1",
    npm_config_update_notifier: "false",
    [INSIDE_REVIEW]: "1",
    ...more,
  };
}

export function runProcess(command: string, args: readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  options.signal.throwIfAborted();
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: childEnvironment(options.env),
    shell: options.shell ?? false,
    stdio: ["ignore", "pipe", "pipe"],
    detached: !onWindows, // a process group of its own
  });
  const output = collectOutput(child, options.maxBytes ?? 256 * 1024);
  return new Promise((resolve) => {
    let timedOut = false;
    const stop = () => endGroup(child);
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, options.timeoutMs);
    options.signal.addEventListener("abort", stop, { once: true });

    const settle = (exitCode: number | null) => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", stop);
      const durationMs = performance.now() - startedAt;
      resolve({ ...(exitCode === null ? {} : { exitCode }), ...output.read(), durationMs, timedOut });
    };
    child.once("error", (error) => {
      output.add("stderr", Buffer.from(`${error.message}\n`));
      settle(null);
    });
    child.once("close", settle);
    child.once("exit", () => {
      kill(child, "SIGTERM"); // what the program left running in the background
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS).unref();
    });
  });
}

function collectOutput(child: ChildProcess, maxBytes: number) {
  const kept: { readonly stream: "stdout" | "stderr"; readonly bytes: Buffer }[] = [];
  let outputBytes = 0;
  const add = (stream: "stdout" | "stderr", chunk: Buffer) => {
    const room = Math.max(0, maxBytes - outputBytes);
    outputBytes += chunk.length;
    if (room > 0) kept.push({ stream, bytes: chunk.subarray(0, room) });
  };
  child.stdout?.on("data", (chunk: Buffer) => add("stdout", chunk));
  child.stderr?.on("data", (chunk: Buffer) => add("stderr", chunk));
  const text = (chunks: typeof kept) => Buffer.concat(chunks.map((chunk) => chunk.bytes)).toString("utf8");
  const read = () => ({
    stdout: text(kept.filter((chunk) => chunk.stream === "stdout")),
    output: stripVTControlCharacters(text(kept)),
    outputBytes,
  });
  return { add, read };
}

function endGroup(child: ChildProcess): void {
  kill(child, "SIGTERM");
  setTimeout(() => kill(child, "SIGKILL"), KILL_AFTER_MS);
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (onWindows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // the group has ended already
  }
}
