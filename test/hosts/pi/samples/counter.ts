// A tool with memory that two calls at a time would spoil: it reads, waits, and writes.
import { setImmediate as turn } from "node:timers/promises";
import { defineTool, Type } from "nestcall/pi";

export function createCounter() {
  let [count, running, most] = [0, 0, 0];
  return defineTool({
    name: "count_up",
    label: "Count up",
    description: "Adds one.",
    executionMode: "sequential",
    parameters: Type.Object({}),
    async execute() {
      running += 1;
      most = Math.max(most, running);
      const before = count;
      await turn();
      count = before + 1;
      running -= 1;
      return { content: [{ type: "text", text: String(count) }], details: { count, most } };
    },
  });
}
