// What the tools of servers are called in rules, beside the names they are registered under: a server that adds a tool so that
// another gets a hash, or a longer name, must not take it out of a rule.
import type { McpToolOrigin } from "../mcp-connection.js";
import { spokenNames } from "../tool-names.js";

export class SpokenNames {
  /** Nothing is ever forgotten: a call that was begun may be decided about when its tool has gone. */
  readonly #names = new Map<string, readonly string[]>();

  learn(name: string, origin: McpToolOrigin): void {
    this.#names.set(name, [...new Set([...this.of(name), ...spokenNames(origin)])]);
  }

  of(name: string): readonly string[] {
    return this.#names.get(name) ?? [];
  }
}
