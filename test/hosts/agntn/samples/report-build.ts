// A tool whose code is imported at the first call, once (A27); registering it costs the schema only (A28).
import { defineTool, lazy, type Static, Type } from "nestcall/agntn";

const input = Type.Object({ days: Type.Integer({ minimum: 1, maximum: 90 }) }, { additionalProperties: false });
type ReportInput = Static<typeof input>;

export const reportBuild = defineTool({
  name: "report_build",
  title: "Build report",
  description: "Builds the report of the last days and gives its text.",
  effect: "read",
  input,
  execute: lazy(() => import("./heavy-report.js")),
});

/** What a test of the sample may ask for. */
export const lastWeek: ReportInput = { days: 7 };
