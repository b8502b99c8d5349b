// Ctrl-C: the first one stops every running call, a later one ends the process on the spot.
import { EXIT } from "./exit.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Sooner, it is the same Ctrl-C, passed on by npm or npx. */
const SAME_PRESS_MS = 500;

export function listenForInterrupts(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  let firstAt: number | undefined;
  const listener = (name: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt !== undefined && now - firstAt > SAME_PRESS_MS) process.exit(EXIT.interrupted);
    if (firstAt !== undefined) return;
    firstAt = now;
    process.stderr.write("Interrupted: stopping what runs.\n");
    controller.abort(new Error(`the command was interrupted (${name})`));
  };
  for (const name of SIGNALS) process.on(name, listener);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
