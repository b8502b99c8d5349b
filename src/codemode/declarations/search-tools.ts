// `searchTools` in scripts: BM25 over what is known of a tool, the words of its name counting most.
import { isSchemaNode } from "../../tools/schema-references.js";
import type { DeclaredTool, SearchToolsOptions, ToolMatch } from "./declared-tool.js";
import { plainSchema } from "./read-schema.js";
import { firstSentence } from "./safe-words.js";
import { wordsOf } from "./search-words.js";

const DEFAULT_LIMIT = 8;
const MAX_LIMIT = 50;
const MAX_QUERY_CHARS = 500;
const DESCRIPTION_CHARS = 200;
/** The usual constants of BM25: how soon a repeated word stops counting, and how much a long text is discounted. */
const SATURATION = 1.2;
const LENGTH_DISCOUNT = 0.75;
const FIELD_WEIGHTS = { name: 4, title: 3, namespace: 2, parameters: 1.5, description: 1 } as const;
/** What a word counts that only begins like the asked one: `issue` for `issues`, `repo` for `repository`. */
const BEGINNING_SHARE = 0.6;
const MIN_BEGINNING = 3;

interface IndexedTool {
  readonly tool: DeclaredTool;
  /** Weighted count of each word. */
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}
interface ToolIndex {
  readonly tools: readonly IndexedTool[];
  readonly averageLength: number;
}

/** Tools are lists that seldom change; an index is made once for each. */
const indexes = new WeakMap<readonly DeclaredTool[], ToolIndex>();

/**
 * The tools that fit the words of the query, best first; tools that fit equally well in the order of declaration.
 * A query without words gives the first tools.
 *
 * @param options - How many at most (default 8, at most 50), or that and a namespace.
 */
export function searchTools(
  tools: readonly DeclaredTool[],
  query: string,
  options: SearchToolsOptions | number = {},
): ToolMatch[] {
  const { limit, namespace } = typeof options === "number" ? { limit: options, namespace: undefined } : options;
  const { tools: all, averageLength } = indexOf(tools);
  const candidates = namespace === undefined ? all : all.filter(({ tool }) => tool.namespace?.name === namespace);
  const asked = [...new Set(wordsOf(String(query).slice(0, MAX_QUERY_CHARS)))];
  const scored = candidates.map((item) => ({ tool: item.tool, score: 0, item }));
  for (const word of asked) addScores(scored, word, averageLength);
  const exact = String(query).trim().toLowerCase();
  for (const entry of scored) if (entry.tool.name.toLowerCase() === exact) entry.score += 1_000;
  const found = asked.length === 0 ? scored : scored.filter(({ score }) => score > 0);
  const best = found.sort((a, b) => b.score - a.score); // sort is stable: equals keep their order
  return best.slice(0, limitOf(limit)).map(({ tool }) => matchOf(tool));
}

function addScores(
  scored: readonly { readonly item: IndexedTool; score: number }[],
  word: string,
  averageLength: number,
): void {
  const counts = scored.map(({ item }) => countOf(item.counts, word));
  const having = counts.filter((count) => count > 0).length;
  if (having === 0) return;
  const rarity = Math.log(1 + (scored.length - having + 0.5) / (having + 0.5));
  scored.forEach((entry, index) => {
    const count = counts[index] ?? 0;
    if (count === 0) return;
    const discount = 1 - LENGTH_DISCOUNT + (LENGTH_DISCOUNT * entry.item.length) / averageLength;
    entry.score += (rarity * count * (SATURATION + 1)) / (count + SATURATION * discount);
  });
}

function countOf(counts: ReadonlyMap<string, number>, word: string): number {
  const whole = counts.get(word);
  if (whole !== undefined) return whole;
  if (word.length < MIN_BEGINNING) return 0;
  let best = 0;
  for (const [own, count] of counts) {
    const isBeginning = own.startsWith(word) || (own.length >= MIN_BEGINNING && word.startsWith(own));
    if (isBeginning && count > best) best = count;
  }
  return best * BEGINNING_SHARE;
}

function indexOf(tools: readonly DeclaredTool[]): ToolIndex {
  let index = indexes.get(tools);
  if (index === undefined || index.tools.length !== tools.length) {
    const indexed = tools.map(indexedTool);
    const total = indexed.reduce((sum, { length }) => sum + length, 0);
    index = { tools: indexed, averageLength: Math.max(1, total / Math.max(1, indexed.length)) };
    indexes.set(tools, index);
  }
  return index;
}

function indexedTool(tool: DeclaredTool): IndexedTool {
  const counts = new Map<string, number>();
  let length = 0;
  const add = (text: string | undefined, weight: number) => {
    for (const word of wordsOf(text ?? "")) {
      counts.set(word, (counts.get(word) ?? 0) + weight);
      length += 1;
    }
  };
  add(tool.name, FIELD_WEIGHTS.name);
  add(tool.title, FIELD_WEIGHTS.title);
  add(tool.namespace?.name, FIELD_WEIGHTS.namespace);
  add(tool.description, FIELD_WEIGHTS.description);
  add(parameterNames(tool.inputSchema).join(" "), FIELD_WEIGHTS.parameters);
  return { tool, counts, length };
}

function parameterNames(schema: unknown): string[] {
  const plain = plainSchema(schema);
  if (!isSchemaNode(plain)) return [];
  const own = isSchemaNode(plain.properties) ? Object.keys(plain.properties) : [];
  const branches = [plain.allOf, plain.anyOf, plain.oneOf].filter(Array.isArray).flat();
  return [
    ...own,
    ...branches.flatMap((branch) =>
      isSchemaNode(branch) && isSchemaNode(branch.properties) ? Object.keys(branch.properties) : [],
    ),
  ];
}

function matchOf({ name, title, description, namespace }: DeclaredTool): ToolMatch {
  const text = typeof description === "string" && description !== "" ? description : (title ?? "");
  return {
    name,
    description: firstSentence(String(text), DESCRIPTION_CHARS),
    ...(namespace === undefined ? {} : { namespace: namespace.name }),
  };
}

function limitOf(limit: unknown): number {
  const wanted = typeof limit === "number" && Number.isFinite(limit) ? Math.floor(limit) : DEFAULT_LIMIT;
  return Math.min(MAX_LIMIT, Math.max(1, wanted));
}
