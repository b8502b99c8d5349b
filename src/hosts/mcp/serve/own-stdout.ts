// stdout belongs to the protocol while it is served: whatever else of this process writes there would break it.
import { Writable } from "node:stream";

type Write = typeof process.stdout.write;

export interface OwnStdout {
  /** Really writes to stdout. */
  readonly write: Write;
  readonly stream: Writable;
  /** Gives stdout back. */
  release(): void;
}

/** What `stdout.write` was before; a second owner writes by it as well, and the first one gives stdout back. */
let original: Write | undefined;

/** Sends what others write to stdout to stderr, `console.log` too. */
export function ownStdout(): OwnStdout {
  const { stdout, stderr } = process;
  const isFirst = original === undefined;
  const write = original ?? (stdout.write.bind(stdout) as Write);
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, encoding, done) => {
      write(chunk as string, encoding, (error) => done(error ?? null));
    },
  });
  // A client that is gone is no reason to crash: the stream reports it.
  const ignore = () => {};
  stdout.on("error", ignore);
  if (!isFirst) return { write, stream, release: ignore };
  const before = stdout.write;
  const toStderr = ((...args: Parameters<Write>) => stderr.write(...args)) as Write;
  original = write;
  stdout.write = toStderr;
  const release = () => {
    original = undefined;
    if (stdout.write === toStderr) stdout.write = before;
  };
  return { write, stream, release };
}
