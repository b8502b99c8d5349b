// Globs of the searching tools: what they mean, and what is wrong with one.
import picomatch from "picomatch";
import { withTimeLimit } from "./time-guard.js";

/** An entry below the folder that is searched. */
export interface GlobSubject {
  /** From that folder on, with `/` between the names. */
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}
export type Glob = (subject: GlobSubject) => boolean;
export type GlobAnswer =
  | { readonly kind: "glob"; readonly matches: Glob }
  /** Half a sentence. */
  | { readonly kind: "bad"; readonly reason: string };

/**
 * Without a `/` the glob is about names, at any depth; with one it is about the whole path below the searched folder.
 * A `/` at the end means folders only. Names that begin with a dot are like others.
 */
export function compileGlob(glob: string): GlobAnswer {
  const text = glob.replace(/^(?:\.\/)+/, "");
  if (text.startsWith("/"))
    return { kind: "bad", reason: "it must not begin with /: it is about paths below the folder" };
  if (text.split("/").includes(".."))
    return { kind: "bad", reason: "it must not have .. in it; give the folder as path" };
  const isFolderOnly = text.endsWith("/");
  const pattern = text.replace(/\/+$/, "");
  const isAboutPath = pattern.includes("/");
  try {
    // `debug` makes it throw; else an expression that does not compile would match nothing, without a word.
    const compiled = withTimeLimit(() => picomatch(pattern, { dot: true, debug: true }));
    if (compiled.kind === "too slow") return { kind: "bad", reason: "it is too complicated" };
    const matches: Glob = ({ path, name, isFolder }) =>
      (isFolder || !isFolderOnly) && compiled.value(isAboutPath ? path : name);
    return { kind: "glob", matches };
  } catch (error) {
    return { kind: "bad", reason: `it cannot be read (${(error as Error).message})` }; // picomatch throws errors only
  }
}
