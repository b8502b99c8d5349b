// A promise of a tool file that nobody handles. The gateway has other clients and calls: it says so and goes on.
import { safeLine } from "../errors/safe-text.js";
import { shortenText, thrownText } from "../errors/text.js";
import { EXIT } from "./exit.js";

const MAX_CHARS = 1_000;

export function watchRejections(command: string): void {
  const isServing = command === "mcp";
  process.on("unhandledRejection", (error) => {
    const end = isServing ? "the gateway goes on" : "the command ends, as Node.js does";
    const what = shortenText(safeLine(thrownText(error)), MAX_CHARS);
    process.stderr.write(`A promise was rejected and nobody handled it, likely of a tool file; ${end}: ${what}\n`);
    if (!isServing) process.exit(EXIT.failed);
  });
}
