// The executor's `redact` option: every text that observers and records get goes through it; tools, hooks and callers
// get the original. A redaction that fails hides the text.

import { atOnce } from "../errors/thenable.js";
import { mapTexts, takeSnapshot } from "../records/json-snapshot.js";
import type { CallScope } from "./call-scope.js";

const HIDDEN = "[redaction failed]";

/** The text as observers and records get it. */
export function redactText(scope: CallScope, text: string): string {
  const { redact, observers } = scope.engine;
  if (redact === undefined) return text;
  try {
    const redacted: unknown = atOnce(redact(text));
    return typeof redacted === "string" ? redacted : HIDDEN;
  } catch (error) {
    observers.report({ error, source: "listener", toolCallId: scope.id }, redact);
    return HIDDEN;
  }
}

/** A copy with every text redacted; what has no JSON form is hidden whole. The value itself without a redaction. */
export function redactValue<T>(scope: CallScope, value: T): T {
  if (scope.engine.redact === undefined) return value;
  const snapshot = takeSnapshot(value);
  if ("problem" in snapshot) return HIDDEN as T; // observers get a text in place of what cannot be searched
  return mapTexts(snapshot.frozen, (text) => redactText(scope, text), true) as T; // texts stay texts, so the shape stays
}
