// The documents' sample: every constraint that a schema may carry, and a default that is the executor's affair (A31).
import { blankToAbsent, defineTool, Type } from "nestcall/agntn";

export const issueInput = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200, description: "One line, no full stop." }),
    project: Type.String({ pattern: "^[a-z][a-z0-9-]*$", description: "The project's short name: lowercase, dashes." }),
    priority: Type.Optional(Type.Enum(["low", "normal", "high"], { description: 'Default: "normal".' })),
    note: Type.Optional(Type.String({ description: "Text for the first comment; blank means none." })),
  },
  { additionalProperties: false },
);

export const issueCreate = defineTool({
  name: "tracker_create_issue",
  title: "Create issue",
  description: "Creates an issue in a project of the tracker and gives its number. It does not look for duplicates.",
  snippet: "Create an issue in the tracker",
  guidelines: ["Search for duplicates before you create an issue."],
  effect: "write",
  openWorld: true,
  input: issueInput,
  async execute({ title, project, priority = "normal", note }, { signal }) {
    signal.throwIfAborted();
    const comment = blankToAbsent(note);
    if (project === "archive") {
      return {
        content: [{ type: "text", text: 'The project "archive" is closed. Choose another one.' }],
        details: { reason: "closed" },
        isError: true,
      };
    }
    const issue = { number: 7, title, project, priority, comments: comment === undefined ? 0 : 1 };
    return { content: [{ type: "text", text: `Created #7 in ${project}, priority ${priority}.` }], details: issue };
  },
});
