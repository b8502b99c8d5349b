// `nestcall trace`: a recorded call as a tree, a page, or a trace.
import { readFile } from "node:fs/promises";
import { text as textOfStream } from "node:stream/consumers";
import { thrownText } from "../../errors/text.js";
import type { Cli } from "../cli.js";
import { EXIT, UsageError } from "../exit.js";
import { hasColors, note, outWidth, writeOut } from "../output.js";
import { moreOf, parseOptions, wordsOf } from "../parse-options.js";
import { writeTo } from "../record-file.js";
import { traceFile } from "../trace-files.js";

const OPTIONS = {
  html: { type: "boolean" },
  chrome: { type: "boolean" },
  output: { type: "string", short: "o" },
  json: { type: "boolean" },
} as const;

export async function trace(args: readonly string[], _cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("trace", args, OPTIONS);
  const [path] = wordsOf("trace", positionals, 1);
  if (path === undefined) throw new UsageError(`nestcall trace: name a record, or - for stdin.\n${moreOf("trace")}`);
  if (values.html === true && values.chrome === true)
    throw new UsageError("nestcall trace: give one of --html and --chrome.");
  const { drawCallTree, recordTree } = await import("../../trace/index.js");
  const record = (await readRecordFile(path)) as Parameters<typeof recordTree>[0]; // recordTree asks
  const tree = recordTree(record);
  const textOf = () => {
    if (values.html === true) return traceFile("html", record);
    if (values.chrome === true) return traceFile("chrome", record);
    if (values.json === true) return `${JSON.stringify(tree, undefined, 2)}\n`;
    const isFile = values.output !== undefined;
    return drawCallTree(tree, {
      width: isFile ? 160 : Math.min(outWidth(), 160),
      colors: !isFile && hasColors(process.stdout),
    });
  };
  await put(values.output, await textOf());
  return EXIT.ok;
}

async function readRecordFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = path === "-" ? await textOfStream(process.stdin) : await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${thrownText(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is no JSON: ${thrownText(error)}`);
  }
}

async function put(path: string | undefined, text: string): Promise<void> {
  if (path === undefined) return writeOut(text);
  await writeTo(path, text.endsWith("\n") ? text : `${text}\n`);
  note(`Written: ${path}`);
}
