// Two tools that nobody is shown at first, in a namespace, and a loader that shows them when they are asked for.
import { type ExtensionAPI, Type } from "nestcall/pi";

const namespace = {
  name: "travel",
  description: "Weather and trains.",
  instructions: "Ask for the city first.",
  aliases: ["trips"],
};

export default function loader(pi: ExtensionAPI) {
  for (const [name, description] of [
    ["lookup_weather", "The weather of a city."],
    ["find_trains", "Trains between two cities."],
  ] as const) {
    pi.registerTool({
      name,
      label: name,
      description,
      defaultActive: false,
      namespace,
      parameters: Type.Object({ city: Type.String() }),
      async execute(_id, { city }) {
        return { content: [{ type: "text", text: `${name} of ${city}` }], details: undefined };
      },
    });
  }
  pi.registerTool({
    name: "load_tools",
    label: "Load tools",
    description: "Makes the tools for a task available.",
    promptSnippet: "Find more tools",
    promptGuidelines: ["Use load_tools when no tool at hand fits."],
    parameters: Type.Object({ query: Type.String() }),
    async execute(_id, { query }) {
      const words = query.toLowerCase().split(/\W+/);
      const found = pi
        .getAllTools()
        .filter(({ description }) => words.some((word) => description.toLowerCase().includes(word)))
        .map(({ name }) => name);
      pi.setActiveTools([...new Set([...pi.getActiveTools(), ...found, "no_such_tool"])]);
      return { content: [{ type: "text", text: `Loaded: ${found.join(", ")}` }], details: { found } };
    },
  });
}
