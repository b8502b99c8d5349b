// How a call looks when neither a resolver nor the tool says so: the name with its arguments in a line, the text of the
// result. They draw whatever they are given, a call of an old trace too, and never throw.
import { shortenText } from "../errors/text.js";
import type { Drawing, DrawingTone, DrawingView } from "../tools/drawing.js";
import { shortFields, shortJson } from "../tools/short-json.js";

const MAX_CALL_CHARS = 200;
const MAX_LINES = 10;
const MAX_LINE_CHARS = 2000;

type Fields = { readonly [field: string]: unknown };

/** `edit path: "a.md", edits: [{oldText: "x", …` */
export function drawCallLine(args: unknown, { toolName }: Pick<DrawingView, "toolName">): Drawing {
  const name = shortenText(String(toolName), 128);
  const shown =
    typeof args === "object" && args !== null && !Array.isArray(args)
      ? shortFields(args, MAX_CALL_CHARS)
      : args === undefined || args === null
        ? ""
        : shortJson(args, MAX_CALL_CHARS);
  return { type: "text", text: shown === "" ? name : `${name} ${shown}` };
}

/** The content of a result, its first lines (of a running call the last ones) unless the whole is wanted. */
export function drawResultContent(result: unknown, view: Partial<DrawingView>): Drawing {
  try {
    return drawContent(fieldsOf(result), view);
  } catch {
    return note("(the result cannot be read)");
  }
}

function drawContent(result: Fields, view: Partial<DrawingView>): Drawing {
  const isError = view.isError ?? result.isError === true;
  const tone: DrawingTone = isError ? "error" : "plain";
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const items = content.map((block) => drawBlock(fieldsOf(block), tone, view));
  const [first] = items;
  if (items.length === 1 && first !== undefined) return first;
  if (items.length > 0) return { type: "stack", items };
  if (result.structuredContent === undefined) return note(view.isPartial === true ? "(nothing yet)" : "(no output)");
  return { type: "text", text: shortJson(result.structuredContent, MAX_LINE_CHARS), tone };
}

function drawBlock(block: Fields, tone: DrawingTone, view: Partial<DrawingView>): Drawing {
  const { type, text, data, mimeType, resource, uri, name, title } = block;
  if (type === "text" && typeof text === "string") return drawLines(text, tone, view);
  if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
    return { type, data, mimeType, alternative: `image ${mimeType}, ${sizeOf(data)}` };
  }
  if (type === "audio" && typeof data === "string") return note(`(audio ${String(mimeType)}, ${sizeOf(data)})`);
  if (type === "resource") return drawResource(fieldsOf(resource), tone, view);
  if (type === "resource_link") return note(`(link to ${String(title ?? name)}: ${String(uri)})`);
  return note(`(content of type ${shortJson(type, 60)})`);
}

function drawResource(resource: Fields, tone: DrawingTone, view: Partial<DrawingView>): Drawing {
  const { uri, text, blob } = resource;
  const head = note(`(resource ${String(uri)}${typeof blob === "string" ? `, ${sizeOf(blob)}` : ""})`);
  return typeof text === "string" ? { type: "stack", items: [head, drawLines(text, tone, view)] } : head;
}

/** The lines that a list of calls has room for, and how many there are besides. */
function drawLines(text: string, tone: DrawingTone, { isExpanded, isPartial }: Partial<DrawingView>): Drawing {
  if (isExpanded === true) return { type: "text", text, tone };
  const lines = text.replace(/\r?\n$/, "").split("\n");
  const left = lines.length - MAX_LINES;
  const shown = left <= 0 ? lines : isPartial === true ? lines.slice(-MAX_LINES) : lines.slice(0, MAX_LINES);
  const drawn: Drawing = {
    type: "text",
    text: shown.map((line) => shortenText(line, MAX_LINE_CHARS)).join("\n"),
    tone,
  };
  if (left <= 0) return drawn;
  const more = note(`… ${left} ${isPartial === true ? "earlier" : "more"} ${left === 1 ? "line" : "lines"}`);
  return { type: "stack", items: isPartial === true ? [more, drawn] : [drawn, more] };
}

function note(text: string): Drawing {
  return { type: "text", text: shortenText(text, MAX_LINE_CHARS), tone: "muted" };
}

/** The size of what a base64 text stands for. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
