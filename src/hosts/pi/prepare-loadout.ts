// A Pi tool's `prepareLoadout` as a handler of the registry: it is asked while its tool is active.

import { isThenable } from "../../errors/thenable.js";
import type { LoadoutChange, LoadoutHandler } from "../../registry/loadout.js";
import type { ToolInfo } from "../../tools/tool.js";
import type { ToolSession } from "../../tools/tool-session.js";
import { callableTool } from "./handler-context.js";
import type { CallableTool, ToolLoadout, ToolLoadoutChanges } from "./tool-definition.js";

/**
 * @param name - Of the tool.
 * @param guidelinesOf - The guidelines of any registered tool.
 */
export function loadoutHandler(
  name: string,
  prepareLoadout: (loadout: ToolLoadout) => ToolLoadoutChanges | undefined,
  guidelinesOf: (name: string) => readonly string[],
): LoadoutHandler {
  return ({ session, tools: declared }): LoadoutChange | undefined => {
    if (session?.isActive(name) !== true) return undefined;
    const described = new Map(declared.map((tool) => [tool.name, tool.description]));
    const changes = prepareLoadout(loadoutOf(session, described, guidelinesOf));
    // The registry says what is wrong with it.
    if (typeof changes !== "object" || changes === null || isThenable(changes)) return changes as LoadoutChange;
    const { descriptions, hiddenDeclarations: hide } = changes;
    return {
      ...(descriptions === undefined ? {} : { descriptions }),
      ...(hide === undefined ? {} : { hide }),
    };
  };
}

function loadoutOf(
  session: ToolSession,
  described: ReadonlyMap<string, string>,
  getPromptGuidelines: ToolLoadout["getPromptGuidelines"],
): ToolLoadout {
  const infos = session.getAllTools();
  const tools = new Map(infos.map((info) => [info.name, info]));
  const toolsOf = (fits: (info: ToolInfo) => boolean): CallableTool[] => infos.filter(fits).map(callableTool);
  return {
    declared: toolsOf(({ name }) => described.has(name)).map((tool) => ({
      ...tool,
      description: described.get(tool.name) ?? tool.description,
    })),
    callable: toolsOf(
      ({ name, exposure }) =>
        exposure === "codemode" || exposure === "deferred" || (exposure === "direct" && session.isActive(name)),
    ),
    registered: toolsOf(() => true),
    getExposure: (name) => tools.get(name)?.exposure ?? "hidden",
    getNamespace: (name) => tools.get(name)?.namespace,
    getPromptGuidelines,
  };
}
