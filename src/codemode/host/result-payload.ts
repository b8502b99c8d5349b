// What a call came to, as it crosses into a sandbox: a text as it is, data as JSON, a failure by its public parts (C2).
import { cutText, thrownText } from "../../errors/text.js";
import { ABSENT, FAILURE, JSON_TEXT, type Payload, PLAIN_TEXT } from "../protocol.js";
import { timeToWork } from "./host-turns.js";
import { isLarge, jsonInTurns } from "./json-in-turns.js";

/** From here on bytes are cheaper to move than the text. */
const LARGE_CHARACTERS = 64 * 1024;
const MAX_MESSAGE_CHARACTERS = 64 * 1024;

export interface ResultPayload {
  readonly kind: number;
  readonly text: string | undefined;
}

/** What a call resolved to; a promise of it when it is large. */
export function valuePayload(value: unknown, resultBytes: number): ResultPayload | Promise<ResultPayload> {
  if (value === undefined) return { kind: ABSENT, text: undefined };
  // Said before anything passes over the text: a byte count of what is refused anyway would hold up the host.
  if (typeof value === "string" && value.length > resultBytes) return tooLarge(`at least ${value.length}`, resultBytes);
  // A text needs no JSON around it, unless it holds half a surrogate pair, which UTF-8 has not.
  const isPlain = typeof value === "string" && value.isWellFormed();
  if (isLarge(value)) return largePayload(value, isPlain, resultBytes);
  try {
    return textPayload(isPlain ? value : JSON.stringify(value), isPlain, resultBytes);
  } catch (error) {
    return noJson(error, resultBytes);
  }
}

async function largePayload(value: unknown, isPlain: boolean, resultBytes: number): Promise<ResultPayload> {
  try {
    await timeToWork();
    const text = isPlain ? (value as string) : await jsonInTurns(value); // only a text is plain
    await timeToWork(); // to copy it takes as long again
    return textPayload(text, isPlain, resultBytes);
  } catch (error) {
    return noJson(error, resultBytes);
  }
}

function textPayload(text: string | undefined, isPlain: boolean, resultBytes: number): ResultPayload {
  if (text === undefined) return { kind: ABSENT, text: undefined };
  const size = text.length * 3 <= resultBytes ? 0 : Buffer.byteLength(text);
  if (size > resultBytes) return tooLarge(String(size), resultBytes);
  return { kind: isPlain ? PLAIN_TEXT : JSON_TEXT, text };
}

function noJson(error: unknown, resultBytes: number): ResultPayload {
  return failurePayload(new Error(`The tool's result has no JSON form: ${thrownText(error)}`), resultBytes);
}

function tooLarge(bytes: string, resultBytes: number): ResultPayload {
  const message = `The tool's result has ${bytes} bytes; a script can be given ${resultBytes} (resultBytes).`;
  return failurePayload(new Error(message), resultBytes);
}

/** Details that are larger than a result may be are left out. */
export function failurePayload(error: unknown, resultBytes: number): ResultPayload {
  const { name, code, details } = partsOf(error);
  const shown = {
    ...(typeof name === "string" && name !== "Error" && name !== "NestcallError" ? { name: cutText(name, 200) } : {}),
    message: cutText(thrownText(error), MAX_MESSAGE_CHARACTERS),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
  };
  return { kind: FAILURE, text: withDetails(shown, details, resultBytes) };
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

function withDetails(shown: object, details: unknown, resultBytes: number): string {
  const bare = JSON.stringify(shown);
  if (details === undefined || (typeof details === "string" && details.length > resultBytes)) return bare;
  try {
    const text = JSON.stringify({ ...shown, details });
    return text.length <= resultBytes ? text : bare;
  } catch {
    return bare;
  }
}

const encoder = new TextEncoder();

/** The text, or its bytes when they are many. */
export function toPayload(text: string | undefined): Payload | undefined {
  return text === undefined || text.length < LARGE_CHARACTERS ? text : encoder.encode(text);
}

export function fromPayload(payload: Payload | undefined): string | undefined {
  if (payload === undefined || typeof payload === "string") return payload;
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString("utf8");
}
