// The reading end of a command's pipe.
import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

export class PipeReader {
  /** Resolves when every writer has closed its end, or `close` was called. Never rejects. */
  readonly ended: Promise<void>;
  readonly #fd: number;
  readonly #socket: Socket;
  #behind: Promise<void> | undefined;

  /**
   * @param fd - Belongs to the reader from now on.
   * @param onData - Gives a promise, which never rejects, when it cannot take more yet.
   */
  constructor(fd: number, onData: (chunk: Buffer) => Promise<void> | undefined) {
    this.#fd = fd;
    this.#socket = new Socket({ fd, readable: true, writable: false });
    this.ended = new Promise((resolve) => this.#socket.once("close", () => resolve()));
    this.#socket.on("error", () => {}); // "close" follows; what has been read stays
    this.#socket.on("data", (chunk: Buffer) => {
      this.#behind = onData(chunk);
      if (this.#behind === undefined) return;
      this.#socket.pause();
      void this.#behind.then(() => this.#socket.resume());
    });
  }

  /** Reads what is there now, and stops. Resolves to whether somebody could still write. */
  async close(): Promise<boolean> {
    // After a time during which the event loop stood still, timers run before what was written then has been read.
    for (let turns = 0; turns < 2 && !this.#socket.destroyed; turns += 1) {
      await turn();
      await this.#behind;
    }
    const isOpen = !this.#socket.destroyed && !this.#socket.readableEnded;
    this.#socket.removeAllListeners("data").pause();
    if (isOpen) pourAway(this.#fd);
    this.#socket.destroy();
    await this.ended;
    return isOpen;
  }
}

/** A server that was started in the background would die of its next line if nobody read the pipe any more. */
function pourAway(fd: number): void {
  const sink = spawn("cat", [], { stdio: [fd, "ignore", "ignore"], cwd: "/", detached: true });
  sink.on("error", () => {});
  sink.unref();
}
