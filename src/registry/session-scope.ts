// What may be seen and done in one session (E35 to E47): what it was given, and the live policy, which only takes away.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { thrownText } from "../errors/text.js";
import { type Access, type AccessRestriction, type Identity, restrict } from "../tools/access.js";
import type { DelegateOptions, SessionOptions } from "../tools/tool-session.js";
import type { RegistryEntry } from "./registry-entry.js";
import { checkSessionOptions } from "./session-options.js";

type IsGranted = NonNullable<SessionOptions["isGranted"]>;

/** Whoever is revoked may look, at nothing in particular. */
const REVOKED: AccessRestriction = Object.freeze({ admin: false, projectIds: Object.freeze([]), readOnly: true });

export interface ScopeRules {
  readonly isPlanSafe: (entry: RegistryEntry) => boolean;
}

export class SessionScope {
  /** Nothing is narrowed here, so calls need not ask. */
  readonly isPlain: boolean;
  readonly #rules: ScopeRules;
  readonly #options: SessionOptions;
  readonly #captured: Access;
  readonly #grants: readonly IsGranted[];

  constructor(rules: ScopeRules, options: SessionOptions, grants: readonly IsGranted[] = []) {
    this.#rules = rules;
    this.#options = options;
    this.#grants = options.isGranted === undefined ? grants : [...grants, options.isGranted];
    const projectIds = Object.freeze([...(options.projectIds ?? [])]);
    const widest = { admin: options.admin === true, projectIds, readOnly: false, planMode: false };
    this.#captured = restrict(widest, options);
    this.isPlain = options.live === undefined && this.#grants.length === 0 && !this.#captured.readOnly;
  }

  access(): Access {
    const live = this.#readLive();
    return live === undefined ? this.#captured : restrict(this.#captured, live);
  }

  accessWithin(ceiling: AccessRestriction | undefined): Access {
    const access = this.access();
    return ceiling === undefined ? access : restrict(access, ceiling);
  }

  identity(): Identity {
    const live = this.#readLive();
    const { userId, platform } = this.#options;
    const admin = this.#captured.admin && live?.admin !== false;
    return Object.freeze({ userId: live === REVOKED ? undefined : userId, platform, admin });
  }

  /** E42: a child of a read-only session may start in any mode; it hands the restriction on all the same. */
  delegate(options: DelegateOptions): SessionScope {
    const access = this.access();
    const { userId, platform, live } = this.#options;
    const { isGranted } = options;
    const given = { ...restrict({ ...access, planMode: access.readOnly }, options), userId, platform, live, isGranted };
    return new SessionScope(this.#rules, given as SessionOptions, this.#grants); // missing parts are no parts
  }

  /** Whether a tool is there at all, hidden or not. */
  contains({ scope }: RegistryEntry, ceiling: AccessRestriction | undefined): boolean {
    return scope === undefined || isInScope(scope, this.accessWithin(ceiling), this.identity());
  }

  /** A test of what is shown at this moment: in scope, not hidden, allowed. The policy is asked once for all of it. */
  visibility(ceiling?: AccessRestriction): (entry: RegistryEntry) => boolean {
    const [access, identity] = [this.accessWithin(ceiling), this.identity()];
    return (entry) => {
      if (entry.tool.exposure === "hidden") return false;
      if (entry.scope !== undefined && !isInScope(entry.scope, access, identity)) return false;
      return (!access.readOnly || this.#rules.isPlanSafe(entry)) && this.#isGranted(entry);
    };
  }

  /** Why a tool of this scope may not run now: plan mode first, then the grants of plugins. */
  refusalOf(entry: RegistryEntry, ceiling: AccessRestriction | undefined): string | undefined {
    if (this.isPlain && ceiling === undefined) return undefined;
    const access = this.accessWithin(ceiling);
    if (access.readOnly && !this.#rules.isPlanSafe(entry)) return planRefusal(entry.name, access);
    if (this.#isGranted(entry)) return undefined;
    return `Tool "${entry.name}" belongs to the plugin "${entry.owner}", which is not granted to this session.`;
  }

  #isGranted({ owner, name }: RegistryEntry): boolean {
    if (owner === undefined) return true;
    return this.#grants.every((isGranted) => {
      try {
        return isGranted(owner, name) === true;
      } catch (error) {
        throw unreadable("isGranted", error);
      }
    });
  }

  #readLive(): AccessRestriction | undefined {
    const { live } = this.#options;
    if (live === undefined) return undefined;
    let answer: unknown;
    try {
      answer = live();
    } catch (error) {
      throw unreadable("live", error);
    }
    if (answer === undefined || answer === null) return REVOKED;
    checkSessionOptions("The answer of the session's live()", answer, []);
    return answer as AccessRestriction; // checked just now
  }
}

function isInScope(scope: NonNullable<RegistryEntry["scope"]>, access: Access, identity: Identity): boolean {
  const { ownerUserId, projectId, platform } = scope;
  return (
    (ownerUserId === undefined || ownerUserId === identity.userId) &&
    (projectId === undefined || access.projectIds.includes(projectId)) &&
    (platform === undefined || platform === identity.platform)
  );
}

function planRefusal(name: string, access: Access): string {
  const mode = access.planMode ? "plan mode" : "a read-only session";
  return `Tool "${name}" is not available in ${mode}: it is neither a read-only tool of the host nor declared planSafe.`;
}

/** Gates fail closed: who cannot say what is allowed allows nothing. */
function unreadable(what: string, cause: unknown): NestcallError {
  const message = `The session's ${what} failed, so nothing is allowed: ${thrownText(cause)}`;
  return new NestcallError(ErrorCode.HOOK_FAILED, message, { cause });
}
