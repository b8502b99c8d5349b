import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText } from "../errors/text.js";
import { CrossProcessQueue } from "./cross-process-queue.js";
import { type FileMutationOptions, FileMutationQueue } from "./file-mutation-queue.js";

/** A queue of one's own, apart from the process-wide one; also what `createExecutor({ mutationQueue })` takes. */
export interface MutationQueue {
  /** As the free function of this name, in this queue. */
  readonly withFileMutationQueue: <T>(
    path: string | readonly string[],
    fn: () => T | Promise<T>,
    options?: FileMutationOptions,
  ) => Promise<T>;
}

export interface FileMutationQueueOptions {
  /** Also exclude other processes of this user on this machine (F9); needs `fs-native-extensions`. Default: false. */
  readonly crossProcess?: boolean;
}

const queues = new WeakMap<object, FileMutationQueue>();
const processWide = new FileMutationQueue();

/**
 * Runs `fn` while no other holder has any of the files; others wait in call order (F1).
 *
 * @param path - One path or several, absolute or relative to the working directory of this moment. Every spelling of a
 *   file is the same file (F2). Several are taken together (F4); an empty list runs at once.
 * @param fn - Called at most once, never before this function has returned, and never if `signal` aborts before its turn.
 * @returns What `fn` returned.
 * @throws NestcallError `DEADLOCK` when the wait would close a cycle; the message names it (F6).
 * @throws NestcallError `INVALID_ARGUMENTS` when `fn` or `signal` is of the wrong kind.
 * @throws Node's own error for a path that cannot be a file (F10), and the signal's reason after an abort (F7).
 * @throws What `fn` throws, unchanged; the next holder runs all the same.
 * @see POSIX `realpath`, for what makes two paths one file.
 */
export function withFileMutationQueue<T>(
  path: string | readonly string[],
  fn: () => T | Promise<T>,
  options?: FileMutationOptions,
): Promise<T> {
  return processWide.run(path, fn, options);
}

/**
 * A queue whose turns are its own: holding a file here gives no right in another queue, and excludes nobody there.
 *
 * With `crossProcess` its turns also exclude every other such queue on this machine, in this process and in others of the
 * same user, by locks that the system releases when their holder dies (F9). Lock files are kept in a folder of the user
 * below `/tmp` (Windows: `AppData\Local`), never beside the files. Order and cycles between such queues are not promised.
 * It needs the optional package `fs-native-extensions`, which is loaded at the first use; without it every use with files
 * rejects with `INVALID_ARGUMENTS`.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for an option that is not known or no boolean.
 */
export function createFileMutationQueue(options: FileMutationQueueOptions = {}): MutationQueue {
  if (typeof options !== "object" || options === null) {
    const message = `createFileMutationQueue takes an options object; it got ${describeValue(options)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const unknown = Object.keys(options).find((name) => name !== "crossProcess");
  if (unknown !== undefined) {
    const message = `createFileMutationQueue has no option "${shortenText(unknown, 60)}"; known is crossProcess.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const { crossProcess = false } = options;
  if (typeof crossProcess !== "boolean") {
    const message = `createFileMutationQueue takes true or false as options.crossProcess; it got ${describeValue(crossProcess)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const queue = crossProcess ? new CrossProcessQueue() : new FileMutationQueue();
  const handle: MutationQueue = Object.freeze({
    withFileMutationQueue: <T>(
      path: string | readonly string[],
      fn: () => T | Promise<T>,
      fnOptions?: FileMutationOptions,
    ): Promise<T> => queue.run(path, fn, fnOptions),
  });
  queues.set(handle, queue);
  return handle;
}

/** The queue behind a handle; the process-wide one for none, `undefined` for what is no handle. */
export function queueOf(handle: unknown): FileMutationQueue | undefined {
  if (handle === undefined) return processWide;
  return typeof handle === "object" && handle !== null ? queues.get(handle) : undefined;
}
