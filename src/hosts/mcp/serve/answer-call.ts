// One `tools/call` of a client, in either protocol: begins a call or comes back to a parked one, and answers with its result
// or with what a person has to be asked first.
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { ErrorCode } from "../../../errors/error-code.js";
import { thrownText } from "../../../errors/text.js";
import type { RootCallOutcome } from "../../../executor/batch-outcome.js";
import { runServed } from "../mcp-tracing.js";
import { APPROVAL_SCHEMA, isConsent } from "./approval-form.js";
import { callToolResult } from "./call-result.js";
import type { AskWay, ClientCall, OpenQuestion, Visit } from "./client-call.js";
import type { ClientConnection } from "./client-connection.js";
import { listedOutputSchema } from "./listed-tools.js";
import type { McpService } from "./mcp-service.js";
import { paced } from "./progress-feed.js";

export type ProtocolEra = "legacy" | "modern";

export interface ServedConnection {
  readonly service: McpService;
  readonly connection: ClientConnection;
  readonly server: Server;
  readonly era: ProtocolEra;
}
interface CallParams {
  readonly name: string;
  readonly arguments?: unknown;
}

export async function answerCall(
  served: ServedConnection,
  params: CallParams,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const visit = visitOf(served, ctx);
  const call = callOf(served, params, ctx, visit);
  const { service } = served;
  const stopProgress = visit.say === undefined ? undefined : service.progress.listen(call.id, visit.say);
  try {
    const attended = await call.attend(visit);
    if (attended.kind === "settled") return resultOf(served, params.name, attended.outcome);
    return questionsOf(attended.questions, service.parked.put(call));
  } finally {
    stopProgress?.();
  }
}

function callOf(
  { service, connection }: ServedConnection,
  params: CallParams,
  ctx: ServerContext,
  visit: Visit,
): ClientCall {
  const { name, arguments: args } = params;
  const state: unknown = ctx.mcpReq.requestState();
  if (state === undefined) {
    const { id, _meta } = ctx.mcpReq;
    return runServed(service.options.tracing, _meta, () => service.begin(connection, { id, name, args, visit }));
  }
  const call = service.parked.take(state, name, args);
  if (typeof call === "string") {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, call, { reason: "invalid_request_state" });
  }
  call.answer(ctx.mcpReq.inputResponses ?? {});
  return call;
}

function resultOf({ service, server }: ServedConnection, name: string, outcome: RootCallOutcome): CallToolResult {
  if (outcome.error?.code === ErrorCode.UNKNOWN_TOOL) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.error.message);
  }
  const { executor, session } = service.options;
  const outputSchema = listedOutputSchema(executor.registry, session, name);
  const result = callToolResult(outcome, outputSchema !== undefined);
  return server.projectCallToolResult(result, outputSchema as Record<string, unknown> | undefined);
}

function questionsOf(questions: readonly OpenQuestion[], requestState: string): InputRequiredResult {
  const forms = questions.map(({ key, message }) => {
    return [key, inputRequired.elicit({ mode: "form", message, requestedSchema: APPROVAL_SCHEMA as never })] as const;
  });
  return inputRequired({ inputRequests: Object.fromEntries(forms), requestState });
}

function visitOf(served: ServedConnection, ctx: ServerContext): Visit {
  const token = ctx.mcpReq._meta?.progressToken;
  const say =
    token === undefined
      ? undefined
      : paced((progress, message) =>
          ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, progress, message } }),
        );
  // Nothing is kept for a client whose connection is gone, so it could not come back for the answer either.
  const gone = ctx.http?.req?.signal;
  return { signals: [ctx.mcpReq.signal, ...(gone === undefined ? [] : [gone])], way: askWayOf(served, ctx), say };
}

function askWayOf({ service, connection, server, era }: ServedConnection, ctx: ServerContext): AskWay {
  const { envelope = {} } = ctx.mcpReq as { readonly envelope?: { readonly [key: string]: unknown } };
  const capabilities = era === "modern" ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  if (!takesForms(capabilities)) return "none";
  if (era === "modern") return "park";
  return (message, signal) => connection.inTurn(signal, () => askByForm(service, ctx, message, signal));
}

/** A client that names no mode takes forms: modes came later. */
function takesForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: unknown };
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return Object.hasOwn(elicitation, "form") || !Object.hasOwn(elicitation, "url");
}

async function askByForm(
  service: McpService,
  ctx: ServerContext,
  message: string,
  signal: AbortSignal,
): Promise<boolean> {
  const params = { mode: "form", message, requestedSchema: APPROVAL_SCHEMA };
  const options = { timeout: service.options.desk.answerWithinMs, signal };
  try {
    return isConsent(await ctx.mcpReq.send({ method: "elicitation/create", params }, options));
  } catch (error) {
    if (!signal.aborted) service.log(`No answer came to the question whether a tool may run: ${thrownText(error)}`);
    return false;
  }
}
