import type { Cli } from "../cli.js";
export async function guard(_args: readonly string[], _cli: Cli): Promise<number> {
  return 1;
}
