// Scripts that need approvals over MCP (8.1): parked and taken up again, never run from the start, and not hurried by a limit.
import { createCodemodeRuntime, createCodemodeTool } from "nestcall/codemode";
import { expect, onTestFinished, test, vi } from "vitest";
import { tool } from "../../../helpers/engine.js";
import { type Answerer, answerText, ERAS, guarded, served, yes } from "./served.js";

vi.setConfig({ testTimeout: 20_000 });

function scripted(limits: object = {}) {
  const ran: string[] = [];
  const make = (name: string, effect: string) =>
    tool(name, (args) => (ran.push(`${name} ${JSON.stringify(args)}`), `${name} ran`), { effect });
  const tools = [make("look", "read"), make("write", "write"), make("wipe", "destructive")];
  const { executor, approvals } = guarded(tools, {}, { allow: ["codemode"] });
  const runtime = createCodemodeRuntime({ limits });
  onTestFinished(() => runtime.close());
  executor.registry.register(createCodemodeTool({ runtime, executor }) as never);
  return { executor, approvals, ran };
}

test.each(ERAS)("8.1: %s: two approvals in one script, one after the other and then two at once", async (era) => {
  const { executor, approvals, ran } = scripted();
  const asked: string[] = [];
  const onElicit: Answerer = ({ message }) => (asked.push(/tool (\w+)/.exec(message)?.[1] ?? ""), yes());
  const { client } = await served(executor, { era, approvals, onElicit });
  const code = `
    const seen = [];
    seen.push(await tools.look({ at: 1 }));
    seen.push(await tools.write({ to: "a" }));
    seen.push(...(await Promise.all([tools.wipe({ what: "b" }), tools.look({ at: 2 }), tools.write({ to: "c" })])));
    return seen.join(", ");`;
  const answer = await client.call("codemode", { code });
  expect(answerText(answer)).toBe("look ran, write ran, wipe ran, look ran, write ran");
  expect(ran.toSorted()).toEqual([
    'look {"at":1}',
    'look {"at":2}',
    'wipe {"what":"b"}',
    'write {"to":"a"}',
    'write {"to":"c"}',
  ]);
  expect(asked.toSorted()).toEqual(["wipe", "write", "write"]);
  expect(answer._meta?.["dev.nestcall/record"]).toMatchObject({ complete: true, calls: { length: 5 } });
});

test.each(ERAS)("8.1: %s: a refusal is an error that the script can catch", async (era) => {
  const { executor, approvals, ran } = scripted();
  const { client } = await served(executor, { era, approvals, onElicit: () => ({ action: "decline" }) });
  const code = "try { await tools.wipe({}) } catch (error) { return error.code + ': ' + error.message }";
  expect(answerText(await client.call("codemode", { code }))).toBe(
    `BLOCKED: wipe was not approved (no rule fits, and the tool does not claim to be read-only). To allow it without asking, add "wipe" to policy.allow.`,
  );
  expect(ran).toEqual([]);
});

test.each(ERAS)("8.1: %s: the script's own limit of time stands still while a person is asked", async (era) => {
  const { executor, approvals, ran } = scripted({ wallMs: 300 });
  const slowly: Answerer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 900));
    return yes();
  };
  const { client } = await served(executor, { era, approvals, onElicit: slowly });
  expect(answerText(await client.call("codemode", { code: "return await tools.wipe({})" }))).toBe("wipe ran");
  expect(ran).toEqual(["wipe {}"]);
});
