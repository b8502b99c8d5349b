// What `--help` prints.

export const OVERVIEW = `nestcall: tools that call tools, guarded and recorded.

Usage: nestcall COMMAND [OPTIONS]

  demo                       a review of a real diff by nested tools: a blocked call, the record; offline, no key
  mcp --config mcp.json      the gateway: many MCP servers behind codemode and tool_search
  mcp --dry-run              servers, tools, exposure, what the policy says, tokens with and without
  run SCRIPT                 runs a script that calls tools
  call TOOL ARGS             calls one tool
  tools [QUERY]              what is there, how it is reached, what it costs
  guard explain TOOL [ARGS]  what the policy would do with a call, and why, without making it
  trace FILE                 what calls did: as a tree, a page for the browser, a trace for Perfetto
  doctor                     node, configuration, the state of every server

nestcall COMMAND --help shows a command's options and examples.
Results go to stdout, all else to stderr. --json gives results as JSON. NO_COLOR turns colours off.
Exit codes: 0 ok, 1 a tool or a server failed, 2 wrong usage or configuration, 130 interrupted.

Examples:
  npx nestcall demo
  npx nestcall mcp --config mcp.json --dry-run
  npx nestcall call mcp__files__list_directory path=/tmp
`;

const CONFIG = `  --config FILE       the configuration: mcpServers, policy, exposure, limits, budgets. Default: the first of nestcall.json,
                      mcp.json and .mcp.json here, then nestcall/mcp.json in the user's configuration folder`;
const TOOLS = `  --tools FILE        tools of a TypeScript or JavaScript file: every exported tool, and a default list. May be repeated`;
const APPROVE = `  --approve HOW       who decides what the policy asks for:
                        ask        you, at this terminal (the default when stdin is one)
                        none       nobody: it is refused (the default otherwise)
                        all        it is allowed; what the policy denies is refused all the same
                        read-only  only tools that claim to be read-only run, whatever the policy allows`;

const WATCH = `  --html FILE         writes what the calls did as a page for the browser: times, arguments, results, decisions, totals
  --trace FILE        writes their events while they run, for nestcall trace; name it *.nestcall.jsonl`;

export const HELP: Readonly<Record<string, string>> = {
  demo: `Usage: nestcall demo [PATH] [--record FILE] [--html FILE] [--json]

Reviews the change of the git repository at PATH (default: here): what is not committed, else the last commit; a small
change that comes with nestcall where there is no repository. A script calls three tools at the same time, then tries a
dangerous one, which the policy denies. Nothing of the project is run and nothing is changed; there is no network.

  --record FILE       writes the record, for nestcall trace
${WATCH}
  --json              { review, outcome } as JSON

Examples:
  npx nestcall demo
  npx nestcall demo ../my-project --record record.json
  npx nestcall demo --html review.html
`,
  mcp: `Usage: nestcall mcp [--config FILE] [--http PORT] [--dry-run]

Serves the tools of the configured MCP servers behind two tools, codemode and tool_search, over stdin and stdout. Each call
of a script goes through the policy and is recorded; what the policy asks for is put to the client's person.

${CONFIG}
${TOOLS}
  --http PORT         serves streamable HTTP at http://127.0.0.1:PORT/mcp instead; 0 takes any free port
  --host ADDRESS      another address to listen on; one that others can reach needs a token
  --token-env NAME    the environment variable with the bearer token (at least 16 characters) that clients must send
${WATCH}
  --inspect PORT      shows the latest calls, while they run, on a page at http://127.0.0.1:PORT; 0 takes any free port
  --dry-run           starts the servers, shows what a client would get and what the policy says, and ends
  --json              with --dry-run: { source, servers, tools, shown, tokens } as JSON

For a client such as Claude Code, Cursor or VS Code:
  { "mcpServers": { "nestcall": { "command": "npx", "args": ["-y", "nestcall", "mcp", "--config", "/path/to/mcp.json"] } } }

Examples:
  nestcall mcp --config mcp.json --dry-run
  nestcall mcp --config mcp.json --http 8931 --inspect 8932
`,
  run: `Usage: nestcall run SCRIPT [--config FILE] [--tools FILE] [--approve HOW] [--record FILE] [--html FILE] [--json]

Runs a script, JavaScript or TypeScript, in the sandbox of codemode: the body of an async function whose calls
\`await tools.name(arguments)\` go through the policy. Its value goes to stdout, the tree of calls to stderr. SCRIPT - is stdin.

${CONFIG}
${TOOLS}
${APPROVE}
  --record FILE       writes the record, for nestcall trace
${WATCH}
  --quiet             draws no tree
  --json              { status, value?, error?, output, console, warnings, calls, nestedCalls?, durationMs? } as JSON

Examples:
  nestcall run report.ts --config mcp.json --approve read-only
  echo 'return await tools.mcp__files__list_directory({ path: "." })' | nestcall run - --record record.json
  nestcall run report.ts --config mcp.json --html report.html
`,
  call: `Usage: nestcall call TOOL ['{"json":"arguments"}' | key=value …] [OPTIONS]

Calls one tool and prints its text. Of key=value arguments the tool's schema says what is a number, a boolean or a list.

${CONFIG}
${TOOLS}
${APPROVE}
  --record FILE       writes the record, for nestcall trace
${WATCH}
  --quiet             draws no tree
  --json              the outcome as JSON: { toolCall, status, isError, error?, result, durationMs?, usage?, nestedCalls? }

Examples:
  nestcall call mcp__everything__echo message=hello --config mcp.json --approve all
  nestcall call review '{"path":"src"}' --tools tools.ts
`,
  tools: `Usage: nestcall tools [QUERY] [--cost] [OPTIONS]

Lists the tools that can be called, those that fit QUERY best first. What the policy denies is not listed.

  --cost              about how many tokens each definition costs, and all of them with and without the gateway
  --limit N           how many a search gives at most. Default 20
${CONFIG}
${TOOLS}
  --json              { tools, tokens } as JSON; without --cost no tokens

Examples:
  nestcall tools --config mcp.json
  nestcall tools "create issue" --cost
`,
  guard: `Usage: nestcall guard explain TOOL ['{"json":"arguments"}' | key=value …] [OPTIONS]

Says what the policy would do with a call and why: which rule, which hints. Nothing is called.

${CONFIG}
${TOOLS}
  --json              { tool, server?, exposure, arguments?, verdict, basis, rule?, reason, hints, budgets } as JSON

Examples:
  nestcall guard explain mcp__github__delete_repo --config mcp.json
  nestcall guard explain mcp__files__write_file path=/etc/hosts
`,
  trace: `Usage: nestcall trace FILE [--html | --chrome | --json] [--output FILE]

Shows what --trace or --record wrote, or the value of _meta["dev.nestcall/record"] of an MCP result, as a tree. A record has no
results and does not know when calls began; a trace has both. FILE - is stdin.

  --html              a page for the browser: one file, no network
  --chrome            a trace in the JSON of Chrome, for ui.perfetto.dev
  --json              of a record the tree of calls: { root, complete, dropped }; of a trace { source, calls, durationMs, … }
  --output, -o FILE   writes to a file instead of stdout

Examples:
  nestcall trace record.json
  nestcall trace run.nestcall.jsonl --html -o run.html
  nestcall trace run.nestcall.jsonl --chrome -o run.json
`,
  doctor: `Usage: nestcall doctor [--config FILE] [--tools FILE] [--json]

Shows the version of Node.js, which configuration is read, and the state of every server, with what it last wrote to stderr
when it failed. Exit code 1 when something is wrong.

${CONFIG}
${TOOLS}
  --json              { node, nestcall, config, checks, servers } as JSON

Examples:
  nestcall doctor --config mcp.json
`,
};
