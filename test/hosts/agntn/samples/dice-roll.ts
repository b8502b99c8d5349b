// A read that is not idempotent, run synchronously, and a result that is an image.
import { defineTool, type ToolResult, Type } from "nestcall/agntn";

export const diceRoll = defineTool({
  name: "dice_roll",
  title: "Roll a die",
  description: "Rolls one die with six sides.",
  effect: "read",
  idempotent: false,
  input: Type.Object({}),
  execute(): ToolResult<{ readonly side: number }> {
    const side = 4; // a fixture: it shows the contract, and rolls nothing
    return { content: [{ type: "text", text: `It shows ${side}.` }], details: { side } };
  },
});

export const dicePicture = defineTool({
  name: "dice_picture",
  title: "Draw a die",
  description: "Draws the side of a die as an image.",
  effect: "read",
  input: Type.Object({ side: Type.Integer({ minimum: 1, maximum: 6 }) }, { additionalProperties: false }),
  execute: ({ side }) => ({
    content: [{ type: "image", data: Buffer.from(`side ${side}`).toString("base64"), mimeType: "image/png" }],
    details: { side },
  }),
});
