// DESIGN 8.1: rules by name and argument that say which calls are allowed, asked for, or denied. Deny beats ask beats allow.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText } from "../errors/text.js";
import { resolveHints } from "../tools/annotations.js";
import { closestNames } from "../tools/closest-names.js";
import { namePattern } from "../tools/name-pattern.js";
import type { Tool } from "../tools/tool.js";

/** A name in which `*` stands for any text; or with conditions on arguments, all of which must hold. */
export type PolicyRule = string | { readonly tool: string; readonly when?: { readonly [argument: string]: string } };

/** As it stands in a configuration file. */
export interface PolicyDefinition {
  readonly allow?: readonly PolicyRule[];
  readonly ask?: readonly PolicyRule[];
  readonly deny?: readonly PolicyRule[];
}

export type PolicyVerdict = "allow" | "ask" | "deny";
export interface PolicyDecision {
  readonly verdict: PolicyVerdict;
  /** What decided: a rule, or what the tool claims of itself (a hint), which nobody has verified. */
  readonly basis: "rule" | "hint";
  /** The rule as it is written, with its place: `deny[0] "mcp__github__delete_*"`. */
  readonly rule?: string;
  /** One sentence for people. */
  readonly reason: string;
}

interface Rule {
  readonly verdict: PolicyVerdict;
  readonly text: string;
  /** The name in it. */
  readonly tool: string;
  readonly fits: (name: string) => boolean;
  readonly conditions: readonly { readonly argument: string; readonly fits: (text: string) => boolean }[];
}

/** A tool as rules see it. */
export interface PolicySubject extends Pick<Tool, "name" | "annotations"> {
  /** What else it is called, such as by its server. Rules that deny or ask fit these too; one that allows fits `name` alone. */
  readonly otherNames?: readonly string[];
}

const ORDER: readonly PolicyVerdict[] = ["deny", "ask", "allow"];

export class Policy {
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** What the policy says of a call; without arguments, of the tool as such: rules with conditions are left out then. */
  decide(tool: PolicySubject, args?: unknown): PolicyDecision {
    const rule = this.#rules.find((one) => {
      return fitsOne(one, tool) && one.conditions.every((when) => holds(when, args, one.verdict));
    });
    if (rule !== undefined) {
      const reason = `the rule ${rule.text} says ${rule.verdict}`;
      return { verdict: rule.verdict, basis: "rule", rule: rule.text, reason };
    }
    if (resolveHints(tool.annotations).readOnlyHint) {
      return { verdict: "allow", basis: "hint", reason: "no rule fits, and the tool claims to be read-only" };
    }
    return { verdict: "ask", basis: "hint", reason: "no rule fits, and the tool does not claim to be read-only" };
  }

  /** Whether no call of this name can ever be allowed, so that it need not be listed or found. */
  hides(name: string, otherNames: readonly string[] = []): boolean {
    return this.#rules.some((rule) => {
      return rule.verdict === "deny" && rule.conditions.length === 0 && fitsOne(rule, { name, otherNames });
    });
  }

  /** The rules that fit none of these tools, whatever their conditions are: each with its place, and the name in it. */
  unused(
    tools: readonly Omit<PolicySubject, "annotations">[],
  ): readonly { readonly text: string; readonly tool: string }[] {
    return this.#rules
      .filter((rule) => !tools.some((tool) => fitsOne(rule, tool)))
      .map(({ text, tool }) => ({ text, tool }));
  }
}

/**
 * Takes a policy in. A mistake in it is an error, never an open door.
 *
 * @param where - The place of the policy, for messages: `policy`, or with a file before it.
 * @throws NestcallError `INVALID_ARGUMENTS` that names the place and what is wanted.
 */
export function readPolicy(definition: unknown, where = "policy"): Policy {
  if (!isObject(definition))
    throw wrong(`${where} must be an object with allow, ask and deny, not ${describeValue(definition)}.`);
  checkKeys(where, definition, ORDER);
  const rules = ORDER.flatMap((verdict) => {
    const list = definition[verdict] === undefined ? [] : definition[verdict];
    if (!Array.isArray(list)) throw wrong(`${where}.${verdict} must be a list of rules, not ${describeValue(list)}.`);
    return list.map((rule: unknown, index) => readRule(rule, verdict, `${where}.${verdict}[${index}]`, index));
  });
  return new Policy(rules);
}

function readRule(rule: unknown, verdict: PolicyVerdict, where: string, index: number): Rule {
  const text = `${verdict}[${index}] ${shortenText(JSON.stringify(rule) ?? String(rule), 200)}`;
  if (typeof rule === "string") return { verdict, text, tool: rule, fits: pattern(where, rule), conditions: [] };
  if (!isObject(rule)) throw wrong(`${where} must be a name or { tool, when }, not ${describeValue(rule)}.`);
  checkKeys(where, rule, ["tool", "when"]);
  const { tool, when = {} } = rule;
  if (typeof tool !== "string")
    throw wrong(`${where}.tool must be a name in which * stands for any text, not ${describeValue(tool)}.`);
  if (!isObject(when))
    throw wrong(`${where}.when must be an object of patterns by argument, not ${describeValue(when)}.`);
  const conditions = Object.entries(when).map(([argument, wanted]) => {
    if (typeof wanted !== "string")
      throw wrong(`${where}.when.${argument} must be a pattern, not ${describeValue(wanted)}.`);
    return { argument, fits: namePattern(wanted) };
  });
  return { verdict, text, tool, fits: pattern(`${where}.tool`, tool), conditions };
}

/** An allow by another name would be wider than it looks: two tools can have the same one. */
function fitsOne({ verdict, fits }: Rule, { name, otherNames = [] }: Omit<PolicySubject, "annotations">): boolean {
  return fits(name) || (verdict !== "allow" && otherNames.some(fits));
}

/** A tool's name has no other characters, so a rule with one would never fit anything. */
function pattern(where: string, text: string): (name: string) => boolean {
  if (/^[\w*-]+$/.test(text)) return namePattern(text);
  throw wrong(`${where} must be the name of a tool, in which * stands for any text; it is "${shortenText(text, 80)}".`);
}

/**
 * An argument that is not there fits nothing. Of a list or an object the JSON and every text, number and boolean inside count
 * for what is forbidden or asked for, and nothing for what is allowed: one that fits may hide others.
 */
function holds({ argument, fits }: Rule["conditions"][number], args: unknown, verdict: PolicyVerdict): boolean {
  if (!isObject(args) || !Object.hasOwn(args, argument)) return false;
  const value = args[argument];
  if (value === undefined) return false;
  if (typeof value !== "object" || value === null) return fits(String(value));
  return verdict !== "allow" && (fits(JSON.stringify(value) ?? "") || leavesOf(value).some(fits));
}

/** Every text, number and boolean inside, at any depth; not by recursion, since whoever calls chooses the depth. */
function leavesOf(root: object): string[] {
  const leaves: string[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) open.push(inner);
    else if (value !== undefined && value !== null) leaves.push(String(value));
  }
  return leaves;
}

function checkKeys(where: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [close] = closestNames(unknown, known, 1);
  const hint = close === undefined ? `known are ${known.join(", ")}` : `did you mean "${close}"?`;
  throw wrong(`${where} has no "${shortenText(unknown, 60)}"; ${hint}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
