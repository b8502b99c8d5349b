// Before any test file: `dist` is built when a source is newer than it, so that tests of built entries never see old code.
import { ensureBuilt } from "../examples/built.js";

export default async function setUp(): Promise<void> {
  await ensureBuilt(["tsconfig.build.json"]);
}
