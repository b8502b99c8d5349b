/** Bounds of what is taken from a server. */
export const MCP_LIMITS = Object.freeze({
  /** One message: a line on stdout, a body or one event over HTTP. Longer answers are refused; only their beginning is kept. */
  messageBytes: 16 * 2 ** 20,
  /** Tools of one server; what it lists beyond that is left out. */
  toolsPerServer: 10_000,
  /** Pages of one list. */
  listPages: 1_000,
  /** What is kept of a server's stderr. */
  stderrBytes: 64 * 2 ** 10,
  /** The name of a tool at its server. */
  toolNameChars: 256,
  /** Starts of a server that has died or failed, in `restartWindowMs`. */
  restarts: 3,
  restartWindowMs: 60_000,
});
