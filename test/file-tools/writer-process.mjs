// Writes or edits one file over and over until it is killed. Arguments: compiled file tools and engine, tool, path, size.
import { dirname } from "node:path";

const [root, tool, path, size] = process.argv.slice(2);
const { createExecutor } = await import(`${root}/index.js`);
const { createFileTools } = await import(`${root}/file-tools/index.js`);
const executor = createExecutor({ tools: Object.values(createFileTools({ cwd: dirname(path) })) });
const line = (letter) => `${letter.repeat(65_535)}\n`;

process.send("ready");
for (let round = 0; ; round += 1) {
  const [from, to] = round % 2 === 0 ? ["a", "b"] : ["b", "a"];
  const args =
    tool === "write"
      ? { path, content: line(to).repeat(Number(size) / 65_536) }
      : { path, edits: [{ oldText: line(from), newText: line(to), replaceAll: true }] };
  const { isError, result } = await executor.executeTool(tool, args);
  if (isError) throw new Error(JSON.stringify(result.content));
}
