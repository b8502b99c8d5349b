// E5: what a plugin logs carries its name and goes to stderr: stdout may be the wire of an MCP server.
import { format } from "node:util";
import { callUnheard } from "../unheard.js";

type LogMethod = (message: string, ...more: readonly unknown[]) => void;

/** What a plugin logs with. More arguments are shown as `console` shows them. Logging never throws. */
export interface PluginLogger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const satisfies readonly (keyof PluginLogger)[];
type LogLevel = (typeof LOG_LEVELS)[number];

/** `info [weather] tool registered` */
const STDERR_LOGGER: PluginLogger = loggerOf((level, text) => console.error(text.replace(/^/gm, `${level} `)));

/** The logger of one plugin: every line begins with `[name] `. */
export function namedLogger(name: string, target: PluginLogger = STDERR_LOGGER): PluginLogger {
  return loggerOf((level, text) => target[level](text.replace(/^/gm, () => `[${name}] `)));
}

function loggerOf(write: (level: LogLevel, text: string) => unknown): PluginLogger {
  const method =
    (level: LogLevel): LogMethod =>
    (...parts) => {
      // A host's logger that fails, now or later, or a value that cannot be shown, is no reason for a tool to fail.
      callUnheard(
        () => write(level, format(...parts)),
        () => {},
      );
    };
  return Object.freeze({
    debug: method("debug"),
    info: method("info"),
    warn: method("warn"),
    error: method("error"),
  });
}
