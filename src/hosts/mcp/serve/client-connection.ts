// One client: its calls, their ids, and the questions to its person, one at a time.
import { nanoid } from "nanoid";
import type { ClientCall } from "./client-call.js";

const PREFIX_CHARS = 10;
const MAX_ID_CHARS = 64;

export class ClientConnection {
  readonly #prefix = `mcp_${nanoid(PREFIX_CHARS)}`;
  readonly #calls = new Set<ClientCall>();
  #lastQuestion: Promise<unknown> = Promise.resolve();

  get calls(): ReadonlySet<ClientCall> {
    return this.#calls;
  }

  /** The id of a root call: of this connection, with the id of the request, and without a slash. */
  callId(requestId: string | number): string {
    return `${this.#prefix}_${String(requestId)
      .slice(0, MAX_ID_CHARS)
      .replaceAll(/[^\w.-]/g, "-")}`;
  }

  add(call: ClientCall): void {
    this.#calls.add(call);
    const remove = () => this.#calls.delete(call);
    void call.outcome.then(remove, remove);
  }

  /** A person answers one question after another. */
  inTurn(signal: AbortSignal, ask: () => Promise<boolean>): Promise<boolean> {
    const answer = this.#lastQuestion.then(() => (signal.aborted ? false : ask()));
    this.#lastQuestion = answer.catch(() => {});
    return answer;
  }
}
