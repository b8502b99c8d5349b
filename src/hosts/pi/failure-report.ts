// Where failures go that nobody waits for.
import { callUnheard } from "../unheard.js";

/** What an extension's or a host's own code threw where nobody could be told: a session handler, a note to a person. */
export interface ExtensionError {
  /** `(any)` when it cannot be told. */
  readonly extension: string;
  /** The event, such as `session_start`, or what was called. */
  readonly event: string;
  readonly error: unknown;
}
/** Never throws. */
export type ReportFailure = (failure: ExtensionError) => void;

/** Tells `onError`; what that throws or rejects with goes to the console, with what it was told. */
export function reportTo(onError: ((failure: ExtensionError) => unknown) | undefined): ReportFailure {
  if (onError === undefined) return reportToConsole;
  return (failure) =>
    callUnheard(
      () => onError(failure),
      (error) => {
        reportToConsole(failure);
        console.error("nestcall: onError failed:", error);
      },
    );
}

export function reportToConsole({ extension, event, error }: ExtensionError): void {
  console.error(`nestcall: the Pi extension "${extension}" failed (${event}):`, error);
}
