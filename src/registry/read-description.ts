// A tool's texts may be made when they are read, by code of its author. What that throws is that one tool's affair: a
// listing of all tools goes on.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, thrownText } from "../errors/text.js";
import type { Tool } from "../tools/tool.js";
import type { ToolSession } from "../tools/tool-session.js";

/** A registered tool, and who hears of what cannot be read. */
export interface ReadableEntry {
  readonly tool: Tool;
  readonly report?: ((error: unknown, origin: object) => void) | undefined;
}

/** The tools that were reported, by what could not be read: a listing is made for each request. */
const reported = { title: new WeakSet<object>(), description: new WeakSet<object>() };

type DescribeFor = (session: ToolSession) => string;

/** Registered, so that it is also found between two copies of the package. */
const DESCRIBE_FOR: unique symbol = Symbol.for("nestcall.describeFor") as never;

/**
 * Listings for a session shall have what `describe` gives instead of the definition's description: one session need not be
 * shown what others have. A spread of the tool does not take it along, for it may have a description of its own.
 */
export function describeBySession<T extends object>(definition: T, describe: DescribeFor): T {
  // An accessor: defineTool keeps those that are not listed, too.
  return Object.defineProperty(definition, DESCRIBE_FOR, { get: () => describe, enumerable: false });
}

/** The description as it is now, or one that says that it cannot be read; that is reported once for each tool. */
export function readDescription(entry: ReadableEntry, session?: ToolSession): string {
  return textOf(entry, "description", session) ?? "[The description of this tool cannot be read.]";
}

/** The title as it is now; `undefined` when there is none, or when it cannot be read. */
export function readTitle(entry: ReadableEntry): string | undefined {
  return textOf(entry, "title");
}

function textOf(entry: ReadableEntry, field: "title" | "description", session?: ToolSession): string | undefined {
  const { tool } = entry;
  try {
    const describe =
      session === undefined || field === "title"
        ? undefined
        : (tool as { readonly [DESCRIBE_FOR]?: DescribeFor })[DESCRIBE_FOR];
    const text: unknown = describe === undefined || session === undefined ? tool[field] : describe(session);
    if (typeof text === "string" || (text === undefined && field === "title")) return text;
    report(entry, field, `it is ${describeValue(text)}`);
  } catch (cause) {
    report(entry, field, thrownText(cause), cause);
  }
  return undefined;
}

function report({ tool, report: tell }: ReadableEntry, field: "title" | "description", why: string, cause?: unknown) {
  if (tell === undefined || reported[field].has(tool)) return;
  reported[field].add(tool);
  const message = `The ${field} of tool "${tool.name}" cannot be read: ${why}.`;
  tell(new NestcallError(ErrorCode.INVALID_TOOL, message, cause === undefined ? {} : { cause }), tool);
}
