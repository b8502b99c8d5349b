// A tool that reads a file, changes it and writes it, all of it in the file's queue.
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { defineTool, Type, withFileMutationQueue } from "nestcall/pi";

export const appendLine = defineTool({
  name: "append_line",
  label: "Append line",
  description: "Adds a numbered line to a file.",
  parameters: Type.Object({ path: Type.String(), text: Type.String() }),
  async execute(_id, { path, text }, _signal, _onUpdate, ctx) {
    const file = resolve(ctx.cwd, path);
    return withFileMutationQueue(file, async () => {
      const before = await readFile(file, "utf8").catch(() => "");
      const number = before.split("\n").length;
      await writeFile(file, `${before}${number} ${text}\n`);
      return { content: [{ type: "text", text: `line ${number}` }], details: { number } };
    });
  },
});
