// What `execute` gave back, turned into a result (DESIGN 4.1), and small readers of results.
import { describeValue, shortenText, thrownText } from "../errors/text.js";
import type { ContentBlock, ToolResult } from "./tool.js";

const FIELDS = ["content", "structuredContent", "details", "usage", "isError", "terminate"] as const;

/** The result, or what is wrong with the value. */
export type NormalizedResult = { readonly result: ToolResult } | { readonly problem: string };

/**
 * A text becomes one block, nothing an empty result; a result without content shows its structured content. The fields of
 * a result are read once: what a getter or a proxy does afterwards concerns nobody. Never throws.
 */
export function normalizeResult(value: unknown): NormalizedResult {
  try {
    return normalize(value);
  } catch (error) {
    return { problem: `a result that cannot be read (${shortenText(thrownText(error), 200)})` };
  }
}

function normalize(value: unknown): NormalizedResult {
  if (typeof value === "string") return { result: { content: [{ type: "text", text: value }] } };
  if (value === undefined || value === null) return { result: { content: [] } };
  if (typeof value !== "object" || Array.isArray(value)) {
    return { problem: `${describeValue(value)}; wanted is a text, a result object, or nothing` };
  }
  const { content, structuredContent, details, usage, isError, terminate } = value as {
    readonly [field: string]: unknown;
  };
  const result: { [field: string]: unknown } = { content };
  if (structuredContent !== undefined) result.structuredContent = structuredContent;
  if (details !== undefined) result.details = details;
  if (usage !== undefined) result.usage = usage;
  if (isError !== undefined) result.isError = isError;
  if (terminate !== undefined) result.terminate = terminate;
  if (result.isError !== undefined && typeof result.isError !== "boolean") {
    return { problem: `a result whose isError is ${describeValue(result.isError)}, not true or false` };
  }
  if (result.content === undefined) return withoutContent(result);
  const problem = contentProblem(result.content);
  if (problem !== undefined) return { problem: `a result whose ${problem}` };
  return { result: result as unknown as ToolResult }; // content and isError are checked, the others may be anything
}

function withoutContent(result: { readonly [field: string]: unknown }): NormalizedResult {
  if (!FIELDS.some((field) => result[field] !== undefined)) {
    return { problem: `an object with none of the fields ${FIELDS.join(", ")}` };
  }
  const { structuredContent } = result;
  if (structuredContent === undefined) return { result: { ...result, content: [] } };
  try {
    const text = JSON.stringify(structuredContent);
    return { result: { ...result, content: text === undefined ? [] : [{ type: "text", text }] } };
  } catch (error) {
    return { problem: `structuredContent that JSON cannot hold (${shortenText(String(error), 200)})` };
  }
}

/** What is wrong with a list of content blocks; `undefined` when nothing is. */
export function contentProblem(content: unknown): string | undefined {
  if (!Array.isArray(content)) return `content is ${describeValue(content)}, not a list of blocks`;
  for (let index = 0; index < content.length; index += 1) {
    const problem = blockProblem(content[index]);
    if (problem !== undefined) return `content[${index}] ${problem}`;
  }
  return undefined;
}

function blockProblem(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null) return `is ${describeValue(block)}, not a content block`;
  const { type, text, data, mimeType, resource, uri, name } = block as { readonly [field: string]: unknown };
  switch (type) {
    case "text":
      return typeof text === "string" ? undefined : `is a text block whose text is ${describeValue(text)}`;
    case "image":
    case "audio":
      if (typeof data === "string" && typeof mimeType === "string") return undefined;
      return `is a block of type ${type} without data and mimeType as strings`;
    case "resource":
      return typeof resource === "object" && resource !== null ? undefined : "is a resource block without a resource";
    case "resource_link":
      if (typeof uri === "string" && typeof name === "string") return undefined;
      return "is a resource_link block without uri and name as strings";
    default:
      return `has the type ${describeValue(type)}; known are text, image, audio, resource and resource_link`;
  }
}

/** The text that the model reads: the text blocks, a line end between them. */
export function textOfContent(content: readonly ContentBlock[]): string {
  const [first] = content;
  if (content.length === 1 && first?.type === "text") return first.text;
  const texts: string[] = [];
  for (const block of content) if (block.type === "text") texts.push(block.text);
  return texts.join("\n");
}
