// Sets of tools that workers know already: the same tools need not be sent and read again for every script.
import { plainSchema } from "../declarations/index.js";
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

/** Only data can be posted; schemas may have symbols and functions that JSON leaves out, or be those of a library. */
function plainTool({ inputSchema, outputSchema, ...tool }: CodemodeTool): CodemodeTool {
  const { name, title, description, namespace, listed } = tool;
  const data = JSON.parse(JSON.stringify({ name, title, description, namespace, listed })) as CodemodeTool;
  const [input, output] = [plainData(inputSchema), plainData(outputSchema)];
  return {
    ...data,
    ...(input === undefined ? {} : { inputSchema: input }),
    ...(output === undefined ? {} : { outputSchema: output }),
  };
}

/** A schema as JSON; one that has no JSON form (it leads back to itself, or holds a BigInt) says nothing. */
function plainData(schema: unknown): unknown {
  try {
    const json = JSON.stringify(plainSchema(schema)) as string | undefined;
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
