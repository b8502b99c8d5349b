// Which files a search leaves out: what git would ignore, by the `.gitignore` of every folder from the top of the
// repository down. Nearer files win; a folder that has a `.git` begins anew.
import { access, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { openRegularFile } from "./regular-file.js";
import { withTimeLimit } from "./time-guard.js";

const FILE_NAME = ".gitignore";
/** A larger one is no list of patterns that anybody wrote. */
const MAX_BYTES = 1_024 * 1_024;

interface Layer {
  readonly folder: string;
  readonly rules: Ignore;
}

/** The rules that hold in one folder. Never changes; a folder below has rules of its own. */
export class IgnoreRules {
  static readonly none = new IgnoreRules([]);
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /**
   * @param folder - Absolute, no link in it.
   * @param names - Of its entries.
   */
  async inside(folder: string, names: readonly string[]): Promise<IgnoreRules> {
    if (names.includes(".git") && !names.includes(FILE_NAME)) return IgnoreRules.none;
    const above = names.includes(".git") ? [] : this.#layersInside(folder);
    const text = names.includes(FILE_NAME) ? await readRules(join(folder, FILE_NAME)) : undefined;
    if (text === undefined) return above === this.#layers ? this : new IgnoreRules(above);
    const rules = ignore(OPTIONS);
    return new IgnoreRules([...above, { folder, rules: rules.add(text) }]);
  }

  /** @param path - Absolute, in the folder that these rules are for. */
  ignore(path: string, isFolder: boolean): boolean {
    for (const layer of this.#layers.toReversed()) {
      const { ignored, unignored } = layer.rules.test(pathBelow(layer, path, isFolder));
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /** A layer asks for the folders above a path too: what a nearer one has let through must not count there any more. */
  #layersInside(folder: string): readonly Layer[] {
    const inner = this.#layers.map((layer) => {
      const path = pathBelow(layer, folder, true);
      const answer = withTimeLimit(() => layer.rules.test(path).ignored);
      const mayHide = answer.kind === "too slow" || answer.value;
      return mayHide
        ? {
            ...layer,
            rules: ignore(OPTIONS)
              .add(layer.rules)
              .add(`!/${escapePattern(path)}`),
          }
        : layer;
    });
    return inner.some((layer, index) => layer !== this.#layers[index]) ? inner : this.#layers;
  }
}

const OPTIONS = { ignorecase: process.platform === "darwin" || process.platform === "win32" };

function pathBelow({ folder }: Layer, path: string, isFolder: boolean): string {
  const below = path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1).replaceAll(sep, "/");
  return isFolder ? `${below}/` : below;
}

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\] ]/g, "\\$&").replace(/[\r\n]/g, "?"); // a pattern is one line
}

/**
 * The rules that the folders above bring along, from the top of the repository or, outside of one, from `cwd` on.
 * None for a folder that is itself ignored: who names it wants to see what is in it.
 *
 * @param folder - Absolute, no link in it.
 */
export async function rulesAbove(folder: string, cwd: string): Promise<IgnoreRules> {
  let rules = IgnoreRules.none;
  const chain = await foldersAbove(folder, cwd);
  for (const [index, at] of chain.entries()) {
    const names = await Promise.all(
      [".git", FILE_NAME].map(async (name) => ((await isThere(join(at, name))) ? [name] : [])),
    );
    rules = await rules.inside(at, names.flat());
    if (rules.ignore(chain[index + 1] ?? folder, true)) return IgnoreRules.none;
  }
  return rules;
}

/** Outermost first, without the folder itself. */
async function foldersAbove(folder: string, cwd: string): Promise<string[]> {
  const physicalCwd = await realpath(cwd).catch(() => cwd);
  const chain: string[] = [];
  let upToCwd: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) chain.unshift(at);
    if (await isThere(join(at, ".git"))) return chain;
    if (at === physicalCwd) upToCwd = [...chain];
    if (at === dirname(at)) return upToCwd;
  }
}

async function readRules(path: string): Promise<string | undefined> {
  const opened = await openRegularFile(path);
  if (opened.kind !== "file") return undefined;
  try {
    return opened.stats.size > MAX_BYTES ? undefined : await opened.handle.readFile("utf8");
  } catch {
    return undefined; // git says a warning and goes on
  } finally {
    await opened.handle.close();
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
