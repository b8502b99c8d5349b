// What may be seen and done in one session (E35 to E47): what it was given, and the live policy, which only takes away.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { atOnce } from "../errors/thenable.js";
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
  /** What one call and all below it may do at most. */
  readonly #ceiling: AccessRestriction | undefined;

  constructor(
    rules: ScopeRules,
    options: SessionOptions,
    grants: readonly IsGranted[] = [],
    ceiling?: AccessRestriction,
  ) {
    const { userId, platform, live, isGranted } = options;
    this.#rules = rules;
    this.#grants = isGranted === undefined ? grants : [...grants, isGranted];
    const projectIds = Object.freeze([...(options.projectIds ?? [])]);
    const widest = { admin: options.admin === true, projectIds, readOnly: false, planMode: false };
    this.#captured = restrict(widest, options);
    // A copy: the host may use its object for the next session.
    this.#options = { ...this.#captured, userId, platform, live } as SessionOptions; // missing parts are no parts
    this.#ceiling = ceiling;
    this.isPlain = live === undefined && this.#grants.length === 0 && !this.#captured.readOnly && ceiling === undefined;
  }

  narrow(by: AccessRestriction): SessionScope {
    return new SessionScope(this.#rules, this.#options, this.#grants, restrict(this.#ceiling ?? {}, by));
  }

  access(): Access {
    return this.#accessUnder(this.#readLive());
  }

  identity(): Identity {
    return this.#identityUnder(this.#readLive());
  }

  /** E42: a child of a read-only session may start in any mode; it hands the restriction on all the same. */
  delegate(options: DelegateOptions): SessionScope {
    const policy = this.#readLive();
    const access = this.#accessUnder(policy);
    const { userId, platform } = this.#identityUnder(policy);
    const { live } = this.#options;
    const { isGranted } = options;
    const given = { ...restrict({ ...access, planMode: access.readOnly }, options), userId, platform, live, isGranted };
    return new SessionScope(this.#rules, given as SessionOptions, this.#grants); // missing parts are no parts
  }

  /** Whether a tool is there at all, hidden or not. */
  contains({ scope }: RegistryEntry): boolean {
    if (scope === undefined) return true;
    const policy = this.#readLive();
    return isInScope(scope, this.#accessUnder(policy), this.#identityUnder(policy));
  }

  /** A test of what is shown at this moment: in scope, not hidden, allowed. The policy is asked once for all of it. */
  visibility(): (entry: RegistryEntry) => boolean {
    const policy = this.#readLive();
    const [access, identity] = [this.#accessUnder(policy), this.#identityUnder(policy)];
    return (entry) => {
      if (entry.tool.exposure === "hidden") return false;
      if (entry.scope !== undefined && !isInScope(entry.scope, access, identity)) return false;
      return (!access.readOnly || this.#rules.isPlanSafe(entry)) && this.#isGranted(entry);
    };
  }

  /** Why a tool of this scope may not run now: plan mode first, then the grants of plugins. */
  refusalOf(entry: RegistryEntry): string | undefined {
    if (this.isPlain) return undefined;
    const access = this.access();
    if (access.readOnly && !this.#rules.isPlanSafe(entry)) return planRefusal(entry.name, access);
    return this.#isGranted(entry) ? undefined : `Tool "${entry.name}" is not granted to this session.`;
  }

  #accessUnder(policy: AccessRestriction | undefined): Access {
    const access = policy === undefined ? this.#captured : restrict(this.#captured, policy);
    return this.#ceiling === undefined ? access : restrict(access, this.#ceiling);
  }

  #identityUnder(policy: AccessRestriction | undefined): Identity {
    const { admin } = this.#accessUnder(policy);
    if (policy === REVOKED) return Object.freeze({ userId: undefined, platform: undefined, admin });
    const { userId, platform } = this.#options;
    return Object.freeze({ userId, platform, admin });
  }

  #isGranted({ owner, name }: RegistryEntry): boolean {
    if (owner === undefined) return true;
    return this.#grants.every((isGranted) => {
      try {
        return atOnce(isGranted(owner, name)) === true;
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
      answer = atOnce(live());
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

/** Gates fail closed: who cannot say what is allowed allows nothing. What was thrown is the host's affair, not the model's. */
function unreadable(what: string, cause: unknown): NestcallError {
  const message = `The session cannot say what is allowed (its ${what} failed), so nothing is.`;
  return new NestcallError(ErrorCode.HOOK_FAILED, message, { cause });
}
