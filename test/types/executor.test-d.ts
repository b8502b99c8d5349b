// Types of hooks, events and outcomes, checked by `npm run types`; nothing here runs.
import {
  type BatchOutcome,
  batchTerminates,
  createExecutor,
  ErrorCode,
  type NestedCalls,
  type RootCallOutcome,
  sumUsage,
  type ToolCallOutcome,
  type ToolExecutionEvent,
  type ToolExecutionProgressEvent,
  type ToolExecutionWaitEvent,
  type Usage,
  withFileMutationQueue,
} from "nestcall";
import { approvalGuard, budgetGuard, redactionGuard, redactor } from "nestcall/guards";
import { expectTypeOf, test } from "vitest";

const executor = createExecutor({ redact: redactor({ patterns: ["x", /y/] }) });

test("on gives each handler the event of its type", () => {
  expectTypeOf(executor.on).returns.toEqualTypeOf<() => void>();
  executor.on("tool_execution_wait", (event) => expectTypeOf(event).toEqualTypeOf<ToolExecutionWaitEvent>());
  executor.on("tool_execution_end", (event) => expectTypeOf(event.status).toEqualTypeOf<"ok" | "error" | "aborted">());
  executor.on("observer_error", (event) => expectTypeOf(event.source).toEqualTypeOf<"listener" | "update" | "usage">());
  executor.on("tool_call", (event) => {
    expectTypeOf(event.source).toEqualTypeOf<"model" | "tool" | "codemode">();
    expectTypeOf(event.input).toEqualTypeOf<unknown>();
    event.input = {}; // arguments may be assigned
    // @ts-expect-error what the caller gave stays
    event.originalArguments = {};
    return { block: true, reason: "r", terminate: true };
  });
  executor.on("before_mutation", (event) => {
    expectTypeOf(event.paths).toEqualTypeOf<readonly string[]>();
    // @ts-expect-error too late to change the arguments
    event.input = {};
  });
  executor.on("tool_result", ({ result }) => ({ content: result.content, isError: false }));
  // @ts-expect-error no such event
  executor.on("tool_calls", () => {});
  // @ts-expect-error a text is no decision
  executor.on("tool_call", () => "no");
  // @ts-expect-error content is a list of blocks
  executor.on("tool_result", () => ({ content: "text" }));
});

test("subscribe gives the events of progress, which a switch can exhaust", () => {
  executor.subscribe((event) => {
    expectTypeOf(event).toEqualTypeOf<ToolExecutionProgressEvent>();
    switch (event.type) {
      case "tool_execution_start":
        return expectTypeOf(event.arguments).toEqualTypeOf<unknown>();
      case "tool_execution_update":
      case "tool_execution_end":
        return undefined;
      default:
        return event satisfies never;
    }
  });
  expectTypeOf<ToolExecutionProgressEvent>().toExtend<ToolExecutionEvent>();
});

test("outcomes are read-only, and only root calls have a record", async () => {
  const root = await executor.executeTool("x", {}, { toolCallId: "T", onUpdate: () => {}, timeoutMs: 5 });
  expectTypeOf(root.nestedCalls).toEqualTypeOf<NestedCalls | undefined>();
  expectTypeOf<RootCallOutcome>().toExtend<ToolCallOutcome>();
  expectTypeOf<ToolCallOutcome>().not.toHaveProperty("nestedCalls");
  // @ts-expect-error an outcome is not changed
  root.isError = false;
  // @ts-expect-error nor is its content
  root.result.content.push({ type: "text", text: "more" });
  if (root.error?.code === ErrorCode.BLOCKED) return;
  // @ts-expect-error there is no such code
  expectTypeOf(root.error?.code === "NO_SUCH_CODE");
});

test("a batch takes calls and gives messages and outcomes", async () => {
  const batch = await executor.executeBatch([{ id: "1", name: "x", arguments: { a: 1 } }], {
    toolExecution: "sequential",
  });
  expectTypeOf(batch).toEqualTypeOf<BatchOutcome>();
  expectTypeOf(batchTerminates(batch.outcomes.map(({ result }) => result))).toEqualTypeOf<boolean>();
  // @ts-expect-error a call has an id
  await executor.executeBatch([{ name: "x" }]);
});

test("the small parts have their types", async () => {
  expectTypeOf(sumUsage({ input: 1 }, undefined)).toEqualTypeOf<Usage | undefined>();
  expectTypeOf(await withFileMutationQueue(["a", "b"], () => 5)).toEqualTypeOf<number>();
  expectTypeOf(await withFileMutationQueue("a", async () => "x")).toEqualTypeOf<string>();
  executor.on("tool_call", approvalGuard({ confirm: async ({ toolName }) => toolName === "x" }));
  executor.on("tool_call", budgetGuard({ maxUsage: { "cost.total": 1 } }));
  executor.on("tool_result", redactionGuard({ patterns: ["x"] }));
  // @ts-expect-error a guard of calls is no guard of results
  executor.on("tool_result", approvalGuard());
  // @ts-expect-error usage has numbers, not texts
  sumUsage({ input: "1" });
  // @ts-expect-error there is no such limit
  createExecutor({ limits: { maxdepth: 1 } });
  // @ts-expect-error there is no such option
  createExecutor({ toolExecutions: "parallel" });
});
