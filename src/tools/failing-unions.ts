// TypeBox reports a failed union as the errors of every branch, followed by one for the union. Here they are put
// back together, so that repair and explanation see one failure with its branches.
import type { FailedRule, SchemaProblem } from "./schema-check.js";

export interface RuledProblem extends SchemaProblem {
  readonly rule: FailedRule;
}

export interface Failure {
  readonly problem: RuledProblem;
  /** The failures of each branch that has some, when the problem is a union's. */
  readonly branches: readonly (readonly Failure[])[];
}

export function hasRule(problem: SchemaProblem): problem is RuledProblem {
  return problem.rule !== undefined;
}

/** The failures that stand on their own, in the order of the problems; those inside unions are below these. */
export function groupUnions(problems: readonly RuledProblem[]): Failure[] {
  const failures: Failure[] = [];
  let index = problems.length - 1;
  while (index >= 0) {
    const problem = problems[index] as RuledProblem; // within bounds
    index -= 1;
    const members: RuledProblem[] = [];
    while (index >= 0 && isInside(problems[index] as RuledProblem, problem)) {
      members.push(problems[index] as RuledProblem);
      index -= 1;
    }
    failures.push({ problem, branches: branchesOf(problem, members.reverse()) });
  }
  return failures.reverse();
}

function isInside(problem: RuledProblem, union: RuledProblem): boolean {
  return isUnion(union) && problem.rule.schemaPath.startsWith(branchPrefix(union)) && isAtOrBelow(problem, union);
}

function isUnion({ rule }: RuledProblem): boolean {
  return rule.keyword === "anyOf" || rule.keyword === "oneOf";
}

function isAtOrBelow(problem: RuledProblem, union: RuledProblem): boolean {
  return union.path.every((step, index) => problem.path[index] === step);
}

function branchPrefix({ rule }: RuledProblem): string {
  return `${rule.schemaPath}/${rule.keyword}/`;
}

function branchesOf(union: RuledProblem, members: readonly RuledProblem[]): Failure[][] {
  if (members.length === 0) return [];
  const start = branchPrefix(union).length;
  const branches = new Map<string, RuledProblem[]>();
  for (const member of members) {
    const number = member.rule.schemaPath.slice(start).split("/", 1)[0] ?? "";
    const branch = branches.get(number);
    if (branch === undefined) branches.set(number, [member]);
    else branch.push(member);
  }
  return [...branches.values()].map(groupUnions);
}
