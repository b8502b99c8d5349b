// A session of the real Pi whose mcp.json names our gateway; its scripted model calls a tool of a server behind it. Prints
// what the session kept as JSON. Usage: node gateway-session.mjs FOLDER AGENT_DIR CALLS, with Pi in FOLDER's node_modules, the
// mcp.json in AGENT_DIR, and CALLS a list of [tool, arguments] as JSON.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, agentDir, calls] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(folder, "node_modules", ...name.split("/"), "dist", "index.js")).href);
const pi = await load("@earendil-works/pi-coding-agent");
const { fauxAssistantMessage, fauxProvider, fauxToolCall } = await load("@earendil-works/pi-ai");

const faux = fauxProvider();
const wanted = JSON.parse(calls).map(([name, args], index) => fauxToolCall(name, args, { id: `call_${index + 1}` }));
faux.setResponses([fauxAssistantMessage(wanted, { stopReason: "toolUse" }), fauxAssistantMessage("done")]);
const settingsManager = pi.SettingsManager.inMemory({ compaction: { enabled: false }, retry: { enabled: false } });
const modelRuntime = await pi.ModelRuntime.create({ agentDir });
modelRuntime.registerNativeProvider(faux.provider);
const resourceLoader = new pi.DefaultResourceLoader({
  cwd: agentDir,
  agentDir,
  settingsManager,
  extensionFactories: [pi.createMcpExtension()],
  noContextFiles: true,
  noExtensions: true,
  noPromptTemplates: true,
  noSkills: true,
  noThemes: true,
});
await resourceLoader.reload();
const { session, extensionsResult } = await pi.createAgentSession({
  cwd: agentDir,
  agentDir,
  model: faux.getModel(),
  modelRuntime,
  noTools: "builtin",
  resourceLoader,
  sessionManager: pi.SessionManager.inMemory(agentDir),
  settingsManager,
});
await session.bindExtensions({});
await session.prompt("Add the numbers.");
const results = session.messages.filter(({ role }) => role === "toolResult");
process.stdout.write(
  JSON.stringify({ errors: extensionsResult.errors, active: session.getActiveToolNames(), results }),
);
session.dispose();
process.exit(0);
