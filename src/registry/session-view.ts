// What a tool or a hook gets of a session: what `ToolSession` says, and no way from there to the rest of the registry.
import type { Access, Identity } from "../tools/access.js";
import type { ToolInfo } from "../tools/tool.js";
import type {
  ActiveToolsListener,
  DelegateOptions,
  NamespaceInfo,
  SearchOptions,
  ToolMatch,
  ToolSession,
} from "../tools/tool-session.js";
import { RegistrySession } from "./registry-session.js";
import { SESSION_KEY } from "./session-key.js";

export class SessionView implements ToolSession {
  readonly #session: RegistrySession;

  constructor(session: RegistrySession) {
    this.#session = session;
  }

  static behind(value: object): RegistrySession | undefined {
    return #session in value ? value.#session : undefined;
  }

  get [SESSION_KEY](): object {
    return this.#session[SESSION_KEY];
  }
  access(): Access {
    return this.#session.access();
  }
  identity(): Identity {
    return this.#session.identity();
  }
  delegate(options?: DelegateOptions): ToolSession {
    return new SessionView(this.#session.delegate(options));
  }
  getAllTools(): ToolInfo[] {
    return this.#session.getAllTools();
  }
  getActiveTools(): string[] {
    return this.#session.getActiveTools();
  }
  isActive(name: string): boolean {
    return this.#session.isActive(name);
  }
  setActiveTools(names: readonly string[]): ReturnType<ToolSession["setActiveTools"]> {
    return this.#session.setActiveTools(names);
  }
  activate(names: readonly string[]): ReturnType<ToolSession["activate"]> {
    return this.#session.activate(names);
  }
  describeNamespace(name: string): NamespaceInfo | undefined {
    return this.#session.describeNamespace(name);
  }
  searchTools(query: string, options?: SearchOptions): ToolMatch[] {
    return this.#session.searchTools(query, options);
  }
  subscribe(listener: ActiveToolsListener): () => void {
    return this.#session.subscribe(listener);
  }
}

/** The session that a host or a tool means; `undefined` for what is none. */
export function sessionBehind(value: unknown): RegistrySession | undefined {
  if (value instanceof RegistrySession) return value;
  return typeof value === "object" && value !== null ? SessionView.behind(value) : undefined;
}
