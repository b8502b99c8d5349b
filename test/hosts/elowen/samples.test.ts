// The samples run as they are written; the types of their imports are checked by `npm run types`.
import { createExecutor } from "nestcall";
import { loadPlugin } from "nestcall/elowen";
import { expect, test } from "vitest";
import { listLogger } from "../../helpers/elowen.js";
import { textOf } from "../../helpers/engine.js";
import * as notes from "./samples/notes.js";

test("the notes plugin: scoped, plan-safe, deferred and shown as its manifest says", async () => {
  const executor = createExecutor();
  const { logger, logged } = listLogger();
  const loaded = await loadPlugin(notes, { executor, logger });
  const session = executor.registry.forSession({ platform: "web", userId: "u1" });
  expect(loaded.report()).toMatchObject({ declaredNotRegistered: [], registeredNotDeclared: [], withoutEffect: [] });
  expect(executor.registry.getActiveTools()).toEqual(["NoteRead"]);
  expect(session.getActiveTools()).toEqual(["NoteRead", "NoteWrite"]);
  expect(executor.registry.getMetadata("NoteList")).toMatchObject({ planSafe: true, readOnly: true });
  const call = async (name: string, args: object) =>
    textOf(await executor.executeTool(name, args, { session, toolCallId: "c" }));
  expect(await call("NoteWrite", { title: "a", body: "b" })).toBe("Written for u1.");
  expect(await call("NoteRead", { title: "a" })).toBe("b");
  expect(await call("NoteRead", { title: "z" })).toBe('There is no note "z".');
  expect(await call("NoteList", {})).toBe("todo\na");
  expect(logged).toEqual(["info [notes] note written in c for u1"]);
  const planning = executor.registry.forSession({ platform: "web", planMode: true });
  const refused = await executor.executeTool("NoteWrite", { title: "a", body: "c" }, { session: planning });
  expect(textOf(refused)).toMatch(/not available in plan mode/);
});
