// Runs sessions of the real Pi with its scripted provider, without a network, and prints what they kept as JSON.
// Usage: node session.mjs FOLDER, where FOLDER has Pi in its node_modules. Needs a Node.js that runs TypeScript, and
// the built package.
import { registerHooks } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const here = pathToFileURL(join(folder, "package.json")).href;
process.env.HOME = join(folder, "home"); // Pi looks for its settings there

const connections = [];
Socket.prototype.connect = function connect(...args) {
  connections.push(JSON.stringify(args[0]));
  throw new Error("There is no network in this test.");
};

const shim = new URL("./pi-as-nestcall.mjs", import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    // The samples run in Pi as they are: only what `nestcall/pi` stands for is Pi itself.
    if (specifier === "nestcall/pi") return next(shim, context);
    if (specifier.startsWith("@earendil-works/") || (specifier === "typebox" && context.parentURL === shim)) {
      return next(specifier, { ...context, parentURL: here });
    }
    if (/^\.\/.*\.js$/.test(specifier) && context.parentURL?.endsWith(".ts")) {
      return next(specifier.replace(/\.js$/, ".ts"), context);
    }
    return next(specifier, context);
  },
});

const pi = await import("@earendil-works/pi-coding-agent");
const { fauxAssistantMessage, fauxProvider, fauxToolCall } = await import("@earendil-works/pi-ai");
const { Text } = await import("@earendil-works/pi-tui");
const { piExtension } = await import("../../../../dist/hosts/pi/index.js");
const { nativeTools, reviewDiff } = await import("../samples/native-review.ts");
const { default: approvalGuard } = await import("../samples/approval-guard.ts");
const { default: reviewExtension } = await import("../samples/review-extension.ts");

const native = piExtension({ tools: nativeTools, Text });
process.stdout.write(
  JSON.stringify({
    native: await runSession([native, approvalGuard], ["review_diff", "fan_out"]),
    samples: await runSession([reviewExtension, approvalGuard], ["review_diff"]),
    drawn: draw(native),
    connections,
  }),
);

/** One prompt, whose answer calls each of the tools, and what the session kept of it. */
async function runSession(extensions, names) {
  const faux = fauxProvider();
  const calls = names.map((name, index) => fauxToolCall(name, {}, { id: `call_${index + 1}` }));
  faux.setResponses([fauxAssistantMessage(calls, { stopReason: "toolUse" }), fauxAssistantMessage("done")]);
  const agentDir = join(folder, "agent");
  const settingsManager = pi.SettingsManager.inMemory({ compaction: { enabled: false }, retry: { enabled: false } });
  const modelRuntime = await pi.ModelRuntime.create({ agentDir });
  modelRuntime.registerNativeProvider(faux.provider);
  const seen = [];
  const spy = (api) => {
    api.on("tool_call", (event) => void seen.push([event.toolCallId, event.toolName, event.parentToolCallId ?? null]));
  };
  const resourceLoader = new pi.DefaultResourceLoader({
    cwd: folder,
    agentDir,
    settingsManager,
    extensionFactories: [spy, ...extensions],
    noContextFiles: true,
    noExtensions: true,
    noPromptTemplates: true,
    noSkills: true,
    noThemes: true,
  });
  await resourceLoader.reload();
  const { session, extensionsResult } = await pi.createAgentSession({
    cwd: folder,
    agentDir,
    model: faux.getModel(),
    modelRuntime,
    noTools: "builtin",
    resourceLoader,
    sessionManager: pi.SessionManager.inMemory(folder),
    settingsManager,
  });
  try {
    await session.bindExtensions({});
    await session.prompt("Review the change.");
    const results = session.messages.filter(({ role }) => role === "toolResult");
    return { errors: extensionsResult.errors, seen, active: session.getActiveToolNames(), results };
  } finally {
    session.dispose();
  }
}

/** What Pi's own screen would draw. */
function draw(extension) {
  const tools = [];
  extension({ registerTool: (tool) => void tools.push(tool), registerToolRenderer() {} });
  const tool = tools.find(({ name }) => name === reviewDiff.name);
  const theme = { fg: (color, text) => `<${color}>${text}`, bold: (text) => text };
  const result = { content: [{ type: "text", text: "fine" }], details: undefined };
  const components = [
    tool.renderCall({}, theme, {}),
    tool.renderResult(result, { expanded: true, isPartial: false }, theme, {}),
  ];
  return components.map((component) => [component instanceof Text, component.render(40).map((line) => line.trimEnd())]);
}
