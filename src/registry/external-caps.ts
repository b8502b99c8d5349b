// E21 to E23: what an external tool is declared with. Its entry keeps the whole, and arguments are checked against that.
import { measuredJson } from "../records/json-bytes.js";
import { REGISTRY_LIMITS } from "./limits.js";

export interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

const encoder = new TextEncoder();
const room = new Uint8Array(REGISTRY_LIMITS.externalDescriptionBytes);
const MAX_BYTES_PER_UNIT = 3;

/** Stands for a schema that is too large. */
const ANY_OBJECT = Object.freeze({ type: "object" });

/**
 * The longest beginning of a text that fits, cut between two code points. What is beyond the cap is not read.
 *
 * @param maxBytes - UTF-8 bytes, at most the cap of a description.
 */
export function cappedDescription(text: string, maxBytes: number = REGISTRY_LIMITS.externalDescriptionBytes): string {
  if (text.length * MAX_BYTES_PER_UNIT <= maxBytes) return text.toWellFormed();
  // A code unit takes a byte at least. Half of a pair would make the whole request invalid for some providers.
  const start = text.slice(0, maxBytes + 1).toWellFormed();
  const { read } = encoder.encodeInto(start, room.subarray(0, maxBytes));
  return read === text.length ? start : start.slice(0, read);
}

/**
 * The definition as it is declared: with a frozen copy of its schema, made while it was measured, or without it and with a
 * notice. What an external schema gives when it is read again concerns nobody.
 */
export function cappedDefinition({ name, description, inputSchema }: Definition): Definition {
  const capped = cappedDescription(description);
  const schema = measuredSchema({ name, description: capped, inputSchema });
  if (schema !== undefined) return { name, description: capped, inputSchema: schema };
  return { name, description: withNotice(description, omissionNotice(name)), inputSchema: ANY_OBJECT };
}

/** `undefined` when the definition is too large, or has no JSON form, so that no provider could be given it. */
function measuredSchema(definition: Definition): object | undefined {
  try {
    const measured = measuredJson(definition, REGISTRY_LIMITS.externalDefinitionBytes);
    const { inputSchema } = (measured?.json ?? {}) as { readonly inputSchema?: unknown };
    return typeof inputSchema === "object" && inputSchema !== null ? inputSchema : undefined;
  } catch {
    return undefined;
  }
}

function withNotice(description: string, notice: string): string {
  const left = REGISTRY_LIMITS.externalDescriptionBytes - Buffer.byteLength(notice) - 1;
  const start = cappedDescription(description, left).trimEnd();
  return start === "" ? notice : `${start} ${notice}`;
}

function omissionNotice(name: string): string {
  const limit = REGISTRY_LIMITS.externalDefinitionBytes.toLocaleString("en-US");
  return `[The parameters of ${name} are left out here: its definition is larger than ${limit} bytes. Arguments are still checked.]`;
}
