// Steps 2 and 5 of a call, and the check after hooks: what the arguments are (A1 to A4, H2).
import { ErrorCode } from "../errors/error-code.js";
import { shortenText, thrownText } from "../errors/text.js";
import { atOnce } from "../errors/thenable.js";
import { cloneJson, type JsonSnapshot, mapTexts, takeSnapshot } from "../records/json-snapshot.js";
import { mendTexts } from "../records/nested-call-recorder.js";
import { explainArguments } from "../tools/explain-arguments.js";
import { type RepairResult, repairArguments } from "../tools/repair-arguments.js";
import type { CheckResult } from "../tools/schema-check.js";
import type { CallScope } from "./call-scope.js";
import { type Ending, failure } from "./ending.js";
import { redactText } from "./redaction.js";

/** What records and events show: the frozen arguments, well formed and redacted, with their size. */
interface ShownArguments {
  readonly frozen: unknown;
  readonly bytes: number | undefined;
}

/** Takes the arguments in. What JSON cannot hold is told in the answer, and the call goes on without arguments. */
export function readArguments(
  scope: CallScope,
  args: unknown,
): { readonly shown: ShownArguments; readonly problem?: string } {
  const snapshot = takeSnapshot(args ?? {});
  if ("problem" in snapshot) return { shown: { frozen: undefined, bytes: undefined }, problem: snapshot.problem };
  scope.setInput(snapshot);
  scope.originalInput = snapshot.frozen;
  scope.ranInput = snapshot.frozen;
  return { shown: shownOf(scope, snapshot) };
}

function shownOf(scope: CallScope, snapshot: JsonSnapshot): ShownArguments {
  let { frozen } = snapshot;
  if (snapshot.isWellFormed && scope.engine.redact === undefined) return snapshot;
  if (scope.engine.redact !== undefined) frozen = mapTexts(frozen, (text) => redactText(scope, text), true);
  frozen = mendTexts(frozen);
  const measured = takeSnapshot(frozen);
  return { frozen, bytes: "problem" in measured ? undefined : measured.bytes };
}

/** H2: repair or a hook changed the arguments. Tells what JSON cannot hold. */
function replaceInput(scope: CallScope, value: unknown): string | undefined {
  const snapshot = takeSnapshot(value);
  if ("problem" in snapshot) return snapshot.problem;
  scope.setInput(snapshot);
  return undefined;
}

/** H2: the call may run, so outcome and record show the arguments that it runs with. */
export function showArguments(scope: CallScope): void {
  if (scope.frozenInput !== scope.ranInput) showFrozen(scope, scope.frozenInput);
}

/** H2: a refused call keeps the snapshot. */
export function showSnapshot(scope: CallScope): void {
  if (scope.ranInput !== scope.originalInput) showFrozen(scope, scope.originalInput);
}

function showFrozen(scope: CallScope, frozen: unknown): void {
  scope.ranInput = frozen;
  const snapshot = scope.record === undefined ? undefined : takeSnapshot(frozen);
  if (scope.record === undefined || snapshot === undefined || "problem" in snapshot) return; // it was JSON before
  const shown = shownOf(scope, snapshot);
  scope.root.recorder.replaceArguments(scope.record, shown.frozen, shown.bytes ?? 0);
}

/** Step 5: `prepareArguments`, then the strict check, then repair of what failed. */
export function checkArguments(scope: CallScope): Ending | undefined | Promise<Ending | undefined> {
  const { tool, input } = entryOf(scope);
  if (scope.parent === undefined) undecorate(scope);
  if (tool.prepareArguments !== undefined) {
    const refused = prepare(scope, tool.prepareArguments);
    if (refused !== undefined) return refused;
  }
  if (input.accepts !== undefined) {
    if (input.accepts(scope.input)) return undefined; // a frozen array takes the check five times as long
    return applyRepair(scope, repairArguments(input, scope.frozenInput) as RepairResult); // a plain schema answers at once
  }
  // A library may change what it checks.
  const checked = input.validate(cloneJson(scope.frozenInput));
  return checked instanceof Promise
    ? checked.then((result) => repairIfNeeded(scope, result))
    : repairIfNeeded(scope, checked);
}

/** E25: what the host added to the declaration is no argument of the tool; `originalArguments` keeps it. */
function undecorate(scope: CallScope): void {
  const stripped = scope.engine.registry.stripDecoration(entryOf(scope), scope.frozenInput);
  if (stripped !== scope.frozenInput) replaceInput(scope, stripped);
}

function repairIfNeeded(scope: CallScope, result: CheckResult): Ending | undefined | Promise<Ending | undefined> {
  if (result.ok) {
    scope.schemaOutput = result;
    return undefined;
  }
  const repaired = repairArguments(entryOf(scope).input, scope.frozenInput, result.problems);
  return repaired instanceof Promise ? repaired.then((done) => applyRepair(scope, done)) : applyRepair(scope, repaired);
}

function applyRepair(scope: CallScope, repaired: RepairResult): Ending | undefined {
  if (!repaired.ok) return failure(ErrorCode.INVALID_ARGUMENTS, explain(scope, repaired.problems));
  const problem = replaceInput(scope, repaired.input);
  if (problem !== undefined) return failure(ErrorCode.INVALID_ARGUMENTS, problem);
  if (entryOf(scope).input.accepts === undefined) scope.schemaOutput = repaired;
  return undefined;
}

function prepare(scope: CallScope, prepareArguments: (raw: unknown) => unknown): Ending | undefined {
  const name = shortenText(scope.name, 128);
  try {
    const problem = replaceInput(scope, atOnce(prepareArguments.call(entryOf(scope).tool, scope.input)) ?? {});
    if (problem === undefined) return undefined;
    return failure(
      ErrorCode.INVALID_ARGUMENTS,
      `prepareArguments of tool "${name}" gave what JSON cannot hold: ${problem}.`,
    );
  } catch (error) {
    return failure(ErrorCode.INVALID_ARGUMENTS, `Tool "${name}" cannot take these arguments: ${thrownText(error)}`);
  }
}

/** H2: arguments that hooks changed are checked again, without repair. */
export function checkPatchedArguments(
  scope: CallScope,
  patched: unknown,
): Ending | undefined | Promise<Ending | undefined> {
  const problem = replaceInput(scope, patched);
  if (problem !== undefined) return refusePatch(scope, `what JSON cannot hold: ${problem}`);
  const { input } = entryOf(scope);
  if (input.accepts?.(scope.input) === true) return undefined;
  const settle = (result: CheckResult): Ending | undefined => {
    if (!result.ok) return refusePatch(scope, `what its schema refuses. ${explain(scope, result.problems)}`);
    scope.schemaOutput = result;
    return undefined;
  };
  const checked = input.validate(cloneJson(scope.frozenInput));
  return checked instanceof Promise ? checked.then(settle) : settle(checked);
}

function refusePatch(scope: CallScope, what: string): Ending {
  const text = `A tool_call hook changed the arguments of tool "${shortenText(scope.name, 128)}" to ${what}`;
  return failure(ErrorCode.INVALID_ARGUMENTS, text);
}

function explain(scope: CallScope, problems: Parameters<typeof explainArguments>[1]): string {
  return explainArguments(scope.name, problems, entryOf(scope).input.jsonSchema, scope.frozenInput);
}

export function entryOf(scope: CallScope): NonNullable<CallScope["entry"]> {
  return scope.entry as NonNullable<CallScope["entry"]>; // steps after 4 only run with a tool
}
