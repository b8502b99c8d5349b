// `pi.exec`: runs a program, without a shell, and gives what it printed. A program that fails is data, not an error.
import { execFile } from "node:child_process";
import { constants } from "node:os";
import { thrownText } from "../../errors/text.js";

export interface ExecOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  /** Default: the host's. */
  cwd?: string;
  /** Bytes that each of the two outputs may have; what prints more is ended. Default 256 MiB. */
  maxBuffer?: number;
}
export interface ExecResult {
  stdout: string;
  stderr: string;
  /** The exit code; 128 and the number of the signal that ended it; 1 for a program that did not start. */
  code: number;
  /** It was ended: by `timeout`, `signal` or `maxBuffer`. */
  killed: boolean;
  /** It printed more than `maxBuffer`; the outputs are not complete. */
  truncated: boolean;
}

const MAX_BUFFER = 256 * 1024 * 1024;

export function runProgram(command: string, args: readonly string[], options: ExecOptions): Promise<ExecResult> {
  const { signal, timeout, cwd, maxBuffer = MAX_BUFFER } = options;
  const given = { cwd, maxBuffer, encoding: "utf8", windowsHide: true } as const;
  return new Promise((resolve) => {
    const limits = { ...(signal === undefined ? {} : { signal }), ...(timeout === undefined ? {} : { timeout }) };
    execFile(command, args, { ...given, ...limits }, (error, stdout, stderr) => {
      if (error === null) {
        resolve({ stdout, stderr, code: 0, killed: false, truncated: false });
        return;
      }
      const truncated = error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      const hasStarted = typeof error.code === "number" || typeof error.signal === "string" || truncated;
      resolve({
        stdout,
        stderr: stderr === "" && !hasStarted ? thrownText(error) : stderr,
        code: codeOf(error),
        killed: error.killed === true || truncated || signal?.aborted === true,
        truncated,
      });
    });
  });
}

function codeOf({ code, signal }: { readonly code?: unknown; readonly signal?: unknown }): number {
  if (typeof code === "number") return code;
  const number = typeof signal === "string" ? constants.signals[signal as NodeJS.Signals] : undefined;
  return number === undefined ? 1 : 128 + number;
}
