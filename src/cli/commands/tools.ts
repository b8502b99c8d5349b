import type { Cli } from "../cli.js";
export async function tools(_args: readonly string[], _cli: Cli): Promise<number> {
  return 1;
}
