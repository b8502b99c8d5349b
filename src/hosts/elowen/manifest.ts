// The manifest of a plugin: what it says of its tools, checked. It registers nothing (E55).
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText } from "../../errors/text.js";
import { closestNames } from "../../tools/closest-names.js";
import { matchesName } from "../../tools/name-pattern.js";

/** Parts of `provides` that have no meaning here. */
const OTHER_PROVIDES = [
  "skills",
  "platforms",
  "destinations",
  "httpRoutes",
  "apiRoutes",
  "wsRoutes",
  "mcpTools",
  "controls",
] as const;
/** Fields of a manifest that have no meaning here: a host may read them. */
const OTHER_FIELDS = [
  "version",
  "apiVersion",
  "description",
  "entry",
  "label",
  "icon",
  "icons",
  "capabilities",
  "configSchema",
  "userConfigSchema",
  "userConfigLabel",
  "userGrantable",
  "requiresCore",
  "requiresControls",
  "requiresSharedApi",
  "workspaceSafe",
  "web",
] as const;

/** What a plugin claims to bring; checked against what it registers. */
export interface PluginProvides extends Partial<Record<(typeof OTHER_PROVIDES)[number], unknown>> {
  /** The names of its tools; `*` stands for any text. */
  readonly tools?: readonly string[];
  /**
   * Tools that change nothing: exact names, or `mcp__*` for those of its own external tools. Each needs its entry in `tools`.
   * A classification, which allows nothing.
   */
  readonly readOnlyTools?: readonly string[];
}

/** In `showOutput` and `deferLoading`, `*` stands for any text; they are about the plugin's own tools only. */
export interface PluginManifest extends Partial<Record<(typeof OTHER_FIELDS)[number], unknown>> {
  /** The owner of its tools. */
  readonly name: string;
  /** Tools whose successful output is shown in lists of calls; that of others is hidden. Failures are shown anyway. */
  readonly showOutput?: readonly string[];
  /** Exact names of tools that may be used in plan mode. */
  readonly planSafe?: readonly string[];
  /** Tools that are not declared until they are searched for. */
  readonly deferLoading?: readonly string[];
  readonly provides?: PluginProvides;
}

/** The parts that count here, with nothing left open. */
export interface CheckedManifest {
  readonly name: string;
  readonly showOutput: readonly string[];
  readonly planSafe: readonly string[];
  readonly deferLoading: readonly string[];
  readonly tools: readonly string[];
  readonly readOnlyTools: readonly string[];
}

/** The one pattern that `readOnlyTools` knows. */
export const EXTERNAL_FAMILY = "mcp__*";

const LISTS = ["showOutput", "planSafe", "deferLoading"] as const;
const PROVIDED_LISTS = ["tools", "readOnlyTools"] as const;
const FIELDS: readonly string[] = ["name", ...LISTS, "provides", ...OTHER_FIELDS];
const PROVIDES: readonly string[] = [...PROVIDED_LISTS, ...OTHER_PROVIDES];

/** @throws NestcallError `INVALID_ARGUMENTS` that names the plugin and the field, what came, and what is wanted. */
export function checkManifest(manifest: unknown): CheckedManifest {
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest)) {
    throw wrong("A plugin's manifest", `must be an object, not ${describeValue(manifest)}`);
  }
  const { name, provides } = manifest as { readonly name?: unknown; readonly provides?: unknown };
  if (typeof name !== "string" || name.trim() === "" || /\p{Cc}/u.test(name)) {
    throw wrong("A plugin's manifest.name", `must be a text of one line, not ${describeValue(name)}`);
  }
  const where = `Plugin "${shortenText(name, 80)}": manifest`;
  checkKeys(where, manifest, FIELDS);
  const lists = listsOf(where, manifest, LISTS);
  const { planSafe } = lists;
  const pattern = planSafe.find((entry) => !isExact(entry));
  if (pattern !== undefined) {
    throw wrong(`${where}.planSafe`, `takes exact names of tools; "${shortenText(pattern, 80)}" is a pattern`);
  }
  return Object.freeze({ name, ...lists, ...checkProvides(`${where}.provides`, provides) });
}

function checkProvides(where: string, provides: unknown): Pick<CheckedManifest, "tools" | "readOnlyTools"> {
  if (provides === undefined) return { tools: [], readOnlyTools: [] };
  if (typeof provides !== "object" || provides === null || Array.isArray(provides)) {
    throw wrong(where, `must be an object, not ${describeValue(provides)}`);
  }
  checkKeys(where, provides, PROVIDES);
  const lists = listsOf(where, provides, PROVIDED_LISTS);
  for (const entry of lists.readOnlyTools) checkReadOnlyEntry(`${where}.readOnlyTools`, entry, lists.tools);
  return lists;
}

/** E30 to E32. */
function checkReadOnlyEntry(where: string, entry: string, tools: readonly string[]): void {
  const shown = `"${shortenText(entry, 80)}"`;
  if (isExact(entry)) {
    if (tools.some((declared) => matchesName(declared, entry))) return;
    throw wrong(where, `names ${shown}, which provides.tools does not declare; add it there`);
  }
  if (entry !== EXTERNAL_FAMILY) {
    throw wrong(where, `takes exact names of tools and "${EXTERNAL_FAMILY}"; ${shown} is another pattern`);
  }
  if (!tools.includes(entry)) throw wrong(where, `has ${shown}, which provides.tools lacks; add the same entry there`);
}

const isExact = (entry: string) => /^[\w-]+$/.test(entry);

function listsOf<Field extends string>(where: string, owner: object, fields: readonly Field[]) {
  const lists: Partial<Record<Field, readonly string[]>> = {};
  for (const field of fields) {
    const value: unknown = (owner as { readonly [field: string]: unknown })[field] ?? [];
    if (!Array.isArray(value)) throw wrong(`${where}.${field}`, `must be a list of names, not ${describeValue(value)}`);
    for (const entry of value as readonly unknown[]) {
      if (typeof entry !== "string" || entry === "") {
        throw wrong(`${where}.${field}`, `must be a list of names; it contains ${describeValue(entry)}`);
      }
    }
    lists[field] = Object.freeze([...value]) as readonly string[]; // each entry was checked
  }
  return lists as Record<Field, readonly string[]>;
}

function checkKeys(where: string, owner: object, known: readonly string[]): void {
  const unknown = Object.keys(owner).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [close] = closestNames(unknown, known, 1);
  const hint = close === undefined ? `known are ${known.join(", ")}` : `did you mean "${close}"?`;
  throw wrong(`${where}.${shortenText(unknown, 60)}`, `is no field that is known here; ${hint}`, "");
}

function wrong(where: string, what: string, end = "."): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `${where} ${what}${end}`);
}
