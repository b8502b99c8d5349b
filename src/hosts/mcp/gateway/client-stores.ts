// Where scripts keep values between calls: one store for each client, so that no client reads what another has stored.
import type { CodemodeStore } from "../../../codemode/tool/script-store.js";

const MAX_CLIENTS = 100;

export class ClientStores {
  /** The client that was heard last stands last. */
  readonly #stores = new Map<string, CodemodeStore>();

  /** @param toolCallId - Of a root call: those of a client begin with the prefix of its connection. */
  of(toolCallId: string): CodemodeStore {
    const client = /^mcp_[\w-]{10}(?=_)/.exec(toolCallId)?.[0] ?? "host";
    const store = this.#stores.get(client) ?? new Map<string, unknown>();
    this.#stores.delete(client);
    this.#stores.set(client, store);
    const [oldest] = this.#stores.keys();
    if (this.#stores.size > MAX_CLIENTS && oldest !== undefined) this.#stores.delete(oldest);
    return store;
  }
}
