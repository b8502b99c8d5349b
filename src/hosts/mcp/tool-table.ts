// Which tools of which server are registered, under which names. Owns the registrations: what vanishes is hidden, what has
// not changed is left alone.
import { thrownText } from "../../errors/text.js";
import type { Registry } from "../../registry/registry.js";
import type { Exposure, Tool } from "../../tools/tool.js";
import type { ToolList } from "./list-tools.js";
import type { McpLeftOutTool, McpToolOrigin, McpToolState } from "./mcp-connection.js";
import type { ServerLink } from "./server-link.js";
import { namesOfTools } from "./tool-names.js";
import { toolOfServer } from "./tool-of-server.js";
import type { McpListedTool, McpServerSnapshot } from "./tool-snapshot.js";

export interface ToolTableOptions {
  readonly registry: Registry;
  readonly exposureOf: (origin: McpToolOrigin, name: string) => Exposure;
  readonly log: (line: string) => void;
}

interface OfferedTool {
  readonly listed: McpListedTool;
  /** Equal for equal definitions. */
  readonly text: string;
}

interface ServerTools {
  readonly link: ServerLink;
  readonly offered: ReadonlyMap<string, OfferedTool>;
  readonly instructions: string | undefined;
  readonly isRestored: boolean;
  readonly leftOut: readonly McpLeftOutTool[];
  /** What the registry did not take. */
  refused: McpLeftOutTool[];
}

interface Registered {
  readonly origin: McpToolOrigin;
  readonly tool: Tool;
  readonly text: string;
}

export class ToolTable {
  readonly #options: ToolTableOptions;
  readonly #servers = new Map<string, ServerTools>();
  readonly #registered = new Map<string, Registered>();
  /** Every tool that was ever offered: a name that was given keeps its meaning when others go. */
  readonly #known = new Map<string, McpToolOrigin>();

  constructor(options: ToolTableOptions) {
    this.#options = options;
  }

  /** What a server has now, or is remembered to have. */
  set(
    link: ServerLink,
    list: ToolList,
    more: { readonly instructions: string | undefined; readonly isRestored: boolean },
  ): void {
    const server = link.entry.name;
    const { instructions, isRestored } = more;
    const offered = new Map(
      list.tools.map((listed) => [listed.name, { listed, text: JSON.stringify([listed, instructions]) }]),
    );
    for (const tool of offered.keys()) this.#known.set(JSON.stringify([server, tool]), { server, tool });
    this.#servers.set(server, { link, offered, instructions, isRestored, leftOut: list.leftOut, refused: [] });
    this.#register();
  }

  originOf(name: string): McpToolOrigin | undefined {
    return this.#registered.get(name)?.origin;
  }

  toolsOf(server: string): McpToolState[] {
    const isRestored = this.#servers.get(server)?.isRestored === true;
    const states: McpToolState[] = [];
    for (const [name, { origin }] of this.#registered) {
      if (origin.server === server) states.push({ ...origin, name, isRestored });
    }
    return states;
  }

  leftOutOf(server: string): McpLeftOutTool[] {
    const tools = this.#servers.get(server);
    return tools === undefined ? [] : [...tools.leftOut, ...tools.refused];
  }

  snapshotOf(server: string): McpServerSnapshot | undefined {
    const tools = this.#servers.get(server);
    if (tools === undefined) return undefined;
    const { instructions, offered } = tools;
    const listed = [...offered.values()].map((tool) => tool.listed);
    return { ...(instructions === undefined ? {} : { instructions }), tools: listed };
  }

  /** Hides every tool. */
  clear(): void {
    this.#servers.clear();
    for (const name of [...this.#registered.keys()]) this.#withdraw(name);
  }

  #register(): void {
    const origins = [...this.#known.values()];
    const names = namesOfTools(origins);
    const wanted = new Map<string, McpToolOrigin>();
    for (const [index, origin] of origins.entries()) {
      const isOffered = this.#servers.get(origin.server)?.offered.has(origin.tool) === true;
      if (isOffered) wanted.set(names[index] ?? "", origin);
    }
    for (const name of [...this.#registered.keys()]) if (!wanted.has(name)) this.#withdraw(name);
    for (const tools of this.#servers.values()) tools.refused = [];
    for (const [name, origin] of wanted) this.#registerOne(name, origin);
  }

  #registerOne(name: string, origin: McpToolOrigin): void {
    const tools = this.#servers.get(origin.server);
    const offered = tools?.offered.get(origin.tool);
    if (tools === undefined || offered === undefined) return;
    const before = this.#registered.get(name);
    const isSame = before?.origin.server === origin.server && before.origin.tool === origin.tool;
    if (isSame && before?.text === offered.text) return;
    const problem = this.#tryRegister(name, origin, tools, offered);
    if (problem === undefined) return;
    if (before !== undefined) this.#withdraw(name);
    tools.refused.push({ tool: origin.tool, reason: problem });
  }

  #tryRegister(name: string, origin: McpToolOrigin, tools: ServerTools, offered: OfferedTool): string | undefined {
    const { registry, exposureOf, log } = this.#options;
    const { server } = origin;
    try {
      const tool = toolOfServer(offered.listed, {
        name,
        exposure: exposureOf(origin, name),
        link: tools.link,
        instructions: tools.instructions,
        isOffered: () => this.#servers.get(server)?.offered.has(origin.tool) === true,
        onNote: (note) => log(`MCP server "${server}": ${note}`),
      });
      // E18: whether the server has said so just now, or a file remembers it.
      const registration = registry.register(tool, {
        external: true,
        owner: server,
        readOnly: tool.annotations.readOnlyHint === true,
      });
      if (!registration.accepted) return `another tool has the name ${name}`;
      this.#registered.set(name, { origin, tool, text: offered.text });
      return undefined;
    } catch (error) {
      return thrownText(error);
    }
  }

  /** There is no way to unregister: what nobody may use is hidden. */
  #withdraw(name: string): void {
    const before = this.#registered.get(name);
    if (before === undefined) return;
    this.#registered.delete(name);
    const hidden = { ...before.tool, exposure: "hidden" as const };
    this.#options.registry.register(hidden, { external: true, owner: before.origin.server });
  }
}
