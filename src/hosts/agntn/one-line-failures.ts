// A30: the text of a failure never gets a second line, and nothing in it acts on a terminal or reorders what is read.
import { safeLine } from "../../errors/safe-text.js";
import { thrownText } from "../../errors/text.js";
import { isThenable } from "../../errors/thenable.js";
import { isTransportFailure, markTransportFailure } from "../../errors/transport-failure.js";
import type { ContentBlock, ToolReturn } from "../../tools/tool.js";

type Run = () => unknown;

/** What `run` gives, or throws, now or later, with the texts of its failures on one line each. */
export function withOneLineFailures(run: Run, signal: AbortSignal | undefined): ToolReturn | Promise<ToolReturn> {
  const fail = (error: unknown): never => {
    throw signal?.aborted === true ? error : onOneLine(error); // the reason of an abort is not the tool's text
  };
  try {
    const returned = run();
    return isThenable(returned) ? Promise.resolve(returned).then(resultOf, fail) : resultOf(returned);
  } catch (error) {
    return fail(error);
  }
}

/** A14: a result is an object with content. What is none is handed on in a form that the engine refuses by name. */
function resultOf(returned: unknown): ToolReturn {
  if (typeof returned !== "object" || returned === null) return { content: returned ?? null } as unknown as ToolReturn;
  const { content, isError } = returned as { readonly content?: unknown; readonly isError?: unknown };
  if (content === undefined) return { ...returned, content: null } as unknown as ToolReturn;
  if (isError !== true || !Array.isArray(content)) return returned as ToolReturn;
  return { ...returned, content: content.map(blockOnOneLine) } as ToolReturn;
}

function blockOnOneLine(block: ContentBlock): ContentBlock {
  const isText = typeof block === "object" && block !== null && block.type === "text" && typeof block.text === "string";
  return isText ? { ...block, text: safeLine(block.text) } : block;
}

/** The error itself when there is nothing to change, else one that keeps its marks and has it as its cause. */
function onOneLine(error: unknown): unknown {
  const text = thrownText(error);
  const line = safeLine(text.trim());
  if (line === text) return error;
  const clean = new Error(line, { cause: error });
  if (typeof error === "object" && error !== null && "usage" in error) Object.assign(clean, { usage: error.usage });
  return isTransportFailure(error) ? markTransportFailure(clean) : clean;
}
