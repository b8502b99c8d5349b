import type { Refusal } from "./http-guard.js";
import { jsonRpcError } from "./json-rpc-error.js";

export function refused({ status, message }: Refusal): Response {
  const challenge = status === 401 ? { "www-authenticate": "Bearer" } : undefined;
  return jsonRpcError(status, -32_000, message, { connection: "close", ...challenge });
}
