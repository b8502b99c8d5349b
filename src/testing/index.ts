export { createFakeClock, type FakeClock } from "./fake-clock.js";
export { createGate, type Gate, turn } from "./gate.js";
export { createIdsInOrder } from "./ids-in-order.js";
export { runScriptedHost, type ScriptedRun, type ScriptedStep } from "./scripted-host.js";
