// What the model is shown: owns the handlers and the decoration that the host added, and asks them for each listing.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { composeDeclarations, type ToolDeclaration } from "./declarations.js";
import { checkDecoration, type StrippedArguments, stripDecoration, type ToolDecoration } from "./decoration.js";
import type { DeclaredEntry, LoadoutHandler } from "./loadout.js";
import type { RegistrySession } from "./registry-session.js";

export class Declarer {
  readonly #onError: (error: unknown, origin: object) => void;
  // Replaced, never changed, so that a handler may come or go while declarations are composed.
  #handlers: readonly LoadoutHandler[] = [];
  #decoration: ToolDecoration | undefined;

  constructor(onError: (error: unknown, origin: object) => void) {
    this.#onError = onError;
  }

  addHandler(handler: LoadoutHandler): () => void {
    if (typeof handler !== "function") {
      throw wrong(`registry.on("prepare_loadout") takes a function; it got ${describeValue(handler)}.`);
    }
    const own: LoadoutHandler = (loadout) => handler(loadout); // one function may be added twice
    this.#handlers = [...this.#handlers, own];
    return () => {
      this.#handlers = this.#handlers.filter((other) => other !== own);
    };
  }

  decorate(decoration: ToolDecoration): () => void {
    if (this.#decoration !== undefined) {
      throw wrong("registry.decorate: there is a decoration already; remove it first, or put all properties into one.");
    }
    checkDecoration(decoration);
    this.#decoration = decoration;
    return () => {
      if (this.#decoration === decoration) this.#decoration = undefined;
    };
  }

  declarations(session: RegistrySession): readonly ToolDeclaration[] {
    return composeDeclarations(session.activeEntries(), {
      session,
      handlers: this.#handlers,
      decoration: this.#decoration,
      onError: (error) => this.#onError(error, this.#handlers),
    });
  }

  /** What the decoration added, taken out of the arguments of a root call again. */
  strip(entry: DeclaredEntry, args: unknown): StrippedArguments {
    return this.#decoration === undefined ? { args } : stripDecoration(entry, args, this.#decoration);
  }
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
