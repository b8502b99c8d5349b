// The short form of MCP's hints, and what a missing hint means.
import type { ToolAnnotations } from "./tool.js";

export type Effect = "read" | "write" | "destructive";

export interface EffectOptions {
  /** Default `effect === "read"`. */
  readonly idempotent?: boolean | undefined;
  /** Default false. */
  readonly openWorld?: boolean | undefined;
}

/** The four hints with nothing left open. */
export interface ResolvedHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Writes out `effect`, `idempotent` and `openWorld` as annotations. */
export function annotationsOfEffect(effect: Effect, options: EffectOptions = {}): ToolAnnotations {
  const idempotentHint = options.idempotent ?? effect === "read";
  const openWorldHint = options.openWorld ?? false;
  if (effect === "read") return { readOnlyHint: true, idempotentHint, openWorldHint };
  return { readOnlyHint: false, destructiveHint: effect === "destructive", idempotentHint, openWorldHint };
}

/**
 * The hints with MCP's defaults for those that are missing: not read-only, destructive, not idempotent, open world.
 * A read-only tool is never destructive.
 *
 * @see MCP 2025-06-18, `ToolAnnotations`.
 */
export function resolveHints(annotations: ToolAnnotations): ResolvedHints {
  const readOnlyHint = annotations.readOnlyHint ?? false;
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && (annotations.destructiveHint ?? true),
    idempotentHint: annotations.idempotentHint ?? false,
    openWorldHint: annotations.openWorldHint ?? true,
  };
}
