// `ctx.ui`: passes questions on to the host. Without one it answers as Pi does where there is no screen: no, nothing,
// not at all. A host that fails at a note fails nobody; one that fails at a question fails who waits for the answer.
import { callUnheard, mayBeUnheard } from "../unheard.js";
import type { ExtensionUIContext, ExtensionUIDialogOptions } from "./extension-context.js";
import type { CallPart, ContextSource } from "./handler-context.js";

/** Members that only change Pi's screen: what they would change is not there, so there is nothing to do. */
const SCREEN_NOTES = [
  "setWorkingMessage",
  "setWorkingVisible",
  "setWorkingIndicator",
  "setHiddenThinkingLabel",
  "setWidget",
  "setFooter",
  "setHeader",
  "setTitle",
  "setToolsExpanded",
] as const;
/** The same, with an answer. */
const SCREEN_QUESTIONS = ["custom", "editor"] as const;

type Source = Pick<ContextSource, "ui" | "report">;

export function userInterface({ ui: given, report }: Source, call: CallPart | undefined): ExtensionUIContext {
  const asked = (opts: ExtensionUIDialogOptions | undefined): ExtensionUIDialogOptions => {
    call?.reportWait?.("approval");
    const signal = opts?.signal ?? call?.signal; // a question is taken back with the call that asked it
    return signal === undefined ? { ...opts } : { ...opts, signal };
  };
  const ask = <T>(question: () => Promise<T>) => mayBeUnheard(question());
  const note = (member: string, tell: () => unknown) =>
    callUnheard(tell, (error) => report({ extension: "(any)", event: `ctx.ui.${member}`, error }));
  const own: ExtensionUIContext = {
    select: (title, options, opts) => ask(async () => given?.select?.(title, options, asked(opts))),
    confirm: (title, message, opts) => ask(async () => (await given?.confirm?.(title, message, asked(opts))) === true),
    input: (title, placeholder, opts) => ask(async () => given?.input?.(title, placeholder, asked(opts))),
    notify: (message, type) => note("notify", () => given?.notify?.(message, type)),
    setStatus: (key, text) => note("setStatus", () => given?.setStatus?.(key, text)),
  };
  const members = (given ?? {}) as { readonly [member: string]: unknown };
  const add = (name: string, use: (host: () => unknown) => unknown) => {
    const value = (...args: readonly unknown[]) => {
      const host = members[name];
      return typeof host === "function" ? use(() => Reflect.apply(host, given, args) as unknown) : undefined;
    };
    Object.defineProperty(own, name, { value, configurable: true });
  };
  for (const name of SCREEN_NOTES) add(name, (host) => note(name, host));
  for (const name of SCREEN_QUESTIONS) add(name, (host) => mayBeUnheard(host()));
  return own;
}
