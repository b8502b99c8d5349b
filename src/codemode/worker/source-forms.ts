// Which form a script has (design 7): the engine says so by compiling, the first form that compiles is the one that runs.
// A form that does not compile has run nothing.
import type { CodemodeError } from "../run-types.js";
import { type Engine, EVAL_FUNCTION, EVAL_MODULE, EVAL_SCRIPT } from "../vm/engine.js";
import { stripTypes } from "./strip-types.js";

/** A script that has begun, as a value that the prelude concludes; or a function that is to be called. */
type StartedScript = { readonly form: "script" | "module" | "body"; readonly value: number };
export type SourceResult = StartedScript | { readonly error: CodemodeError };

/** Calls with type arguments are valid JavaScript with another meaning: two comparisons. */
const TYPE_ARGUMENTS = /(?:[\w$\])]<|\.\w+\s*<)[\w\s,.[\]{}|&:;?"'<>]{1,300}>\s*\(/;
const STATIC_IMPORT = /^[ \t]*import\s*(?:["']|[\w$*{][^;\n]*?from\s*["'])[^;\n]*/m;
const MODULE_WORD = /\b(?:export|import)\b/;
const STRICT = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*["']use strict["']/;

export interface FormsContext {
  readonly engine: Engine;
  /** Tells how many characters stand before the first line. */
  shift(columns: number): void;
}

/** Compiles and begins the script. */
export function startScript(context: FormsContext, code: string): SourceResult {
  if (TYPE_ARGUMENTS.test(code)) {
    const stripped = stripTypes(code);
    if ("code" in stripped && stripped.code !== code) {
      const started = tryForms(context, stripped.code);
      if (!("error" in started)) return started;
    }
  }
  const plain = tryForms(context, code);
  if (!("error" in plain)) return plain;
  const typed = tryTyped(context, code, plain.error);
  if (!("error" in typed)) return typed;
  const imported = STATIC_IMPORT.exec(code);
  if (imported !== null) return { error: importError(imported[0].trim(), lineAt(code, imported.index)) };
  return { error: withinSource(typed.error, code) };
}

/** The message for an import, static or not. */
export function importRefusal(what: string): string {
  return `A script cannot import modules (${what.slice(0, 100)}): there are none in the sandbox. Call the tools instead: await tools.<name>({ … }), found with searchTools("…").`;
}

function importError(what: string, line: number): CodemodeError {
  return { name: "ImportError", message: importRefusal(what), line };
}

function tryTyped(context: FormsContext, code: string, first: CodemodeError): SourceResult {
  const stripped = stripTypes(code);
  if ("code" in stripped) {
    if (stripped.code === code) return { error: first };
    const dropped = droppedNamespace(code, stripped.code);
    if (dropped !== undefined) return { error: dropped };
    const started = tryForms(context, stripped.code);
    return "error" in started ? { error: furthest(first, started.error) } : started;
  }
  if (stripped.isMissing === true) return { error: { ...first, message: `${first.message}. ${stripped.problem}` } };
  const { problem, line } = stripped;
  return { error: furthest(first, { name: "SyntaxError", message: problem, ...(line === undefined ? {} : { line }) }) };
}

/** A namespace is taken for a type and goes without a word; a script that needs it would miss its name later. */
function droppedNamespace(code: string, stripped: string): CodemodeError | undefined {
  for (const found of code.matchAll(/^[ \t]*(?:export[ \t]+)?namespace[ \t]+([\w$.]+)[ \t]*\{/gm)) {
    if (stripped.includes(found[0].trim())) continue; // it stands in a text
    const message = `TypeScript's namespace ${found[1]} is not supported in scripts. Use an object: const ${found[1]} = { … }.`;
    return { name: "SyntaxError", message, line: lineAt(code, found.index) };
  }
  return undefined;
}

/** Of two errors the one that its parser came further to. */
function furthest(first: CodemodeError, second: CodemodeError): CodemodeError {
  return (second.line ?? 0) > (first.line ?? 0) ? second : first;
}

function tryForms(context: FormsContext, code: string): SourceResult {
  const asObject = tryObject(context, code);
  if (asObject !== undefined) return asObject;
  const asScript = attempt(context, code, "script", "", EVAL_SCRIPT);
  if (!("error" in asScript)) return asScript;
  const asBody = tryBody(context, code);
  if (!("error" in asBody)) return asBody;
  if (MODULE_WORD.test(code)) {
    const asModule = attempt(context, code, "module", "", EVAL_MODULE);
    if (!("error" in asModule)) return asModule;
    if (/^\s*export\b/m.test(code) || asModule.error.name === "ImportError") return asModule;
  }
  return /^return not in a function/.test(asScript.error.message) ? asBody : asScript;
}

/** `{ a: 1 }` alone would be a block with a label. */
function tryObject(context: FormsContext, code: string): SourceResult | undefined {
  if (!/^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*\{/.test(code) || !context.engine.compiles(`[${code}\n]`))
    return undefined;
  if (!context.engine.compiles(`async()=>(${code}\n)`)) return undefined;
  const started = attempt(context, `(${code}\n)`, "script", "(", EVAL_SCRIPT);
  return "error" in started ? undefined : started;
}

/**
 * The body of an asynchronous function. Only inside the block can its label be left, and no script knows the label: a body
 * that closes the block or opens a function over its end does not compile.
 */
function tryBody(context: FormsContext, code: string): SourceResult {
  const label = `body_${unknownWord()}${unknownWord()}`;
  const before = `(async()=>{${STRICT.test(code) ? '"use strict";' : ""}${label}:{`;
  return attempt(context, `${before}${code}\n;break ${label};}})`, "body", before, EVAL_FUNCTION);
}

/** This thread's own generator, which no script can read: 32 bits of it as hexadecimal digits. */
function unknownWord(): string {
  return Math.floor(Math.random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, "0");
}

function attempt(
  context: FormsContext,
  code: string,
  form: StartedScript["form"],
  before: string,
  flags: number,
): SourceResult {
  context.shift(before.length);
  const { engine } = context;
  const value = engine.evaluate(code, "script", flags);
  return value === undefined ? { error: compileError(engine) } : { form, value };
}

function compileError(engine: Engine): CodemodeError {
  const value = engine.exports.qjs_get_exception();
  const name = engine.memberText(value, "name") ?? "SyntaxError";
  const message = engine.memberText(value, "message") ?? "the script cannot be compiled";
  const stack = engine.memberText(value, "stack") ?? "";
  engine.exports.qjs_free_value(value);
  const line = Number(/script:(\d+)/.exec(stack)?.[1]);
  return { name, message, ...(line >= 1 ? { line } : {}), ...(stack === "" ? {} : { stack }) };
}

/** An end that is missing is found behind the last line, in what follows the script. */
function withinSource(error: CodemodeError, code: string): CodemodeError {
  const last = lineAt(code, code.trimEnd().length);
  if (!/\bbody_[0-9a-f]{16}|break\/continue label/.test(error.message) && (error.line ?? 0) <= last) return error;
  const { stack: _stack, ...rest } = error;
  const isOurs = /body_|break\/continue label/.test(error.message);
  const message = isOurs
    ? "unexpected end of the script: a bracket, a function or a text is not closed, or closed twice"
    : error.message;
  return { ...rest, message, line: Math.min(error.line ?? last, last) };
}

function lineAt(code: string, index: number): number {
  let line = 1;
  for (let at = code.indexOf("\n"); at !== -1 && at < index; at = code.indexOf("\n", at + 1)) line += 1;
  return line;
}
