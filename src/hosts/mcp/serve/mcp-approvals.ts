// How guards ask the person behind an MCP client (DESIGN 8.1). A guard asks by the id of a call; whoever serves the root
// call knows its client. Owns which root calls can be asked about.
import { ErrorCode } from "../../../errors/error-code.js";
import { NestcallError } from "../../../errors/nestcall-error.js";
import { describeValue } from "../../../errors/text.js";
import type { ApprovalRequest } from "../../../guards/approval-guard.js";
import type { PolicyDecision } from "../../../guards/policy.js";
import type { McpToolOrigin } from "../mcp-connection.js";

export interface McpApprovalsOptions {
  /**
   * How long a person has for an answer, in milliseconds; so long is a call kept that the newer protocol parks. Then the answer
   * is no, and a parked call is aborted. Default 10 minutes.
   */
  readonly answerWithinMs?: number;
  /** How many calls may be parked at once; an approval beyond that fails. Default 256. */
  readonly maxParked?: number;
  /** Where a tool comes from, for the person who is asked: `connection.originOf`. Default: by the owner of the tool. */
  readonly originOf?: (toolName: string) => McpToolOrigin | undefined;
}

export interface McpApprovals {
  /**
   * For `policyGuard` and `approvalGuard`: asks the client whose call this is, or is part of. True is consent; `undefined` says
   * that nobody can be asked: it is no client's call, or the client cannot ask.
   */
  readonly confirm: (request: ApprovalRequest, decision?: PolicyDecision) => Promise<boolean | undefined>;
}

/** What a guard wants to know of a person. */
export interface ApprovalQuestion {
  readonly request: ApprovalRequest;
  readonly decision: PolicyDecision | undefined;
}
export type AskClient = (question: ApprovalQuestion) => Promise<boolean | undefined>;

const LONGEST_TIMER_MS = 2_147_483_647;

/** The inner side of `McpApprovals`: what serveMcp needs of it. */
export class ApprovalDesk {
  readonly answerWithinMs: number;
  readonly maxParked: number;
  readonly originOf: NonNullable<McpApprovalsOptions["originOf"]>;
  readonly #clients = new Map<string, AskClient>();

  constructor(options: McpApprovalsOptions) {
    this.answerWithinMs = Math.min(options.answerWithinMs ?? 600_000, LONGEST_TIMER_MS);
    this.maxParked = options.maxParked ?? 256;
    this.originOf = options.originOf ?? (() => undefined);
  }

  /** Says who answers for a root call; the ids of those that are served are unique. Returns a function that takes it back. */
  register(rootCallId: string, ask: AskClient): () => void {
    this.#clients.set(rootCallId, ask);
    return () => this.#clients.delete(rootCallId);
  }

  async ask(question: ApprovalQuestion): Promise<boolean | undefined> {
    return this.#clients.get(rootIdOf(question.request.toolCallId))?.(question);
  }
}

/** The ids of calls that are served have no slash, and those of nested calls begin with their root's and one. */
export function rootIdOf(toolCallId: string): string {
  const end = toolCallId.indexOf("/");
  return end === -1 ? toolCallId : toolCallId.slice(0, end);
}

const desks = new WeakMap<McpApprovals, ApprovalDesk>();

/** @throws NestcallError `INVALID_ARGUMENTS` for an option of a wrong kind. */
export function mcpApprovals(options: McpApprovalsOptions = {}): McpApprovals {
  checkOptions(options);
  const desk = new ApprovalDesk(options);
  const approvals = Object.freeze({
    confirm: (request: ApprovalRequest, decision?: PolicyDecision) => desk.ask({ request, decision }),
  });
  desks.set(approvals, desk);
  return approvals;
}

export function deskOf(approvals: McpApprovals | undefined): ApprovalDesk {
  const desk = approvals === undefined ? new ApprovalDesk({}) : desks.get(approvals);
  if (desk !== undefined) return desk;
  throw wrong(`serveMcp: options.approvals must be what mcpApprovals gave, not ${describeValue(approvals)}.`);
}

function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw wrong(`mcpApprovals takes an options object; it got ${describeValue(options)}.`);
  const { answerWithinMs, maxParked, originOf, ...more } = options as { readonly [name: string]: unknown };
  const [unknown] = Object.keys(more);
  if (unknown !== undefined)
    throw wrong(`mcpApprovals has no option "${unknown}"; known are answerWithinMs, maxParked and originOf.`);
  if (answerWithinMs !== undefined && !(typeof answerWithinMs === "number" && answerWithinMs > 0))
    throw wrong(`mcpApprovals: answerWithinMs must be milliseconds above 0, not ${describeValue(answerWithinMs)}.`);
  if (maxParked !== undefined && !(Number.isInteger(maxParked) && (maxParked as number) >= 0))
    throw wrong(`mcpApprovals: maxParked must be a whole number from 0 up, not ${describeValue(maxParked)}.`);
  if (originOf !== undefined && typeof originOf !== "function")
    throw wrong(`mcpApprovals: originOf must be a function, not ${describeValue(originOf)}.`);
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
