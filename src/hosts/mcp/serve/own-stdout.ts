// stdout belongs to the protocol while it is served: whatever else of this process writes there would break it.
import { Writable } from "node:stream";

type Write = typeof process.stdout.write;

export interface OwnStdout {
  /** What really writes to stdout. */
  readonly stream: Writable;
  /** Gives stdout back. */
  release(): void;
}

/** Sends what others write to stdout to stderr, `console.log` too. */
export function ownStdout(): OwnStdout {
  const { stdout, stderr } = process;
  const { write } = stdout;
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, encoding, done) => {
      write.call(stdout, chunk as string, encoding, (error) => done(error ?? null));
    },
  });
  // A client that is gone is no reason to crash: the stream reports it.
  const ignore = () => {};
  stdout.on("error", ignore);
  const toStderr = ((...args: Parameters<Write>) => stderr.write(...args)) as Write;
  stdout.write = toStderr;
  const release = () => {
    if (stdout.write === toStderr) stdout.write = write;
  };
  return { stream, release };
}
