// What a provider is given for each tool. The caps of external tools are applied here and only here (E23), and nothing
// of where a tool came from is in it (E28).
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { thrownText } from "../errors/text.js";
import { decoratedSchema, type ToolDecoration } from "./decoration.js";
import { cappedDefinition, type Definition } from "./external-caps.js";
import { estimateTokens } from "./limits.js";
import { applyLoadout, type DeclaredEntry, type LoadoutOptions } from "./loadout.js";

/**
 * A tool as it is shown to a model. Frozen; the schema is the tool's own object unless it was decorated, and of an external
 * tool a frozen copy.
 */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: object;
  /** UTF-8 bytes of the compact JSON of the three parts above (E57). */
  readonly bytes: number;
  /** What that costs in about each request: `estimateTokens(bytes)`. */
  readonly tokens: number;
}

export interface DeclarationOptions extends LoadoutOptions {
  /** Properties that are added to the schemas of internal tools. */
  readonly decoration?: ToolDecoration | undefined;
}

/** What a declaration was made from; the next one from the same parts is the same object. */
interface Memo {
  readonly description: string;
  readonly schema: object;
  readonly declaration: ToolDeclaration;
}

const internalMemos = new WeakMap<object, Memo>();
const externalMemos = new WeakMap<object, Memo>();

/**
 * The declarations of these entries, in their order, without those that a handler hid. Which entries are active is the
 * caller's question. A schema is measured once for each tool; of an external one no more is read than may be shown.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a decoration of a wrong form, `INVALID_TOOL` when the schema of an internal
 *   tool has no JSON form.
 */
export function composeDeclarations(
  entries: readonly DeclaredEntry[],
  options: DeclarationOptions = {},
): ToolDeclaration[] {
  return applyLoadout(entries, options).map(({ entry, description }) =>
    declare(entry, description, decoratedSchema(entry, options.decoration)),
  );
}

function declare({ tool, external }: DeclaredEntry, description: string, schema: object): ToolDeclaration {
  const memos = external ? externalMemos : internalMemos;
  const memo = memos.get(tool);
  if (memo?.description === description && memo.schema === schema) return memo.declaration;
  const whole = { name: tool.name, description, inputSchema: schema };
  const declaration = withCost(external ? cappedDefinition(whole) : whole);
  memos.set(tool, { description, schema, declaration });
  return declaration;
}

function withCost({ name, description, inputSchema }: Definition): ToolDeclaration {
  const bytes = bytesOf({ name, description, inputSchema });
  return Object.freeze({ name, description, inputSchema, bytes, tokens: estimateTokens(bytes) });
}

function bytesOf(definition: Definition): number {
  try {
    return Buffer.byteLength(JSON.stringify(definition));
  } catch (cause) {
    const message = `Tool "${definition.name}" cannot be declared: its inputSchema has no JSON form (${thrownText(cause)}).`;
    throw new NestcallError(ErrorCode.INVALID_TOOL, message, { cause });
  }
}
