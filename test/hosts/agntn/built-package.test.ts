// Rows A16, A17, A19 of the package as it is built: hosts that replace the bare name `typebox` cannot reach into it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt, root } from "../../examples/built.js";
import { runNode } from "../../examples/run.js";

beforeAll(() => ensureBuilt(), 120_000);

/** The files of the package that name `typebox` itself, not one of its entries. */
async function bareImports(ending: string): Promise<readonly string[]> {
  const names = (await readdir(join(root, "dist"), { recursive: true })).filter((name) => name.endsWith(ending));
  expect(names.length).toBeGreaterThan(50);
  const isBare = async (name: string) =>
    /(?:from|import|require)\s*\(?\s*["']typebox["']/.test(await readFile(join(root, "dist", name), "utf8"));
  const bare = await Promise.all(names.map(async (name) => ((await isBare(name)) ? [name] : [])));
  return bare.flat();
}

test("A16: no module of the built package imports typebox by its bare name", async () => {
  expect(await bareImports(".js")).toEqual([]);
});

test("A19: no declaration of the built package refers to typebox by its bare name", async () => {
  expect(await bareImports(".d.ts")).toEqual([]);
});

const SCRIPT = `
import { createExecutor } from "nestcall";
import { defineTool, Type } from "nestcall/agntn";
import { Type as Facade } from "typebox";

const definition = { name: "t", title: "T", description: "d", effect: "read", execute: () => ({ content: [], details: {} }) };
const input = Type.Object({ n: Type.Integer() }, { additionalProperties: false });
const executor = createExecutor({ tools: [defineTool({ ...definition, input })] });
const ends = [{ n: 1 }, { n: "x" }, {}].map(async (args) => (await executor.executeTool("t", args)).status);
console.log((await Promise.all(ends)).join(" "));
for (const schema of [Facade.Object({}), Type.Object({ n: Facade.String() }, { additionalProperties: false })]) {
  try {
    defineTool({ ...definition, input: schema });
    console.log("accepted");
  } catch (error) {
    console.log(error.code, error.message.includes('Type from "nestcall/agntn"'));
  }
}
`;

test("A17: in a host that replaces typebox our own Type still checks, and what the host's made is refused", async () => {
  const host = fileURLToPath(new URL("./facade-of-typebox.mjs", import.meta.url));
  const { exitCode, stdout, stderr } = await runNode(["--import", host, "--input-type=module", "--eval", SCRIPT], {
    cwd: root,
  });
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: "ok error error\nINVALID_TOOL true\nINVALID_TOOL true\n",
    stderr: "",
  });
});
