// Sets of tools that workers know already: the same tools need not be sent and read again for every script.
import type { CodemodeTool } from "../run-types.js";
import type { ToolSetOf } from "./worker-thread.js";

const MAX_REMEMBERED = 16;

export class ToolSets {
  readonly #byList = new WeakMap<readonly CodemodeTool[], ToolSetOf>();
  #recent: ToolSetOf[] = [];
  #lastId = 0;

  of(tools: readonly CodemodeTool[]): ToolSetOf {
    const known = this.#byList.get(tools) ?? this.#recent.find((set) => isSame(set, tools));
    if (known !== undefined && known.tools.length === tools.length && isSame(known, tools)) return known;
    this.#lastId += 1;
    const made = { id: this.#lastId, tools: tools.map(plainTool), originals: [...tools] };
    this.#byList.set(tools, made);
    this.#recent = [made, ...this.#recent].slice(0, MAX_REMEMBERED);
    return made;
  }
}

type RememberedSet = ToolSetOf & { readonly originals?: readonly CodemodeTool[] };

function isSame({ originals }: RememberedSet, tools: readonly CodemodeTool[]): boolean {
  return (
    originals !== undefined &&
    originals.length === tools.length &&
    originals.every((tool, index) => tool === tools[index])
  );
}

/** Only data can be posted; schemas may have symbols and functions that JSON leaves out. */
function plainTool(tool: CodemodeTool): CodemodeTool {
  const { name, title, description, inputSchema, outputSchema, namespace, listed } = tool;
  return JSON.parse(
    JSON.stringify({ name, title, description, inputSchema, outputSchema, namespace, listed }),
  ) as CodemodeTool;
}
