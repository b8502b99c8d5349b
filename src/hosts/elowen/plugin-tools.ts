// What one plugin registers. Nothing is in the registry before `register(ctx)` has finished; then all of it is, at once.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText } from "../../errors/text.js";
import type { Registry } from "../../registry/registry.js";
import type { RegisterOptions, Registration } from "../../registry/registry-entry.js";
import { closestNames } from "../../tools/closest-names.js";
import { withFields } from "../../tools/define-tool.js";
import { matchesName } from "../../tools/name-pattern.js";
import type { Exposure, Tool } from "../../tools/tool.js";
import { ownerText } from "../owners.js";
import { type CheckedManifest, EXTERNAL_FAMILY } from "./manifest.js";
import type { PluginLogger } from "./plugin-logger.js";
import { toTool } from "./to-tool.js";
import type { AnyToolDefinition } from "./tool-definition.js";

/** Where a tool is to be had; without options, everywhere. */
export interface RegisterToolOptions {
  /** The schema was written elsewhere, by an MCP server for instance: it is capped when it is declared. Default false. */
  readonly external?: boolean;
  /** Only sessions of this account have the tool. A number stands for its decimal digits. */
  readonly ownerUserId?: string | number;
  /** Only sessions with this project have the tool. A number stands for its decimal digits. */
  readonly projectId?: string | number;
  /** Only sessions of this platform have the tool. */
  readonly platform?: string;
}

interface CheckedOptions {
  readonly external: boolean;
  readonly ownerUserId?: string;
  readonly projectId?: string;
  readonly platform?: string;
}
/** What was taken in; the definition may change afterwards. */
interface Registered {
  readonly tool: Tool;
  readonly options: CheckedOptions;
}

const OPTIONS: readonly string[] = ["external", "ownerUserId", "projectId", "platform"];

export class PluginTools {
  readonly #registry: Registry;
  readonly #manifest: CheckedManifest;
  readonly #logger: PluginLogger;
  /** By name, in the order of registration; also those that another owner's tool keeps out. */
  readonly #tools = new Map<string, Registered>();
  readonly #outputShown = new Map<string, () => void>();
  #phase: "loading" | "live" | "failed" | "unloaded" = "loading";

  constructor(registry: Registry, manifest: CheckedManifest, logger: PluginLogger) {
    this.#registry = registry;
    this.#manifest = manifest;
    this.#logger = logger;
  }

  /** `ctx.registerTool` */
  register(definition: AnyToolDefinition, options: unknown): void {
    const tool = toTool(definition);
    const where = `${this.#called} ctx.registerTool("${tool.name}")`;
    const registered = { tool, options: checkOptions(where, options) };
    if (this.#phase === "loading") {
      this.#tools.set(tool.name, registered);
    } else if (this.#phase === "live") {
      this.#enter(tool.name, registered);
    } else {
      const why = this.#phase === "failed" ? "it was not loaded" : "it was unloaded";
      throw wrong(`${where} came too late: ${why}.`);
    }
  }

  /**
   * All or nothing.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` when `readOnlyTools` names a tool of another owner.
   */
  goLive(): void {
    for (const name of this.#manifest.readOnlyTools) this.#checkOwn(name);
    this.#phase = "live";
    for (const [name, registered] of [...this.#tools]) this.#enter(name, registered);
  }

  /** What was there already goes again. */
  fail(): void {
    this.#end("failed");
  }

  /** Hides every tool; the names stay the plugin's. */
  unload(): void {
    if (this.#phase === "live") this.#end("unloaded");
  }

  #end(phase: "failed" | "unloaded"): void {
    const wasLive = this.#phase === "live";
    this.#phase = phase; // first, so that nothing is added while the rest goes
    if (!wasLive) return;
    for (const stop of this.#outputShown.values()) stop();
    for (const [name, { tool, options }] of this.#tools) {
      if (this.#owns(name)) this.#register(tool, "hidden", options);
    }
  }

  #register(tool: Tool, exposure: Exposure, options: RegisterOptions): Registration {
    // It is the same tool otherwise, whatever its arguments are.
    const made = exposure === tool.exposure ? tool : (withFields(tool as Tool<never>, { exposure }) as unknown as Tool);
    return this.#registry.register(made, { ...options, owner: this.#manifest.name });
  }

  get #called(): string {
    return `Plugin "${shortenText(this.#manifest.name, 80)}":`;
  }

  #owns(name: string): boolean {
    return this.#registry.has(name) && this.#registry.getMetadata(name)?.owner === this.#manifest.name;
  }

  /** E32: an exact name is about the plugin's own tool. One that it registers and does not get is a collision instead. */
  #checkOwn(name: string): void {
    if (this.#tools.has(name) || !this.#registry.has(name) || this.#owns(name)) return;
    const whose = ownerText(this.#registry.getMetadata(name)?.owner);
    throw wrong(`${this.#called} manifest.provides.readOnlyTools names "${name}", which belongs to ${whose}.`);
  }

  #enter(name: string, registered: Registered): void {
    const { planSafe, deferLoading, showOutput } = this.#manifest;
    const { tool, options } = registered;
    const fits = (pattern: string) => matchesName(pattern, name);
    const isDeferred = tool.exposure !== "hidden" && deferLoading.some(fits);
    const registration = this.#register(tool, isDeferred ? "deferred" : tool.exposure, {
      ...options,
      planSafe: planSafe.includes(name),
      readOnly: this.#isReadOnly(name, options.external),
    });
    if (!registration.accepted) {
      this.#logger.warn(
        `the tool "${name}" is left out: ${ownerText(registration.collision.owner)} has a tool of this name`,
      );
      return;
    }
    this.#tools.set(name, registered);
    if (showOutput.some(fits) && !this.#outputShown.has(name)) {
      this.#outputShown.set(name, this.#registry.showOutput([name]));
    }
  }

  #isReadOnly(name: string, external: boolean): boolean {
    const { readOnlyTools } = this.#manifest;
    if (readOnlyTools.includes(name)) return true;
    return external && readOnlyTools.includes(EXTERNAL_FAMILY) && matchesName(EXTERNAL_FAMILY, name);
  }
}

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
function checkOptions(where: string, options: unknown = {}): CheckedOptions {
  if (typeof options !== "object" || options === null) {
    throw wrong(`${where} takes an object as its second argument; it got ${describeValue(options)}.`);
  }
  const unknown = Object.keys(options).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) {
    const [close] = closestNames(unknown, OPTIONS, 1);
    const hint = close === undefined ? `known are ${OPTIONS.join(", ")}` : `did you mean "${close}"?`;
    throw wrong(`${where} has no option "${shortenText(unknown, 60)}"; ${hint}`);
  }
  const given = options as { readonly [option: string]: unknown };
  const { external = false } = given;
  if (typeof external !== "boolean") {
    throw wrong(`${where}: external must be true or false, not ${describeValue(external)}.`);
  }
  const scope: Record<string, string> = {};
  for (const part of ["ownerUserId", "projectId", "platform"]) {
    const value = given[part];
    if (value === undefined) continue;
    const isId = typeof value === "string" ? value !== "" : part !== "platform" && Number.isSafeInteger(value);
    // `null` too: who has no account must not register for everybody.
    if (!isId) throw wrong(`${where}: ${part} must be an id, or left out, not ${describeValue(value)}.`);
    scope[part] = String(value);
  }
  return { external, ...scope };
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
