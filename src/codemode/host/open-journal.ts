// A run's journal, opened: one run has it at a time, and what is wrong with it is the run's end.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { thrownText } from "../../errors/text.js";
import type { CodemodeError, CodemodeFailure, CodemodeJournal } from "../run-types.js";
import { NotReplayable, type RunBeginning, RunJournal } from "./run-journal.js";

const inUse = new WeakSet<CodemodeJournal>();

/** What a run ends with that cannot begin. */
export interface JournalProblem {
  readonly status: CodemodeFailure["status"];
  readonly error: CodemodeError;
}

/**
 * Takes the journal for one run. Gives the function that lets it go.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` while another run has it: two runs would write their entries into each other's.
 */
export function claimJournal(log: CodemodeJournal | undefined): () => void {
  if (log === undefined) return () => {};
  if (inUse.has(log)) {
    const message = "The journal is in use: another run is writing to it. Give each run a journal of its own.";
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  inUse.add(log);
  return () => void inUse.delete(log);
}

/** Reads the journal, and begins it when it is empty. */
export function openJournal(log: CodemodeJournal | undefined, fresh: RunBeginning): RunJournal | JournalProblem {
  try {
    return new RunJournal(log, fresh);
  } catch (error) {
    const text = thrownText(error);
    if (error instanceof NotReplayable) {
      return { status: "divergence", error: { name: "DivergenceError", message: text } };
    }
    const message = `The journal could not be read or begun, so the script did not run: ${text}`;
    return { status: "engine", error: { name: "JournalError", message } };
  }
}
