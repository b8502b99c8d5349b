/** What a command gets of its process besides its arguments. */
export interface Cli {
  /** Aborts with Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
}
