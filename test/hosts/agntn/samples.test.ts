// The samples run as they are written; the types of their imports are checked by `npm run types`.
import { createExecutor } from "nestcall";
import { expect, test } from "vitest";
import { endOf, textOf } from "../../helpers/engine.js";
import { dicePicture, diceRoll } from "./samples/dice-roll.js";
import { issueCreate, issueInput } from "./samples/issue-create.js";
import { lastWeek, reportBuild } from "./samples/report-build.js";

test("the samples run side by side in one executor, and are asked for by their names", async () => {
  const executor = createExecutor({ tools: [issueCreate, reportBuild, diceRoll, dicePicture] });
  const call = async (name: string, args: object = {}) => textOf(await executor.executeTool(name, args));
  expect(await call("tracker_create_issue", { title: "Fix it", project: "web" })).toBe(
    "Created #7 in web, priority normal.",
  );
  expect(await call("report_build", lastWeek)).toBe("A report of 7 days.");
  expect(await call("dice_roll", { _: "" })).toBe("It shows 4.");
  const picture = await executor.executeTool(dicePicture, { side: 2 });
  expect(picture.result).toMatchObject({ content: [{ type: "image", mimeType: "image/png" }], details: { side: 2 } });
});

test("A31: the constraints of the sample hold, its default is the executor's, and its schema is told unchanged", async () => {
  const executor = createExecutor({ tools: [issueCreate] });
  const call = (args: object) => executor.executeTool("tracker_create_issue", { title: "t", project: "web", ...args });
  for (const args of [
    { title: "" },
    { title: "x".repeat(201) },
    { project: "Web" },
    { priority: "urgent" },
    { Note: "" },
  ]) {
    expect([args, endOf(await call(args))]).toEqual([args, "INVALID_ARGUMENTS"]);
  }
  expect((await call({ title: "x".repeat(200), note: "  " })).result.details).toMatchObject({
    priority: "normal",
    comments: 0,
  });
  const refused = await call({ project: "archive" });
  expect([endOf(refused), refused.result.details]).toEqual(["TOOL_FAILED", { reason: "closed" }]);
  const [declaration] = executor.registry.declarations();
  expect(declaration?.inputSchema).toBe(issueInput);
  expect(executor.registry.getAllTools()[0]?.inputSchema).toBe(issueInput);
});
