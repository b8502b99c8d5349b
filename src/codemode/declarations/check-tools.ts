// A list of tools that comes from outside, checked before anything is made of it: a worker that cannot read a tool ends with
// every script in it.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { DeclaredTool } from "./declared-tool.js";

type Fields = Readonly<Record<string, unknown>>;

const TEXTS = ["title", "description"];
const NAMESPACE_TEXTS = ["description", "instructions"];

/**
 * Throws for what is no list of tools.
 *
 * @param taker - Who takes them, for the message.
 * @throws NestcallError `INVALID_ARGUMENTS` that names the tool and its field.
 */
export function checkTools(tools: unknown, taker: string): asserts tools is readonly DeclaredTool[] {
  if (!Array.isArray(tools))
    throw wrong(`${taker} takes a list of tools, [{ name, … }]; it is ${describeValue(tools)}.`);
  for (const tool of tools as readonly unknown[]) {
    const { name } = fieldsOf(tool);
    if (typeof name !== "string") {
      const found =
        typeof tool === "object" && tool !== null ? `one has ${describeValue(name)}` : `one is ${describeValue(tool)}`;
      throw wrong(`Every tool of ${taker} needs a name, which is a text; ${found}.`);
    }
    const problem = problemOf(tool as Fields);
    if (problem !== undefined) throw wrong(`The tool ${JSON.stringify(name)} of ${taker} is wrong: ${problem}.`);
  }
}

/** A call by name must mean one tool. */
export function refuseSameNames(tools: readonly DeclaredTool[], taker: string): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) {
      throw wrong(`Two tools of ${taker} have the name ${JSON.stringify(name)}. Give each a name of its own.`);
    }
    names.add(name);
  }
}

function problemOf(tool: Fields): string | undefined {
  const { namespace, listed } = tool;
  for (const field of TEXTS)
    if (isNoText(tool[field])) return `its ${field} must be a text, not ${describeValue(tool[field])}`;
  if (listed !== undefined && typeof listed !== "boolean")
    return `its listed must be true or false, not ${describeValue(listed)}`;
  if (namespace === undefined) return undefined;
  const fields = fieldsOf(namespace);
  if (typeof fields.name !== "string")
    return `its namespace must be an object with a name, { name: "…" }, not ${describeValue(namespace)}`;
  for (const field of NAMESPACE_TEXTS) {
    if (isNoText(fields[field])) return `its namespace.${field} must be a text, not ${describeValue(fields[field])}`;
  }
  return undefined;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function isNoText(value: unknown): boolean {
  return value !== undefined && typeof value !== "string";
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
