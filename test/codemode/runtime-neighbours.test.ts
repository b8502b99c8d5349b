// What a script that cannot be interrupted does to others, and how a host keeps them apart.
import { createCodemodeRuntime } from "nestcall/codemode";
import { expect, test } from "vitest";
import { Lab, labRuntime } from "./lab.js";

/** One built-in that goes through a list without an end, and asks nobody on the way. */
const STUBBORN = "Array.prototype.reverse.call({ length: 2 ** 53 - 1 })";
const limits = { cpuMs: 200 };

async function besideStubborn(options: Parameters<typeof labRuntime>[0]) {
  const runtime = labRuntime({ limits, ...options });
  const lab = new Lab(runtime);
  try {
    const neighbour = lab.run("await tools.echo(1); return await tools.held();");
    await expect.poll(() => lab.seen.length).toBe(2);
    const stubborn = await lab.run(STUBBORN);
    lab.gate.open("held");
    return { stubborn, neighbour: await neighbour };
  } finally {
    await runtime.close();
  }
}

test("C4: a script in a built-in that cannot be interrupted ends at its limit, and those in its worker with it", async () => {
  const { stubborn, neighbour } = await besideStubborn({ workers: 1 });
  expect(stubborn).toMatchObject({ status: "limit", error: { limit: "cpu" } });
  expect(neighbour).toMatchObject({ status: "engine", calls: [{ status: "ok" }, { status: "unfinished" }] });
});

test("C4: with scriptsPerWorker: 1 it ends no other script", async () => {
  const { stubborn, neighbour } = await besideStubborn({ workers: 2, scriptsPerWorker: 1 });
  expect(stubborn).toMatchObject({ status: "limit", error: { limit: "cpu" } });
  expect(neighbour).toMatchObject({ status: "ok", value: "held" });
});

test("C4: what no worker has room for waits, and a script that a script runs does not", async () => {
  const runtime = labRuntime({ workers: 2, scriptsPerWorker: 1 });
  const lab = new Lab(runtime);
  const tools = { ...lab.tools, script: async () => (await lab.run("return 5;")).value };
  const first = lab.run("return await tools.held();", tools);
  const second = lab.run("return [await tools.script(), await tools.held()];", tools);
  const third = lab.run("await tools.echo(3); return 3;", tools, { limits: { queueMs: 60_000 } });
  await expect.poll(() => lab.seen.filter(({ name }) => name === "held").length).toBe(2);
  expect(lab.seen.some(({ name }) => name === "echo")).toBe(false);
  lab.gate.open("held");
  const values = (await Promise.all([first, second, third])).map(({ value }) => value);
  expect(values).toEqual(["held", [5, "held"], 3]);
  await runtime.close();
});

test.each([0, 1.5, "2", Number.NaN])("scriptsPerWorker: %j is refused", (scriptsPerWorker) => {
  const refused = { code: "INVALID_ARGUMENTS", message: expect.stringContaining("scriptsPerWorker") };
  const create = () => createCodemodeRuntime({ scriptsPerWorker: scriptsPerWorker as number });
  expect(create).toThrow(expect.objectContaining(refused));
});
