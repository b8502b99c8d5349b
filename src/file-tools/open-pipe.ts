// One real pipe for both streams of a command. Node's own `stdio: "pipe"` makes a socket per stream: the order between
// the two is lost, and on Linux `echo x > /dev/stderr` fails, since a socket cannot be opened again by name. Node has
// no call for a pipe, but a FIFO that was opened at both ends and unlinked is one.
import { execFile } from "node:child_process";
import { close, constants, open } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Two file descriptors; whoever has them closes them. */
export interface Pipe {
  readonly readFd: number;
  readonly writeFd: number;
}

const openFd = promisify(open);
export const closeFd = promisify(close);
const runProgram = promisify(execFile);

/** Gives a pipe that has no name any more, so that nobody else can open it. */
export async function openPipe(): Promise<Pipe> {
  const folder = await mkdtemp(join(tmpdir(), "nestcall-pipe-")); // mode 0700
  try {
    const path = join(folder, "pipe");
    await runProgram("mkfifo", ["-m", "600", path]);
    // Without O_NONBLOCK each end would wait for the other, in a thread that file operations of the host need.
    const readFd = await openFd(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { readFd, writeFd: await openFd(path, constants.O_WRONLY | constants.O_NONBLOCK) };
    } catch (error) {
      await closeFd(readFd);
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
