// A3: arguments that failed the strict check are repaired where they fail, and nowhere else.
import { type Failure, groupUnions, hasRule } from "./failing-unions.js";
import { copyJson, repairedText, setOwn, sizeOf } from "./repair-value.js";
import { type CheckResult, type SchemaCheck, type SchemaProblem, schemaCheckOf } from "./schema-check.js";
import { checkOfPart } from "./schema-part.js";
import { schemaPlace } from "./schema-place.js";
import { isSchemaNode, type SchemaNode } from "./schema-references.js";

export type RepairResult =
  /** `input` is the repaired JSON, `value` what `execute` gets: the same, or a Standard Schema's output. */
  | { readonly ok: true; readonly input: unknown; readonly value: unknown }
  /** The problems are those of the value as it came. */
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

/** A parsed text may hold texts to repair; each round goes one level into them. */
const MAX_ROUNDS = 4;
/** Bounds the work for unions, whose branches are tried one by one, in characters of what is looked at. */
const MAX_TRIED_CHARS = 5_000_000;

/**
 * Repairs arguments that the strict check refused: JSON text where an array or object is wanted, `"5"` for a number,
 * `"true"` for a boolean, `null` or `""` on an optional property that does not allow it (the property goes). The value
 * is not changed; the answer is a repaired copy that the schema accepts, or why there is none.
 *
 * @param problems - What the first check of a Standard Schema found; asked again when missing.
 */
export function repairArguments(
  check: SchemaCheck,
  value: unknown,
  problems?: readonly SchemaProblem[],
): RepairResult | Promise<RepairResult> {
  if (check.accepts !== undefined) {
    if (check.accepts(value)) return { ok: true, input: value, value };
    // Asked once: a `pattern` may be slow.
    const found = check.problems(value, true);
    const repair = new Repair(check);
    const input = repair.run(value, found);
    if (repair.hasChanged && check.accepts(input)) return { ok: true, input, value: input };
    return { ok: false, problems: problems ?? found };
  }
  if (problems !== undefined) return repairForLibrary(check, value, problems);
  const first = check.validate(value);
  const repair = (result: CheckResult): RepairResult | Promise<RepairResult> =>
    result.ok ? { ok: true, input: value, value: result.value } : repairForLibrary(check, value, result.problems);
  return first instanceof Promise ? first.then(repair) : repair(first);
}

/** The JSON Schema says what is wanted, the library where it fails: what the library takes is not touched. */
function repairForLibrary(
  check: SchemaCheck,
  value: unknown,
  problems: readonly SchemaProblem[],
): RepairResult | Promise<RepairResult> {
  const failed: RepairResult = { ok: false, problems };
  let repair: Repair;
  let input: unknown;
  try {
    repair = new Repair(schemaCheckOf(check.jsonSchema), problems);
    input = repair.run(value);
  } catch {
    return failed; // a JSON Schema that does not compile cannot tell what is wanted
  }
  if (!repair.hasChanged) return failed;
  const finish = (result: CheckResult): RepairResult => (result.ok ? { ok: true, input, value: result.value } : failed);
  const again = check.validate(copyJson(input));
  return again instanceof Promise ? again.then(finish) : finish(again);
}

class Repair {
  readonly #check: SchemaCheck;
  readonly #within: ReadonlySet<string> | undefined;
  /** The value is kept in a box, so that the root can be replaced like any other place. */
  #box: { root: unknown } = { root: undefined };
  readonly #budget: { left: number };
  readonly #isTrial: boolean;
  hasChanged = false;

  /** @param within - Where repair may happen: at these problems' places and below; everywhere when missing. */
  constructor(check: SchemaCheck, within?: readonly SchemaProblem[], budget?: { left: number }) {
    this.#check = check;
    this.#budget = budget ?? { left: MAX_TRIED_CHARS };
    this.#isTrial = budget !== undefined;
    this.#within = within && new Set(within.map(({ path }) => pathKey(path)));
  }

  /** @param problems - Those of the value, when they are known. */
  run(value: unknown, problems?: readonly SchemaProblem[]): unknown {
    this.#box = { root: copyJson(value) };
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const failures = this.#failures(round === 0 ? problems : undefined);
      let isBetter = false;
      for (const failure of failures) isBetter = this.#repair(failure) || isBetter;
      if (!isBetter) break;
      this.hasChanged = true;
    }
    return this.#box.root;
  }

  #failures(known: readonly SchemaProblem[] | undefined): Failure[] {
    const problems = (known ?? this.#check.problems(this.#box.root)).filter(hasRule);
    if (this.#isTrial) for (const { rule } of problems) this.#budget.left -= 40 + rule.schemaPath.length;
    return this.#budget.left < 0 ? [] : groupUnions(problems);
  }

  #repair(failure: Failure): boolean {
    const { path } = failure.problem;
    if (this.#within !== undefined && !isWithin(path, this.#within, failure.branches.length > 0)) return false;
    const slot = slotAt(this.#box, path);
    if (slot === undefined) return false;
    const place = schemaPlace(this.#check.checked, failure.problem.rule.schemaPath, failure.problem.rule.keyword);
    if (place.isName) return false;
    const isEmpty = slot.value === null || slot.value === "";
    if (isEmpty && place.owner !== undefined && isOptional(place.owner, slot.key)) {
      return Reflect.deleteProperty(slot.holder, slot.key);
    }
    if (failure.branches.length > 0) return place.schema !== undefined && this.#repairUnion(slot, place.schema);
    const repaired = repairedText(slot.value, { types: wantedTypes(failure), level: path.length });
    if (repaired === undefined || !isChoice(failure, repaired)) return false;
    setOwn(slot.holder, slot.key, repaired);
    return true;
  }

  /** A union is repaired when exactly one value, over all branches, makes it valid. */
  #repairUnion(slot: Slot, union: SchemaNode): boolean {
    const root = this.#check.checked as SchemaNode; // a schema that compiled is an object
    const whole = checkOfPart(root, union);
    if (whole?.accepts === undefined) return false;
    const fixes = new Map<string, unknown>();
    for (const branch of [union.anyOf, union.oneOf].flat()) {
      const check = isSchemaNode(branch) ? checkOfPart(root, branch) : undefined;
      this.#budget.left -= 40 * sizeOf(slot.value);
      if (check === undefined || this.#budget.left < 0) continue;
      const fix = new Repair(check, undefined, this.#budget).run(slot.value);
      if (whole.accepts(fix)) fixes.set(JSON.stringify(fix), fix);
    }
    const [fix] = fixes.values();
    if (fixes.size === 1) setOwn(slot.holder, slot.key, fix);
    return fixes.size === 1;
  }
}

function pathKey(path: SchemaProblem["path"]): string {
  return path.length === 0 ? "" : `${path.join("\u0000")}\u0000`;
}

/** Whether the place, or one that holds it, is in the set; for a union, also one inside it. */
function isWithin(path: SchemaProblem["path"], places: ReadonlySet<string>, isUnion: boolean): boolean {
  if (places.has("") || path.some((_step, index) => places.has(pathKey(path.slice(0, index + 1))))) return true;
  const key = pathKey(path);
  return isUnion && [...places].some((place) => place.startsWith(key));
}

function isOptional(owner: Readonly<Record<string, unknown>>, key: string | number): boolean {
  return !(Array.isArray(owner.required) && owner.required.includes(key));
}

function wantedTypes({ problem }: Failure): readonly string[] {
  const { keyword, params } = problem.rule;
  if (keyword === "type") return [params.type].flat() as string[]; // a type is a name or a list of names
  return keyword === "enum" || keyword === "const" ? ["number", "boolean"] : [];
}

function isChoice({ problem }: Failure, value: unknown): boolean {
  const { keyword, params } = problem.rule;
  if (keyword === "const") return params.allowedValue === value;
  if (keyword === "enum") return Array.isArray(params.allowedValues) && params.allowedValues.includes(value);
  return true;
}

interface Slot {
  readonly holder: object;
  readonly key: string | number;
  readonly value: unknown;
}

/** Where the value at `path` is kept; undefined when an earlier repair of the round took it away. */
function slotAt(box: { readonly root: unknown }, path: SchemaProblem["path"]): Slot | undefined {
  let holder: object = box;
  let key: string | number = "root";
  for (const step of path) {
    const next: unknown = (holder as Record<string | number, unknown>)[key];
    if (typeof next !== "object" || next === null) return undefined;
    holder = next;
    key = step;
  }
  if (!Object.hasOwn(holder, key)) return undefined;
  return { holder, key, value: (holder as Record<string | number, unknown>)[key] };
}
