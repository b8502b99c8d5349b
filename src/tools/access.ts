// What a call may do, and how it shrinks on the way down: restrictions are joined, never lifted (E41 to E46).
import { describeValue } from "../errors/text.js";

/** What may be done now: the live policy within what the session was given. */
export interface Access {
  readonly admin: boolean;
  readonly projectIds: readonly string[];
  /** Nothing may be changed: in plan mode, and for good in whatever was delegated from it. */
  readonly readOnly: boolean;
  readonly planMode: boolean;
}

/** Who acts. */
export interface Identity {
  readonly userId: string | undefined;
  readonly platform: string | undefined;
  /** False as soon as the live policy says so, never true when the session was not given it. */
  readonly admin: boolean;
}

/** What takes away from an access. A part that is missing takes nothing away, nor does one that would widen it. */
export interface AccessRestriction {
  readonly admin?: boolean;
  readonly projectIds?: readonly string[];
  readonly readOnly?: boolean;
  readonly planMode?: boolean;
}

/** What is left of `base`. */
export function restrict<Base extends AccessRestriction>(base: Base, by: AccessRestriction): Base {
  const planMode = base.planMode === true || by.planMode === true;
  const readOnly = planMode || base.readOnly === true || by.readOnly === true;
  const isPlain = base.admin === false || by.admin === false;
  const admin = isPlain ? false : (base.admin ?? by.admin);
  const projectIds = commonIds(base.projectIds, by.projectIds);
  const left = {
    ...(admin === undefined ? {} : { admin }),
    ...(projectIds === undefined ? {} : { projectIds }),
    readOnly,
    planMode,
  };
  return Object.freeze(left) as unknown as Base; // a part that the base has is there again
}

function commonIds(
  base: readonly string[] | undefined,
  by: readonly string[] | undefined,
): readonly string[] | undefined {
  if (base === undefined || by === undefined) return base ?? by;
  const allowed = new Set(by);
  return Object.freeze(base.filter((id) => allowed.has(id)));
}

/** The parts that ask for more than there is: they are ignored, and named in the record of the call (E43). */
export function widenedParts(access: Access, asked: AccessRestriction): readonly string[] {
  const has = new Set(access.projectIds);
  const isWider: { readonly [part: string]: boolean } = {
    admin: asked.admin === true && !access.admin,
    projectIds: asked.projectIds?.some((id) => !has.has(id)) === true,
    readOnly: asked.readOnly === false && access.readOnly,
    planMode: asked.planMode === false && access.planMode,
  };
  return Object.keys(isWider).filter((part) => isWider[part] === true);
}

/** What is wrong with a restriction that came from outside, to be read after the name of its place. */
export function restrictionProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return ` must be an object such as { readOnly: true }, not ${describeValue(value)}`;
  }
  for (const [part, given] of Object.entries(value)) {
    if (given === undefined) continue;
    if (part === "projectIds") {
      if (!isIds(given)) return `.projectIds must be a list of ids, not ${describeValue(given)}`;
    } else if (part !== "admin" && part !== "readOnly" && part !== "planMode") {
      return ` has no part ${describeValue(part)}; known are admin, projectIds, readOnly, planMode`;
    } else if (typeof given !== "boolean") {
      return `.${part} must be true or false, not ${describeValue(given)}`;
    }
  }
  return undefined;
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === "string");
}
