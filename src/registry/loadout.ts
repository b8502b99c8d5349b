// Hooks on what is declared: they reword descriptions and hide declarations. They decide nothing about what is active
// or can be called (P3, P5), and nothing they do lifts a cap.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText } from "../errors/text.js";
import { isThenable } from "../errors/thenable.js";
import type { Exposure, ToolAnnotations, ToolNamespace } from "../tools/tool.js";
import type { ToolSession } from "../tools/tool-session.js";
import { cappedDescription } from "./external-caps.js";
import { readDescription, readTitle } from "./read-description.js";
import type { RegistryEntry } from "./registry-entry.js";

/** What the declarations are made of. A `RegistryEntry` is one. */
export type DeclaredEntry = Pick<RegistryEntry, "tool" | "input" | "external"> & Partial<Pick<RegistryEntry, "report">>;

/** A declaration as a handler sees it, after the handlers before. */
export interface LoadoutTool {
  readonly name: string;
  readonly title?: string;
  /** Capped when the tool is external. */
  readonly description: string;
  readonly external: boolean;
  readonly exposure: Exposure;
  readonly annotations: ToolAnnotations;
  readonly namespace?: ToolNamespace;
}
export interface Loadout {
  /** Whose declarations they are; `undefined` when nobody's. */
  readonly session: ToolSession | undefined;
  /** What is about to be declared, in the order of registration. */
  readonly tools: readonly LoadoutTool[];
}
export interface LoadoutChange {
  /** New descriptions by name; not empty. Names that are not in the loadout are ignored. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Names that are not declared. They stay active and callable. Unknown ones are ignored. */
  readonly hide?: readonly string[];
}
/**
 * Runs each time when declarations are composed, at once and never awaited: a promise is an error. What it throws, or
 * an answer of a wrong form, changes nothing and goes to `onError`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: so that a function without a return statement fits
export type LoadoutHandler = (loadout: Loadout) => LoadoutChange | undefined | void;

export interface LoadoutOptions {
  readonly session?: ToolSession | undefined;
  /** Asked in this order; each sees what those before it changed. */
  readonly handlers?: readonly LoadoutHandler[] | undefined;
  /** Gets what a handler threw, or an `INVALID_ARGUMENTS` that says what is wrong with its answer. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** An entry that is declared, with the description that the handlers gave it. */
export interface LoadoutEntry {
  readonly entry: DeclaredEntry;
  readonly description: string;
}

/** What is left to declare once all handlers were asked. */
export function applyLoadout(entries: readonly DeclaredEntry[], options: LoadoutOptions = {}): readonly LoadoutEntry[] {
  let loadout: readonly LoadoutEntry[] = entries.map((entry) => {
    return { entry, description: readDescription(entry, options.session) };
  });
  for (const handler of options.handlers ?? []) {
    try {
      loadout = applyChange(loadout, answerOf(handler, viewOf(loadout, options.session)));
    } catch (error) {
      options.onError?.(error);
    }
  }
  return loadout;
}

function viewOf(loadout: readonly LoadoutEntry[], session: ToolSession | undefined): Loadout {
  return { session, tools: loadout.map(viewOfTool) };
}

function viewOfTool({ entry, description }: LoadoutEntry): LoadoutTool {
  const { tool, external } = entry;
  const { name, exposure, annotations, namespace } = tool;
  const title = readTitle(entry);
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description: external ? cappedDescription(description) : description,
    external,
    exposure,
    annotations,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** An answer, read once: what its getters give the next time was not looked at. */
interface ReadChange {
  readonly texts: ReadonlyMap<string, string>;
  readonly hidden: ReadonlySet<string>;
}

const ANSWER_KEYS: readonly string[] = ["descriptions", "hide"] satisfies (keyof LoadoutChange)[];

function answerOf(handler: LoadoutHandler, loadout: Loadout): ReadChange | undefined {
  const answer: unknown = handler(loadout);
  if (answer === undefined || answer === null) return undefined;
  if (isThenable(answer)) {
    Promise.resolve(answer).catch(() => {}); // reported below; nobody else will hear of its rejection
    throw wrong("a promise; declarations are composed at once");
  }
  if (typeof answer !== "object" || Array.isArray(answer)) throw wrong(describeValue(answer));
  const unknown = Object.keys(answer).find((key) => !ANSWER_KEYS.includes(key));
  if (unknown !== undefined) throw wrong(`a key that it does not know, "${shortenText(unknown, 60)}"`);
  const { descriptions = {}, hide = [] } = answer as { readonly descriptions?: unknown; readonly hide?: unknown };
  return { texts: textsOf(descriptions), hidden: namesOf(hide) };
}

function textsOf(descriptions: unknown): ReadonlyMap<string, string> {
  const isObject = typeof descriptions === "object" && descriptions !== null && !Array.isArray(descriptions);
  const texts = isObject ? Object.entries(descriptions) : undefined;
  if (texts?.every((pair): pair is [string, string] => typeof pair[1] === "string" && pair[1].trim() !== "") === true) {
    return new Map(texts);
  }
  throw wrong("descriptions that are no object of texts that are not empty");
}

function namesOf(hide: unknown): ReadonlySet<string> {
  const names: readonly unknown[] | undefined = Array.isArray(hide) ? [...(hide as readonly unknown[])] : undefined;
  if (names?.every((name) => typeof name === "string") === true) return new Set(names);
  throw wrong(`a hide list that is ${describeValue(hide)}, or holds no names`);
}

function wrong(what: string): NestcallError {
  const message = `A loadout handler gave ${what}. It takes { descriptions?: { name: text }, hide?: [name] } or nothing.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}

function applyChange(loadout: readonly LoadoutEntry[], change: ReadChange | undefined): readonly LoadoutEntry[] {
  if (change === undefined) return loadout;
  const { texts, hidden } = change;
  return loadout
    .filter(({ entry }) => !hidden.has(entry.tool.name))
    .map((item) => {
      const description = texts.get(item.entry.tool.name);
      return description === undefined ? item : { ...item, description };
    });
}
