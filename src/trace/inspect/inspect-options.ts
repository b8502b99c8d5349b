// What `createInspectServer` takes, checked at the door.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { RendererSource } from "../call-tree-drawing.js";
import type { TraceCollector } from "../collector/create-trace-collector.js";

export interface InspectServerOptions {
  /** Whose root calls are shown. */
  readonly collector: TraceCollector;
  /** Default 0: any free one. */
  readonly port?: number | undefined;
  /** An address of this machine. One that others can reach needs a token. Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Whoever has it may look: it is part of the server's URL. At least 16 characters. */
  readonly token?: string | undefined;
  /** Default `nestcall`. */
  readonly title?: string | undefined;
  /** Whose tools and resolvers draw calls and results. */
  readonly registry?: RendererSource | undefined;
  /** Tokens that the model did not have to read so far, as the host counts them. */
  readonly savedTokens?: (() => number | undefined) | undefined;
}

export interface InspectSettings {
  readonly port: number;
  readonly host: string;
  readonly isLoopback: boolean;
  readonly token: string | undefined;
  readonly title: string;
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;
const MIN_TOKEN_CHARS = 16;

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function inspectSettings(options: InspectServerOptions): InspectSettings {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "an object with a collector");
  const { collector, port = 0, host = "127.0.0.1", token, title = "nestcall" } = options;
  if (typeof collector?.subscribe !== "function" || typeof collector.trace !== "function")
    throw wrong("options.collector", collector, "what createTraceCollector gives");
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw wrong("options.port", port, "a number of a port, or 0 for any free one");
  if (typeof host !== "string" || host === "") throw wrong("options.host", host, "an address");
  if (typeof title !== "string") throw wrong("options.title", title, "a text");
  if (token !== undefined && (typeof token !== "string" || token.length < MIN_TOKEN_CHARS))
    throw wrong("options.token", "a shorter one", `a text of at least ${MIN_TOKEN_CHARS} characters`);
  const isLoopback = LOOPBACK.test(host);
  if (!isLoopback && token === undefined) {
    const wanted =
      "an address of this machine alone (127.0.0.1), or given together with a token, since others can reach it";
    throw wrong("options.host", host, wanted);
  }
  return { port, host, isLoopback, token, title };
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  const message = `createInspectServer: ${where} must be ${wanted}, not ${describeValue(value)}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
