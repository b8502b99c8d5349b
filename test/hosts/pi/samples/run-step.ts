// Runs one program of a check. A program that fails, or prints too much, is data.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface StepResult {
  readonly output: string;
  readonly exit_code: number;
}

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 1024 * 1024;

export async function runStep(command: string, args: readonly string[]): Promise<StepResult> {
  try {
    const { stdout, stderr } = await execute(command, args, { maxBuffer: MAX_OUTPUT_BYTES });
    return { output: stdout + stderr, exit_code: 0 };
  } catch (error) {
    const { stdout = "", stderr = "", code } = error as { stdout?: string; stderr?: string; code?: unknown };
    return { output: stdout + stderr, exit_code: typeof code === "number" ? code : 1 };
  }
}
