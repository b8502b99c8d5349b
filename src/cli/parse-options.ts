// The options of one command, by node:util. What is wrong is told with what is known.
import { type ParseArgsConfig, parseArgs } from "node:util";
import { closestOf } from "./closest.js";
import { UsageError } from "./exit.js";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ readonly options: O; readonly allowPositionals: true; readonly strict: true }>
>;

/** @throws UsageError that names the command and the option. */
export function parseOptions<const O extends Options>(command: string, args: readonly string[], options: O): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as Parsed<O>;
  } catch (error) {
    throw new UsageError(`nestcall ${command}: ${problemOf(error, Object.keys(options))}\n${moreOf(command)}`);
  }
}

function problemOf(error: unknown, known: readonly string[]): string {
  const { code, message = String(error) } = error as { readonly code?: string; readonly message?: string };
  if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") return message;
  const name = /'(-{1,2}[^']*)'/.exec(message)?.[1] ?? "";
  const close = closestOf(name.replace(/^-+/, ""), known);
  const all = known.map((option) => `--${option}`).join(", ");
  return `there is no option ${name}. ${close === undefined ? `Options are ${all}.` : `Did you mean --${close}?`}`;
}

/** @throws UsageError when there are more than `max` words beside the options. */
export function wordsOf(command: string, words: readonly string[], max: number): readonly string[] {
  const extra = words[max];
  if (extra === undefined) return words;
  throw new UsageError(`nestcall ${command}: ${JSON.stringify(extra)} is too much here.\n${moreOf(command)}`);
}

/** Where to read on. */
export function moreOf(command: string): string {
  return `\`nestcall ${command} --help\` shows how it is used.`;
}
