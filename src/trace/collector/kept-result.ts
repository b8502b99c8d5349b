// What is kept of a result: its texts up to a bound, and other parts when the whole of them fits. Results belong to their
// callers, who may change them later, so every part is copied.
import { shortenText } from "../../errors/text.js";
import { redactBlock } from "../../guards/redaction-guard.js";
import { measuredJson } from "../../records/json-bytes.js";
import type { ContentBlock, ToolResult } from "../../tools/tool.js";
import { cutToBytes, ownText } from "./kept-text.js";
import { redactJson } from "./redact-json.js";

export interface KeepLimits {
  /** UTF-8 bytes of arguments that are kept of one call. */
  readonly maxArgumentBytes: number;
  /** UTF-8 bytes that are kept of one result. */
  readonly maxResultBytes: number;
  readonly redact: ((text: string) => string) | undefined;
}
export interface KeptResult {
  /** The text of a result that is nothing else; most are. */
  readonly text: string | undefined;
  /** Any other. */
  readonly result: Partial<ToolResult> | undefined;
  /** UTF-8 bytes of the texts in the content, before they were cut; absent when `text` is the whole and was not measured. */
  readonly textBytes: number | undefined;
  /** What is kept takes about so many. */
  readonly bytes: number;
  readonly isCut: boolean;
}

/** A UTF-16 unit takes at most so many. */
const MAX_BYTES_PER_UNIT = 3;
const MAX_SHORT_UNITS = 16_384;

/**
 * The text of a result that is nothing but a text, and so short that it need not be measured; it may be a slice of
 * something large. Never throws.
 */
export function shortText(result: Partial<ToolResult>, { redact, maxResultBytes }: KeepLimits): string | undefined {
  try {
    const given = onlyText(result);
    const text = given === undefined || redact === undefined ? given : redact(given);
    if (text === undefined || text.length > MAX_SHORT_UNITS) return undefined;
    return text.length * MAX_BYTES_PER_UNIT > maxResultBytes ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Never throws, whatever a result does when it is read. */
export function keepResult(result: Partial<ToolResult>, limits: KeepLimits): KeptResult {
  try {
    const text = onlyText(result);
    return text === undefined ? keepParts(result, limits) : keepText(text, limits);
  } catch {
    return { text: undefined, result: undefined, textBytes: 0, bytes: 0, isCut: true };
  }
}

function onlyText(result: Partial<ToolResult>): string | undefined {
  const { content } = result;
  if (content === undefined || content.length !== 1) return undefined;
  if (result.details !== undefined || result.structuredContent !== undefined) return undefined;
  if (result.usage !== undefined || result.terminate !== undefined) return undefined;
  const block = content[0]; // no destructuring here: it asks for an iterator
  return block?.type === "text" && typeof block.text === "string" ? block.text : undefined;
}

function keepText(given: string, { redact, maxResultBytes }: KeepLimits): KeptResult {
  const text = redact === undefined ? given : redact(given);
  const { length } = text;
  if (length * MAX_BYTES_PER_UNIT <= maxResultBytes)
    return { text: ownText(text), result: undefined, textBytes: undefined, bytes: length, isCut: false };
  const textBytes = Buffer.byteLength(text);
  const isCut = textBytes > maxResultBytes;
  const kept = isCut ? cutToBytes(text, maxResultBytes) : ownText(text);
  return { text: kept, result: undefined, textBytes, bytes: Math.min(textBytes, maxResultBytes), isCut };
}

/** The bytes of the texts of a result, before they were cut. */
export function textBytesOf({ textBytes, text }: KeptResult): number {
  return textBytes ?? Buffer.byteLength(text ?? "");
}

function keepParts(result: Partial<ToolResult>, limits: KeepLimits): KeptResult {
  const parts = new Parts(limits);
  const { content = [], details, structuredContent, usage, terminate, isError } = result;
  const kept: Record<string, unknown> = { content: content.map((block) => parts.block(block)) };
  for (const [field, value] of Object.entries({ structuredContent, details, usage })) {
    const own = value === undefined ? undefined : parts.json(value);
    if (own !== undefined) kept[field] = own;
  }
  if (terminate !== undefined) kept.terminate = terminate === true;
  if (isError === true) kept.isError = true;
  const { textBytes: bytes, isCut, used } = parts;
  return { text: undefined, result: kept as Partial<ToolResult>, textBytes: bytes, bytes: used + 100, isCut };
}

/** Takes the parts of one result until the bound is reached. */
class Parts {
  used = 0;
  textBytes = 0;
  isCut = false;
  readonly #limits: KeepLimits;

  constructor(limits: KeepLimits) {
    this.#limits = limits;
  }

  block(block: ContentBlock): unknown {
    if (block.type === "text") return { type: "text", text: this.#text(block.text) };
    const { redact } = this.#limits;
    const kept = this.#copyOf(block, (copy) =>
      redact === undefined ? copy : redactBlock(copy as ContentBlock, redact),
    );
    return kept ?? { type: "text", text: `(${describeBlock(block, redact)}, not kept)` };
  }

  /** A copy of JSON data; none when it does not fit or has no JSON form. */
  json(value: unknown): unknown {
    const { redact } = this.#limits;
    return this.#copyOf(value, (copy) => (redact === undefined ? copy : redactJson(copy, redact)));
  }

  #copyOf(value: unknown, redacted: (copy: unknown) => unknown): unknown {
    const measured = this.#measured(value);
    const shown = measured === undefined ? undefined : redacted(measured.json);
    // What stands in place of a match may be longer.
    const kept = measured === undefined || shown === measured.json ? measured : this.#measured(shown);
    if (kept === undefined) {
      this.isCut = true;
      return undefined;
    }
    this.used += kept.bytes;
    return kept.json;
  }

  /** None when it does not fit, or has no JSON form. */
  #measured(value: unknown): ReturnType<typeof measuredJson> {
    try {
      return measuredJson(value, this.#limits.maxResultBytes - this.used);
    } catch {
      return undefined;
    }
  }

  #text(given: string): string {
    const kept = keepText(given, this.#left());
    this.used += kept.bytes;
    this.textBytes += textBytesOf(kept);
    this.isCut ||= kept.isCut;
    return kept.text ?? "";
  }

  #left(): KeepLimits {
    const { maxResultBytes } = this.#limits;
    return { ...this.#limits, maxResultBytes: Math.max(0, maxResultBytes - this.used) };
  }
}

/** Texts are redacted before they are cut: half of a match is none. */
function describeBlock(
  block: Exclude<ContentBlock, { readonly type: "text" }>,
  redact: KeepLimits["redact"] = (text) => text,
): string {
  if (block.type === "image" || block.type === "audio") {
    const bytes = Math.floor((block.data.length * 3) / 4);
    return `${block.type} ${shortenText(redact(block.mimeType), 60)}, ${bytes.toLocaleString("en-US")} bytes`;
  }
  if (block.type === "resource") return `resource ${shortenText(redact(block.resource.uri), 200)}`;
  return `link to ${shortenText(redact(block.uri), 200)}`;
}
