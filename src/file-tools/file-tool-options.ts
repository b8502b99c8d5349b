// What `createFileTools` takes, checked, with the defaults set once (DESIGN 6).
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText } from "../errors/text.js";
import { closestNames } from "../tools/closest-names.js";

/** What `createFileTools` takes. */
export interface FileToolsOptions {
  /** The folder that relative paths are relative to; `bash` starts there. Give the executor the same one. */
  readonly cwd: string;
  /**
   * Folders that the tools may use, absolute or relative to `cwd`; what resolves outside every one of them, through
   * symlinks too, is refused. Without it nothing is refused. `bash` is not confined by it.
   */
  readonly roots?: readonly string[] | undefined;
  /** `read` leaves out the tools that can change something: `write`, `edit` and `bash`. Default `write`: all tools. */
  readonly access?: "read" | "write" | undefined;
  /**
   * Where complete outputs go that were too long for the model; the reading tools may look there whatever `roots` says.
   * Made when it is first needed, for this user only. Default: a new name in the system's temporary folder.
   */
  readonly outputFolder?: string | undefined;
  /**
   * The environment of `bash`: that of this process, secrets included (`inherit`, the default), or exactly these
   * variables. Give PATH among them: without it the shell uses one of its own, which may contain the working folder.
   */
  readonly env?: "inherit" | Readonly<Record<string, string>> | undefined;
}

/** The same, checked: what every file tool is made from. */
export interface FileToolOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; links in them are not resolved yet. `undefined`: not confined. Never empty. */
  readonly roots: readonly string[] | undefined;
  readonly access: "read" | "write";
  /** Absolute. May not exist yet; make it with mode 0700. */
  readonly outputFolder: string;
  readonly env: "inherit" | Readonly<Record<string, string>>;
}

const OPTION_NAMES = ["cwd", "roots", "access", "outputFolder", "env"] as const;

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function checkFileToolOptions(given: FileToolsOptions): FileToolOptions {
  if (typeof given !== "object" || given === null) throw wrong("options", given, "an object");
  checkNames(given);
  const { access = "write", env = "inherit", outputFolder, roots } = given;
  const cwd = resolve(pathOf("options.cwd", given.cwd));
  if (access !== "read" && access !== "write") throw wrong("options.access", access, '"read" or "write"');
  if (roots !== undefined && (!Array.isArray(roots) || roots.length === 0)) {
    throw wrong("options.roots", roots, "a list of at least one folder"); // an empty list reads as "all" and as "none"
  }
  return Object.freeze({
    cwd,
    roots: roots?.map((root: unknown, index) => resolve(cwd, pathOf(`options.roots[${index}]`, root))),
    access,
    outputFolder:
      outputFolder === undefined
        ? join(tmpdir(), `nestcall-${randomBytes(8).toString("hex")}`) // a name that nobody can have taken before us
        : resolve(cwd, pathOf("options.outputFolder", outputFolder)),
    env: environmentOf(env),
  });
}

function pathOf(where: string, value: unknown): string {
  const isPath = typeof value === "string" && value !== "" && !value.includes("\0");
  if (!isPath) throw wrong(where, value, "the path of a folder");
  return value;
}

function environmentOf(env: unknown): FileToolOptions["env"] {
  if (env === "inherit") return env;
  if (typeof env !== "object" || env === null || Array.isArray(env)) {
    throw wrong("options.env", env, '"inherit" or an object of texts');
  }
  for (const [name, value] of Object.entries(env)) {
    if (typeof value !== "string" || value.includes("\0")) {
      throw wrong(`options.env.${shortenText(name, 60)}`, value, "a text without NUL");
    }
  }
  return Object.freeze({ ...(env as Record<string, string>) }); // every value was checked to be a text
}

function checkNames(given: object): void {
  for (const name of Object.keys(given)) {
    if ((OPTION_NAMES as readonly string[]).includes(name)) continue;
    const [close] = closestNames(name, OPTION_NAMES, 1);
    const hint = close === undefined ? `known are ${OPTION_NAMES.join(", ")}` : `did you mean "${close}"?`;
    const message = `createFileTools: options has no "${shortenText(name, 60)}"; ${hint}`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  // A value of the environment may be a secret: its kind is enough.
  const shown =
    where.startsWith("options.env.") && typeof value === "string" ? "a string with NUL" : describeValue(value);
  const message = `createFileTools: ${where} must be ${wanted}, not ${shown}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
