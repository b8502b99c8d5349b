// A list that is kept in memory, so its calls take turns, and how it looks.
import { type ExtensionAPI, Text, Type } from "nestcall/pi";

interface Todo {
  readonly text: string;
  readonly isDone: boolean;
}

export default function todoExtension(pi: ExtensionAPI) {
  let todos: readonly Todo[] = [];
  pi.registerTool({
    name: "todo",
    label: "Todo",
    description: "Adds to a list, or marks the item of a number as done. Without either it shows the list.",
    executionMode: "sequential",
    parameters: Type.Object({
      add: Type.Optional(Type.String()),
      done: Type.Optional(Type.Integer({ minimum: 1, description: "Counted from 1." })),
    }),
    async execute(_id, { add, done }) {
      if (done !== undefined && todos[done - 1] === undefined) throw new Error(`There is no item ${done}.`);
      if (add !== undefined) todos = [...todos, { text: add, isDone: false }];
      todos = todos.map((todo, index) => (index + 1 === done ? { ...todo, isDone: true } : todo));
      const lines = todos.map(({ text, isDone }, index) => `${index + 1}. [${isDone ? "x" : " "}] ${text}`);
      return { content: [{ type: "text", text: lines.join("\n") || "Nothing to do." }], details: { todos } };
    },
    renderCall: ({ add, done }, theme) =>
      new Text(theme.bold("todo ") + theme.fg("muted", add ?? (done === undefined ? "list" : `done ${done}`)), 0, 0),
    renderResult: ({ details }, { expanded }, theme) => {
      const open = details.todos.filter(({ isDone }) => !isDone);
      const lines = expanded ? open.map(({ text }) => `\n- ${text}`) : [];
      return new Text(theme.fg("success", `${open.length} to do`) + lines.join(""), 0, 0);
    },
  });
}
