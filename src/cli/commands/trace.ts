// `nestcall trace`: a recorded call, or the events of calls, as a tree, a page, or a trace for Perfetto.
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { text as textOfStream } from "node:stream/consumers";
import { thrownText } from "../../errors/text.js";
import { PRIVATE_MODE } from "../../trace/file/private-mode.js";
import type { Trace } from "../../trace/trace.js";
import type { Cli } from "../cli.js";
import { EXIT, UsageError } from "../exit.js";
import { hasColors, note, outWidth, writeOut } from "../output.js";
import { moreOf, parseOptions, wordsOf } from "../parse-options.js";
import { writeTo } from "../record-file.js";

const OPTIONS = {
  html: { type: "boolean" },
  chrome: { type: "boolean" },
  output: { type: "string", short: "o" },
  json: { type: "boolean" },
} as const;

/** A file and a pipe have no width of their own. */
const FILE_COLUMNS = 160;

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>["values"];

export async function trace(args: readonly string[], _cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("trace", args, OPTIONS);
  const [path] = wordsOf("trace", positionals, 1);
  if (path === undefined)
    throw new UsageError(`nestcall trace: name a trace or a record, or - for stdin.\n${moreOf("trace")}`);
  const forms = (["html", "chrome", "json"] as const).filter((form) => values[form] === true);
  if (forms.length > 1) throw new UsageError(`nestcall trace: give one of --${forms.join(" and --")}.`);
  if (path !== "-" && values.output !== undefined && resolve(path) === resolve(values.output))
    throw new UsageError(`nestcall trace: --output ${values.output} is the file that is read; name another.`);
  const { parseTrace } = await import("../../trace/index.js");
  const text = await readText(path);
  await put(values.output, await shown(parseTrace(text, path === "-" ? "stdin" : basename(path)), text, values));
  return EXIT.ok;
}

async function shown(parsed: Trace, text: string, { html, chrome, json, output }: Values): Promise<string> {
  const { drawCallTree, drawTrace, recordTree, renderTracePage, traceToChrome } = await import("../../trace/index.js");
  if (html === true) return renderTracePage(parsed);
  if (chrome === true) return JSON.stringify(traceToChrome(parsed));
  // What parseTrace has taken for a record is one.
  const tree = parsed.source === "record" ? recordTree(JSON.parse(text)) : undefined;
  if (json === true) return JSON.stringify(tree ?? parsed, undefined, 2);
  const isFile = output !== undefined;
  const width = isFile ? FILE_COLUMNS : Math.min(outWidth(), FILE_COLUMNS);
  const options = { width, colors: !isFile && hasColors(process.stdout) };
  return tree === undefined ? drawTrace(parsed, options) : drawCallTree(tree, options);
}

async function readText(path: string): Promise<string> {
  try {
    return path === "-" ? await textOfStream(process.stdin) : await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${thrownText(error)}`);
  }
}

async function put(path: string | undefined, text: string): Promise<void> {
  if (path === undefined) return writeOut(text);
  await writeTo(path, text.endsWith("\n") ? text : `${text}\n`, PRIVATE_MODE);
  note(`Written: ${path}`);
}
