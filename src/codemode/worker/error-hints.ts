// What to do instead, for errors that scripts run into because they were written for another place.
import type { CodemodeError } from "../run-types.js";

const TIMERS = new Set(["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval"]);
const SYSTEM = new Set(["process", "require", "module", "exports", "__dirname", "Buffer", "fs", "Deno", "Bun"]);
const NETWORK = new Set(["fetch", "XMLHttpRequest", "WebSocket"]);

/** The message, with advice where there is some. */
export function hintFor({ name, message }: CodemodeError): string {
  const missing = name === "ReferenceError" ? /^([\w$]+) is not defined$/.exec(message)?.[1] : undefined;
  if (missing === undefined) return message;
  if (TIMERS.has(missing))
    return `${message}. There are no timers in scripts: await the tools' calls, and let a tool do the waiting.`;
  if (NETWORK.has(missing))
    return `${message}. Scripts have no network: call a tool that fetches, searchTools("…") finds one.`;
  if (SYSTEM.has(missing))
    return `${message}. Scripts have no access to the system: call a tool instead, searchTools("…") finds one.`;
  return message;
}
