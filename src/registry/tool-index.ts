// Finds tools by words (BM25): the index behind `searchTools`. Owns the words of what was put in; nothing is split or
// counted before the first search.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { ToolInfo } from "../tools/tool.js";
import { parameterNames } from "./schema-parameters.js";
import { plainName, queryWords, wordsOf } from "./search-words.js";

export interface IndexSearchOptions {
  /** How many at most. Default 10. */
  readonly limit?: number | undefined;
  /** Which tools there are for this search; asked for every tool. What it throws is thrown. */
  readonly filter?: ((tool: ToolInfo) => boolean) | undefined;
}
export interface IndexMatch {
  readonly name: string;
  /** Above 2 when the query is the tool's name, above 1 when the name begins with it, else between 0 and 1. */
  readonly score: number;
}

interface IndexedTool {
  readonly name: string;
  readonly info: ToolInfo;
  readonly plainName: string;
  /** Place in the order of registration. */
  readonly order: number;
  /** How many words it has, each counted with the weight of its field. */
  length: number;
  /** The search that it was let into, for which its numbers below hold. */
  search: number;
  weight: number;
  score: number;
}
interface Posting {
  readonly tool: IndexedTool;
  weight: number;
}

const DEFAULT_LIMIT = 10;
const [NAME_WEIGHT, TITLE_WEIGHT, NAMESPACE_WEIGHT] = [4, 2, 2];
/** A word that only begins as it was asked for counts less than the word itself. */
const PREFIX_WEIGHT = 0.8;
/** BM25's usual constants: how soon repetition stops to count, and how much long texts are discounted. */
const [SATURATION, LENGTH_SHARE] = [1.2, 0.75];

/**
 * Tools by the words of their names, titles, descriptions, parameters and namespaces. What the filter of a search leaves
 * out does not show in the scores either: they are those of an index without it.
 */
export class ToolIndex {
  readonly #tools = new Map<string, IndexedTool>();
  readonly #waiting = new Set<IndexedTool>();
  readonly #postings = new Map<string, Posting[]>();
  /** The words by their first two letters, so that words that begin alike are found together. */
  readonly #words = new Map<string, string[]>();
  #replaced = 0;
  #searches = 0;

  /** Adds a tool, or replaces the one of this name, which keeps its place. */
  set(name: string, info: ToolInfo): void {
    const before = this.#tools.get(name);
    const order = before?.order ?? this.#tools.size;
    const tool = { name, info, plainName: plainName(name), order, length: 0, search: 0, weight: 0, score: 0 };
    if (before !== undefined && !this.#waiting.delete(before)) this.#replaced += 1;
    this.#tools.set(name, tool);
    this.#waiting.add(tool);
  }

  /**
   * The tools that fit a text best, best first; equals stay in the order of registration. A tool fits when it has one of the
   * words, or a word that begins so, or a name that begins with the whole. An empty text fits none.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` for a query that is no text and for a limit that is no positive whole number.
   */
  search(query: string, options: IndexSearchOptions = {}): IndexMatch[] {
    const { limit = DEFAULT_LIMIT, filter } = checkSearch(query, options);
    this.#readWaiting();
    const here = this.#toolsFor(filter);
    const found = new Set<IndexedTool>();
    for (const word of queryWords(query)) this.#scoreWord(word, here, found);
    for (const tool of found) tool.score /= tool.score + 1;
    addNames(plainName(query), here.tools, found);
    return [...found]
      .sort((a, b) => b.score - a.score || a.order - b.order)
      .slice(0, limit)
      .map(({ name, score }) => ({ name, score }));
  }

  #toolsFor(filter: IndexSearchOptions["filter"]): SearchedTools {
    this.#searches += 1;
    const tools: IndexedTool[] = [];
    let words = 0;
    for (const tool of this.#tools.values()) {
      if (filter !== undefined && !filter(tool.info)) continue;
      tools.push(tool);
      words += tool.length;
      tool.search = this.#searches;
      tool.score = 0;
      tool.weight = 0;
    }
    return { tools, search: this.#searches, averageLength: words / Math.max(1, tools.length) };
  }

  /** Adds what one word of the query is worth to every tool that has it. */
  #scoreWord(word: string, { tools, search, averageLength }: SearchedTools, found: Set<IndexedTool>): void {
    const having: IndexedTool[] = [];
    for (const { postings, closeness } of this.#postingsLike(word)) {
      for (const { tool, weight } of postings) {
        if (tool.search !== search) continue; // left out, or replaced since
        if (tool.weight === 0) having.push(tool);
        tool.weight = Math.max(tool.weight, weight * closeness);
      }
    }
    const rarity = Math.log(1 + (tools.length - having.length + 0.5) / (having.length + 0.5));
    for (const tool of having) {
      const discount = 1 - LENGTH_SHARE + (LENGTH_SHARE * tool.length) / averageLength;
      tool.score += (rarity * tool.weight * (SATURATION + 1)) / (tool.weight + SATURATION * discount);
      tool.weight = 0;
      found.add(tool);
    }
  }

  #postingsLike(word: string): { readonly postings: readonly Posting[]; readonly closeness: number }[] {
    const words = this.#words.get(word.slice(0, 2)) ?? [];
    return words
      .filter((own) => own.startsWith(word))
      .map((own) => ({
        postings: this.#postings.get(own) ?? [],
        closeness: own === word ? 1 : (PREFIX_WEIGHT * word.length) / own.length,
      }));
  }

  #readWaiting(): void {
    if (this.#replaced > this.#tools.size) {
      // More words of tools that are gone than of tools that are there.
      this.#postings.clear();
      this.#words.clear();
      this.#replaced = 0;
      for (const tool of this.#tools.values()) this.#waiting.add(tool);
    }
    for (const tool of this.#waiting) this.#read(tool);
    this.#waiting.clear();
  }

  #read(tool: IndexedTool): void {
    const { title, description, namespace, inputSchema } = tool.info;
    tool.length = this.#addText(tool, tool.name, NAME_WEIGHT) + this.#addText(tool, description, 1);
    tool.length += this.#addText(tool, parameterNames(inputSchema).join(" "), 1);
    if (title !== undefined) tool.length += this.#addText(tool, title, TITLE_WEIGHT);
    if (namespace === undefined) return;
    tool.length += this.#addText(tool, `${namespace.name} ${namespace.description ?? ""}`, NAMESPACE_WEIGHT);
  }

  /** Gives how many words there are, each counted with the weight. */
  #addText(tool: IndexedTool, text: string, weight: number): number {
    const words = wordsOf(text);
    for (const word of words) {
      const postings = this.#postings.get(word) ?? this.#addWord(word);
      const last = postings[postings.length - 1]; // a tool is read in one go
      if (last?.tool === tool) last.weight += weight;
      else postings.push({ tool, weight });
    }
    return words.length * weight;
  }

  #addWord(word: string): Posting[] {
    const postings: Posting[] = [];
    this.#postings.set(word, postings);
    const start = word.slice(0, 2);
    const alike = this.#words.get(start);
    if (alike === undefined) this.#words.set(start, [word]);
    else alike.push(word);
    return postings;
  }
}

interface SearchedTools {
  readonly tools: readonly IndexedTool[];
  readonly search: number;
  readonly averageLength: number;
}

function addNames(query: string, tools: readonly IndexedTool[], found: Set<IndexedTool>): void {
  if (query === "") return;
  for (const tool of tools) {
    if (!tool.plainName.startsWith(query)) continue;
    tool.score += tool.plainName === query ? 2 : 1;
    found.add(tool);
  }
}

function checkSearch(query: unknown, options: unknown): IndexSearchOptions {
  if (typeof query !== "string") throw wrong(`searchTools takes a text to search for; it got ${describeValue(query)}.`);
  if (typeof options !== "object" || options === null) {
    throw wrong(`searchTools takes options as an object such as { limit: 5 }; it got ${describeValue(options)}.`);
  }
  const { limit, filter } = options as { readonly limit?: unknown; readonly filter?: unknown };
  if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) > 0)) {
    throw wrong(`searchTools: options.limit must be a whole number above 0; it is ${describeValue(limit)}.`);
  }
  if (filter !== undefined && typeof filter !== "function") {
    throw wrong(`searchTools: options.filter must be a function; it is ${describeValue(filter)}.`);
  }
  return options as IndexSearchOptions; // each part was checked above
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
