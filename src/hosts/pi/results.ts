// Results and usage between the two shapes. Pi shows text and images only, wants `details` on every result, and adds
// usage up field by field without looking.
import { shortenText, thrownText } from "../../errors/text.js";
import type { Usage, UsageValue } from "../../records/usage.js";
import type { ContentBlock, ImageContent, TextContent, ToolCallOutcome, ToolResult } from "../../tools/tool.js";
import type { AgentToolCallOutcome, AgentToolResult, JsonValue, PiUsage } from "./tool-definition.js";

/** What Pi can show of a result's content: anything but text and images becomes a text that says what it is. */
export function piContent(content: readonly ContentBlock[]): (TextContent | ImageContent)[] {
  return content.map((block) => {
    if (block.type === "text" || block.type === "image") return block;
    return { type: "text", text: placeholder(block) };
  });
}

function placeholder(block: Exclude<ContentBlock, TextContent | ImageContent>): string {
  switch (block.type) {
    case "audio":
      return `[audio, ${block.mimeType}: it cannot be shown here]`;
    case "resource": {
      const { uri, text, mimeType } = block.resource;
      return text ?? `[resource ${uri}, ${mimeType ?? "of an unknown type"}: it cannot be shown here]`;
    }
    case "resource_link":
      return `[${block.title ?? block.name}: ${block.uri}]`;
    default:
      return block satisfies never;
  }
}

/**
 * A result as a Pi tool gives it. Details that JSON cannot hold would end Pi's session when it is written, so a note
 * stands for them.
 *
 * @throws TypeError for structured content that JSON cannot hold.
 */
export function piResult(result: Partial<ToolResult>): AgentToolResult {
  const { content = [], details, structuredContent, usage, isError, terminate } = result;
  const [detailsProblem, problem] = [jsonProblem(details), jsonProblem(structuredContent)];
  if (problem !== undefined) throw new TypeError(`The structuredContent has no JSON form: ${problem}`);
  const counted = piUsage(usage);
  return {
    content: piContent(content),
    details: detailsProblem === undefined ? details : { problem: `The details have no JSON form: ${detailsProblem}` },
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as JsonValue }), // looked at above
    ...(counted === undefined ? {} : { usage: counted }),
    ...(isError === true ? { isError } : {}),
    ...(terminate === true ? { terminate } : {}),
  };
}

function jsonProblem(value: unknown): string | undefined {
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return shortenText(thrownText(error), 200);
  }
}

/** An outcome as a Pi tool gets it from `ctx.executeTool`. The result stays as it is. */
export function toPiOutcome({ toolCall, result, isError, durationMs }: ToolCallOutcome): AgentToolCallOutcome {
  return {
    // The engine takes objects as arguments only; a call that was refused for others keeps them as they came.
    toolCall: { type: "toolCall", ...toolCall, arguments: toolCall.arguments as Record<string, unknown> },
    result: { details: undefined, ...result } as AgentToolResult,
    isError,
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

/** Usage in Pi's fields, `undefined` when it has none of them. Fields that Pi does not know have no place there. */
export function piUsage(usage: Usage | undefined): PiUsage | undefined {
  if (usage === undefined) return undefined;
  const [input, output, cacheRead, cacheWrite] = fourOf(usage);
  const totalTokens = amount(usage.totalTokens) || input + output + cacheRead + cacheWrite;
  const cost = costOf(usage.cost);
  if (totalTokens === 0 && cost.total === 0) return undefined;
  const { reasoning, cacheWrite1h } = usage;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(cacheWrite1h === undefined ? {} : { cacheWrite1h: amount(cacheWrite1h) }),
    ...(reasoning === undefined ? {} : { reasoning: amount(reasoning) }),
    totalTokens,
    cost,
  };
}

/** A cost that is one number is the whole of it. */
function costOf(cost: UsageValue | undefined): PiUsage["cost"] {
  const parts = typeof cost === "object" ? cost : {};
  const [input, output, cacheRead, cacheWrite] = fourOf(parts);
  const total = amount(typeof cost === "object" ? parts.total : cost) || input + output + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, total };
}

function fourOf(fields: { readonly [field: string]: UsageValue | undefined }): [number, number, number, number] {
  return [amount(fields.input), amount(fields.output), amount(fields.cacheRead), amount(fields.cacheWrite)];
}

/** R7: a field that is no finite, non-negative number counts as nothing. */
function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
