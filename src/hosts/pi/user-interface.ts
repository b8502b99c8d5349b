// `ctx.ui`: passes questions on to the host. Without one it answers as Pi does where there is no screen: no, nothing,
// not at all.
import type { ExtensionUIContext, ExtensionUIDialogOptions } from "./extension-context.js";
import type { CallPart } from "./handler-context.js";

/** Members that only change Pi's screen: what they would change is not there, so there is nothing to do. */
const SCREEN_MEMBERS = [
  "setWorkingMessage",
  "setWorkingVisible",
  "setWorkingIndicator",
  "setHiddenThinkingLabel",
  "setWidget",
  "setFooter",
  "setHeader",
  "setTitle",
  "setToolsExpanded",
  "custom",
  "editor",
] as const;

type Given = Partial<ExtensionUIContext>;

export function userInterface(given: Given | undefined, call: CallPart | undefined): ExtensionUIContext {
  const asked = (opts: ExtensionUIDialogOptions | undefined): ExtensionUIDialogOptions => {
    call?.reportWait?.("approval");
    const signal = opts?.signal ?? call?.signal; // a question is taken back with the call that asked it
    return signal === undefined ? { ...opts } : { ...opts, signal };
  };
  const own: ExtensionUIContext = {
    select: async (title, options, opts) => given?.select?.(title, options, asked(opts)),
    confirm: async (title, message, opts) => (await given?.confirm?.(title, message, asked(opts))) === true,
    input: async (title, placeholder, opts) => given?.input?.(title, placeholder, asked(opts)),
    notify: (message, type) => given?.notify?.(message, type),
    setStatus: (key, text) => given?.setStatus?.(key, text),
  };
  for (const name of SCREEN_MEMBERS) {
    const host = (given as { readonly [member: string]: unknown } | undefined)?.[name];
    const value = typeof host === "function" ? host.bind(given) : () => undefined;
    Object.defineProperty(own, name, { value, configurable: true });
  }
  return own;
}
