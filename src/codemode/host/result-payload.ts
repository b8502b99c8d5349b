// What a call came to, as it crosses into a sandbox: a text as it is, data as JSON, a failure by its public parts (C2).
import { cutText, thrownText } from "../../errors/text.js";
import { ABSENT, FAILURE, JSON_TEXT, type Payload, PLAIN_TEXT } from "../protocol.js";
import { timeToWork } from "./host-turns.js";
import { isLarge, jsonInTurns, jsonOf, piecesOf } from "./json-in-turns.js";

/** From here on bytes are cheaper to move than the text. */
const LARGE_CHARACTERS = 64 * 1024;
/** So much of a text is copied at once. */
const PIECE_CHARACTERS = 256 * 1024;
const MAX_MESSAGE_CHARACTERS = 64 * 1024;

export interface ResultPayload {
  readonly kind: number;
  readonly text: string | undefined;
  /** The text in UTF-8, when it is so long that this was made in turns. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** What a call resolved to; a promise of it when it is large. */
export function valuePayload(value: unknown, resultBytes: number): ResultPayload | Promise<ResultPayload> {
  if (value === undefined) return { kind: ABSENT, text: undefined };
  // Said before anything passes over the text: a byte count of what is refused anyway would hold up the host.
  if (typeof value === "string" && value.length > resultBytes) return tooLarge(`at least ${value.length}`, resultBytes);
  // A text needs no JSON around it, unless it holds half a surrogate pair, which UTF-8 has not.
  const isPlain = typeof value === "string" && value.isWellFormed();
  try {
    if (isPlain ? value.length > LARGE_CHARACTERS : isLarge(value)) return largePayload(value, isPlain, resultBytes);
    return textPayload(isPlain ? value : jsonOf(value), isPlain, resultBytes);
  } catch (error) {
    return noJson(error);
  }
}

async function largePayload(value: unknown, isPlain: boolean, resultBytes: number): Promise<ResultPayload> {
  try {
    const text = isPlain ? (value as string) : await jsonInTurns(value); // only a text is plain
    if (text === undefined || text.length < LARGE_CHARACTERS) return textPayload(text, isPlain, resultBytes);
    if (text.length > resultBytes) return tooLarge(`at least ${text.length}`, resultBytes);
    const bytes = await bytesInTurns(text);
    if (bytes.length > resultBytes) return tooLarge(String(bytes.length), resultBytes);
    return { kind: isPlain ? PLAIN_TEXT : JSON_TEXT, text, bytes };
  } catch (error) {
    return noJson(error);
  }
}

function textPayload(text: string | undefined, isPlain: boolean, resultBytes: number): ResultPayload {
  if (text === undefined) return { kind: ABSENT, text: undefined };
  const size = text.length * 3 <= resultBytes ? 0 : Buffer.byteLength(text);
  if (size > resultBytes) return tooLarge(String(size), resultBytes);
  return { kind: isPlain ? PLAIN_TEXT : JSON_TEXT, text };
}

function noJson(error: unknown): ResultPayload {
  return failurePayload(new Error(`The tool's result has no JSON form: ${thrownText(error)}`));
}

function tooLarge(bytes: string, resultBytes: number): ResultPayload {
  const message = `The tool's result has ${bytes} bytes; a script can be given ${resultBytes} (resultBytes).`;
  return failurePayload(new Error(message));
}

/** What a call rejected with; a promise of it when its details are large. Details that cannot be sent are left out. */
export function errorPayload(error: unknown, resultBytes: number): ResultPayload | Promise<ResultPayload> {
  const bare = failurePayload(error);
  const { details } = partsOf(error);
  if (details === undefined) return bare;
  try {
    if (isLarge(details)) return largeDetails(bare, details, resultBytes);
    return withDetails(bare, jsonOf(details), resultBytes);
  } catch {
    return bare;
  }
}

async function largeDetails(bare: ResultPayload, details: unknown, resultBytes: number): Promise<ResultPayload> {
  try {
    if (typeof details === "string" && details.length > resultBytes) return bare;
    const whole = withDetails(bare, await jsonInTurns(details), resultBytes);
    return { ...whole, bytes: await bytesInTurns(whole.text ?? "") };
  } catch {
    return bare;
  }
}

function withDetails(bare: ResultPayload, json: string | undefined, resultBytes: number): ResultPayload {
  const { kind, text = "" } = bare;
  if (json === undefined || text.length + json.length > resultBytes) return bare;
  return { kind, text: `${text.slice(0, -1)},"details":${json}}` };
}

function failurePayload(error: unknown): ResultPayload {
  const { name, code } = partsOf(error);
  const shown = {
    ...(typeof name === "string" && name !== "Error" && name !== "NestcallError" ? { name: cutText(name, 200) } : {}),
    message: cutText(thrownText(error), MAX_MESSAGE_CHARACTERS),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
  };
  return { kind: FAILURE, text: JSON.stringify(shown) };
}

function partsOf(error: unknown): { readonly name?: unknown; readonly code?: unknown; readonly details?: unknown } {
  try {
    if (typeof error !== "object" || error === null) return {};
    const { name, code, details } = error as {
      readonly name?: unknown;
      readonly code?: unknown;
      readonly details?: unknown;
    };
    return { name, code, details };
  } catch {
    return {};
  }
}

const encoder = new TextEncoder();

async function bytesInTurns(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const piece of piecesOf(text, PIECE_CHARACTERS)) {
    await timeToWork();
    const part = encoder.encode(piece);
    parts.push(part);
    size += part.length;
  }
  await timeToWork();
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The text, or its bytes when they are many. What has bytes already gives them away: their buffer is transferred. */
export function toPayload({ text, bytes }: Pick<ResultPayload, "text" | "bytes">): Payload | undefined {
  if (bytes !== undefined) return bytes;
  return text === undefined || text.length < LARGE_CHARACTERS ? text : encoder.encode(text);
}

export function fromPayload(payload: Payload | undefined): string | undefined {
  if (payload === undefined || typeof payload === "string") return payload;
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString("utf8");
}
