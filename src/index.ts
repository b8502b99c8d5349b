export { type Static, Type } from "typebox";
export { ErrorCode } from "./errors/error-code.js";
export { NestcallError } from "./errors/nestcall-error.js";
export { createFileMutationQueue, withFileMutationQueue } from "./mutation-queue/with-file-mutation-queue.js";
