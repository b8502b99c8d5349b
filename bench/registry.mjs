// `npm run bench -- registry`, or `node bench/registry.mjs [register search listing]` after a build: what many tools cost.
// Cold figures come from processes of their own, one a round, in which none of the measured code has run; the garbage of
// making the definitions is collected before. A busy moment of the machine makes a round slow and none fast, so the least
// is told beside the median. BENCH_ROUNDS (default 15) sets the number of rounds.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createExecutor, defineTool } from "nestcall";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const CHILD = "--measure";
const VERBS = ["list", "create", "delete", "update", "search", "get", "merge", "close", "assign", "comment"];
const THINGS = ["issue", "pull_request", "branch", "user", "team", "release", "milestone", "label", "workflow", "page"];
const OWNERS = ["github", "gitlab", "jira", "linear", "slack", "notion", "sentry", "stripe", "aws", "gcp"];
const QUERIES = [
  "merge a pull request in gitlab",
  "label",
  "github_list_issue_0",
  "owner repo state page of the issue",
];

const parts = { register, search, listing };
const measures = { "register definitions": registerDefinitions, "register tools": registerTools, search: searchCold };
if (process.argv[2] === CHILD) {
  console.log(JSON.stringify(measures[process.argv[3]](Number(process.argv[4]))));
} else {
  const asked = process.argv.slice(2);
  for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
    if (parts[name] === undefined) {
      console.error(`There is no part "${name}"; known are ${Object.keys(parts).join(", ")}.`);
      process.exit(2);
    }
    parts[name]();
  }
}

/** Definitions as an MCP server gives them, checked and registered; and tools that were defined before. At most 10 ms. */
function register() {
  const sizes = { 200: "", 1000: "10" };
  const rows = Object.entries(sizes).flatMap(([size, target]) =>
    ["register definitions", "register tools"].map((name) => [`${name}, ${size}`, cold(name, Number(size)), target]),
  );
  printTable("register: cold, in ms", rows);
}

/** The first search splits and counts the words of all tools; a later one takes at most 2 ms. */
function search() {
  const rounds = cold("search", 1_000);
  const rows = [["the first search", rounds.map(({ first }) => first), ""]];
  for (const query of QUERIES) rows.push([`"${query}", later`, rounds.map(({ later }) => later[query]), "2"]);
  printTable("search: among 1,000 tools, in ms", rows);
}

/** What a session shows, for each tool that is there: linear, so the cost of one does not grow. */
function listing() {
  const rows = [];
  for (const size of [100, 1_000, 10_000]) {
    const session = sessionOf(size);
    for (const list of ["getAllTools", "getActiveTools"]) {
      const times = Array.from({ length: ROUNDS + 5 }, () => (1_000 * timed(() => session[list]())) / size).slice(5);
      rows.push([`${list}, of ${size}`, times, ""]);
    }
  }
  printTable("listing: for a session, in µs a tool", rows);
}

function registerDefinitions(size) {
  const definitions = definitionsOf(size);
  const { registry } = createExecutor();
  gc();
  return timed(() => {
    for (const definition of definitions) registry.register(definition);
  });
}

function registerTools(size) {
  const tools = definitionsOf(size).map(defineTool);
  const { registry } = createExecutor();
  gc();
  return timed(() => {
    for (const tool of tools) registry.register(tool);
  });
}

function searchCold(size) {
  const { registry } = createExecutor();
  for (const definition of definitionsOf(size)) registry.register(definition);
  const { session } = registry;
  const first = timed(() => session.searchTools(QUERIES[0]));
  const later = Object.fromEntries(
    QUERIES.map((query) => [query, median(Array.from({ length: 25 }, () => timed(() => session.searchTools(query))))]),
  );
  return { first, later };
}

/** A session of one of ten accounts; half of the tools are everybody's. */
function sessionOf(size) {
  const { registry } = createExecutor();
  definitionsOf(size).forEach((definition, index) => {
    registry.register(
      { ...definition, exposure: "direct" },
      index % 2 === 0 ? {} : { ownerUserId: `user${index % 10}` },
    );
  });
  return registry.forSession({ userId: "user1" });
}

/** Six parameters each, one of them an object, as many a catalogue has. */
function definitionsOf(size) {
  return Array.from({ length: size }, (_, index) => {
    const [verb, thing, owner] = [VERBS, THINGS, OWNERS].map(
      (words, place) => words[Math.floor(index / 10 ** place) % 10],
    );
    const text = `Use it to ${verb} one ${thing} in ${owner}, and get its id, state and author back; a page has 100 at most.`;
    return {
      name: `${owner}_${verb}_${thing}_${index}`,
      title: `${verb} ${thing}`,
      description: text,
      effect: "read",
      exposure: "deferred",
      namespace: { name: owner },
      inputSchema: {
        type: "object",
        properties: {
          owner: { type: "string", minLength: 1, maxLength: 200 },
          repo: { type: "string", pattern: "^[a-z][a-z0-9-]*$" },
          state: { type: "string", enum: ["open", "closed", "all"] },
          labels: { type: "array", items: { type: "string" } },
          page: { type: "integer", minimum: 1, description: `Which page of each ${thing}.` },
          options: { type: "object", properties: { deep: { type: "boolean" } }, additionalProperties: false },
        },
        required: ["owner", "repo"],
        additionalProperties: false,
      },
      execute: () => "ran",
    };
  });
}

function cold(measure, size) {
  return Array.from({ length: ROUNDS }, () => {
    const args = ["--expose-gc", fileURLToPath(import.meta.url), CHILD, measure, String(size)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`measuring "${measure}" failed: ${stderr}`);
    return JSON.parse(stdout);
  });
}

function timed(run) {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}

function printTable(title, rows) {
  console.log(`\n${title} (${ROUNDS} rounds, Node ${process.version})`);
  console.log("| what | median | least | target |\n|---|---|---|---|");
  for (const [name, figures, target] of rows) {
    console.log(`| ${name} | ${median(figures).toFixed(2)} | ${Math.min(...figures).toFixed(2)} | ${target} |`);
  }
}

function median(figures) {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
