// Executors that are served, and official clients that call them: in both protocols, in memory, over HTTP and stdio.
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { createExecutor, type Executor, type Tool, type ToolCallOutcome } from "nestcall";
import { type PolicyDefinition, policyGuard, readPolicy } from "nestcall/guards";
import { type McpApprovals, type McpServing, mcpApprovals, type ServeMcpOptions, serveMcp } from "nestcall/mcp";
import { onTestFinished } from "vitest";
import { textOf, tool } from "../../../helpers/engine.js";

export type Era = "legacy" | "modern";
export const ERAS: readonly Era[] = ["legacy", "modern"];
/** The result of a call, as far as the tests look at it. */
export interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
export interface Elicited {
  readonly message: string;
  readonly requestedSchema: unknown;
}
export type Answerer = (asked: Elicited, signal: AbortSignal) => unknown;

export interface Called extends Client {
  /** Calls a tool, with what the client's method may be given besides. */
  call(name: string, args?: object, options?: object): Promise<Answer>;
}

/** A tool that makes these calls, one after another or `together`, and tells the texts of what came. */
export function conductor(name = "conduct"): Tool {
  return tool(name, async (args, ctx) => {
    const { calls = [], together } = args as { calls?: [string, unknown?][]; together?: boolean };
    const outcomes: ToolCallOutcome[] = [];
    if (together === true)
      outcomes.push(...(await Promise.all(calls.map(([tool, given]) => ctx.executeTool(tool, given)))));
    else for (const [tool, given] of calls) outcomes.push(await ctx.executeTool(tool, given));
    return outcomes.map((outcome) => `${outcome.status}: ${textOf(outcome)}`).join("\n");
  });
}

export interface Guarded {
  readonly executor: Executor;
  readonly approvals: McpApprovals;
}

/** An executor with a policy that asks through MCP. */
export function guarded(
  tools: readonly Tool[],
  options: Parameters<typeof mcpApprovals>[0] = {},
  policy: PolicyDefinition = {},
): Guarded {
  const executor = createExecutor({ tools });
  const approvals = mcpApprovals(options);
  executor.on("tool_call", policyGuard(readPolicy({ allow: ["conduct"], ...policy }), { confirm: approvals.confirm }));
  onTestFinished(() => executor.close());
  return { executor, approvals };
}

export interface ConnectOptions extends Partial<ServeMcpOptions> {
  readonly era?: Era;
  /** Answers the forms; without it the client cannot be asked. */
  readonly onElicit?: Answerer | undefined;
  readonly client?: Partial<ClientOptions>;
}

/** Serves an executor and connects a client to it: in memory for the older protocol, over HTTP's fetch for the newer. */
export async function served(
  executor: Executor,
  { era = "legacy", onElicit, client: clientOptions, ...options }: ConnectOptions = {},
): Promise<{ readonly client: Called; readonly serving: McpServing }> {
  if (era === "modern") {
    const serving = await keep(serveMcp(executor, { ...options, http: { listen: false } }));
    return { client: await modernClient(serving, onElicit, clientOptions), serving };
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  const serving = await keep(serveMcp(executor, { ...options, transport: far }));
  const client = newClient(onElicit, clientOptions);
  await client.connect(near as never);
  return { client, serving };
}

/** One more client of the newer protocol. */
export async function modernClient(
  serving: Pick<McpServing, "fetch">,
  onElicit?: Answerer,
  options: Partial<ClientOptions> = {},
): Promise<Called> {
  const client = newClient(onElicit, { versionNegotiation: { mode: { pin: "2026-07-28" } }, ...options });
  const fetch = (url: string | URL, init?: RequestInit) => serving.fetch?.(new Request(url, init)) as Promise<Response>;
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  return client;
}

export function newClient(onElicit?: Answerer, options: Partial<ClientOptions> = {}): Called {
  const capabilities = onElicit === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: "test-client", version: "1.0.0" }, { capabilities, ...options });
  if (onElicit !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, ctx) => {
      return (await onElicit(params as Elicited, ctx.mcpReq.signal)) as never;
    });
  }
  onTestFinished(() => client.close());
  const call = async (name: string, args: object = {}, callOptions: object = {}) =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> }, callOptions)) as Answer;
  return Object.assign(client, { call });
}

export async function keep(starting: Promise<McpServing>): Promise<McpServing> {
  const serving = await starting;
  onTestFinished(() => serving.close());
  return serving;
}

export const yes = () => ({ action: "accept", content: { approve: true } });
export const no = () => ({ action: "accept", content: { approve: false } });

export function answerText({ content }: Answer): string {
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
