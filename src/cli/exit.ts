/** The exit codes of every command (DESIGN 8). */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The command line, or a file that it names, is wrong; the message says what to do. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
