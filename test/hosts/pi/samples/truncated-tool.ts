// A tool whose output may be long: the model gets the beginning, a file has the whole, and the text names the file.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExtensionAPI, Type, withFileMutationQueue } from "nestcall/pi";

interface ListDetails {
  readonly total: number;
  readonly file?: string;
}

const MAX_LINES = 100;

export default function truncatedTool(pi: ExtensionAPI) {
  pi.registerTool({
    name: "list_numbers",
    label: "List numbers",
    description: `The numbers up to a limit, one a line. At most ${MAX_LINES} lines are shown; a file has all of them.`,
    annotations: { readOnlyHint: true, openWorldHint: false },
    parameters: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100_000 }) }),
    async execute(_id, { limit }) {
      const lines = Array.from({ length: limit }, (_, index) => String(index + 1));
      const details: ListDetails = { total: limit };
      if (lines.length <= MAX_LINES) return { content: [{ type: "text", text: lines.join("\n") }], details };
      const file = join(await mkdtemp(join(tmpdir(), "numbers-")), "output.txt");
      await withFileMutationQueue(file, () => writeFile(file, lines.join("\n")));
      const note = `[${MAX_LINES} of ${limit} lines; the complete output is in ${file}]`;
      const text = [...lines.slice(0, MAX_LINES), note].join("\n");
      return { content: [{ type: "text", text }], details: { ...details, file } };
    },
  });
}
