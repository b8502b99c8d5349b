// A worker thread: it owns sandboxes and runs one of them at a time. A script that waits for calls holds a sandbox, no thread.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { HostMessage, RunMessage, SlotInspection, SlotReport, WorkerData, WorkerMessage } from "../protocol.js";
import { MAX_TOOL_SETS } from "../protocol.js";
import type { SandboxImage } from "../vm/sandbox-image.js";
import type { WasmModule } from "../vm/wasm-exports.js";
import { collectGarbage } from "./collect-garbage.js";
import { hasDiscovery, loadDiscovery, mayDiscover } from "./discovery.js";
import { ScriptSlot } from "./script-slot.js";
import { ToolSet } from "./tool-set.js";
import { WorkerControl } from "./worker-control.js";

/** Sandboxes that are kept for the next scripts. */
const MAX_IDLE_SLOTS = 8;

const IDLE_SLOT_BYTES = 1_400_000;
const COLLECT_FROM_BYTES = 8 * 1024 * 1024;
const COLLECT_AT_ONCE_BYTES = 64 * 1024 * 1024;
const COLLECT_AFTER_MS = 50;

/** The event loop has its turn at least so often. */
const MAX_PUMP_MS = 20;

const port = parentPort as MessagePort; // this file runs in a worker only
const { control: controlBlock, timeOrigin } = workerData as WorkerData; // the host made it
const control = new WorkerControl(controlBlock, timeOrigin);
const toolSets = new Map<number, ToolSet>();
const busy = new Map<number, ScriptSlot>();
const idle: ScriptSlot[] = [];
let module: WasmModule | undefined;
let image: SandboxImage | undefined;
let droppedBytes = 0;
let collectTimer: NodeJS.Timeout | undefined;

function post(message: WorkerMessage): void {
  port.postMessage(message, message.type === "report" ? buffersOf(message) : []);
}

/** Buffers that move. That of a value does not: it may go out twice, with the first and with the last report. */
function buffersOf({ calls }: SlotReport): ArrayBuffer[] {
  return calls.flatMap(([, , args]) => (args instanceof Uint8Array ? [args.buffer] : []));
}

function newSlot(): ScriptSlot {
  if (module === undefined) throw new Error("the engine has not come");
  const slot = new ScriptSlot(module, image, control, post);
  image ??= slot.image;
  return slot;
}

function begin(message: RunMessage): void {
  if (!hasDiscovery() && mayDiscover(message.source)) {
    void loadDiscovery().then(() => begin(message));
    return;
  }
  const slot = idle.pop() ?? newSlot();
  busy.set(message.run, slot);
  slot.begin(message, toolSets.get(message.toolSet) ?? new ToolSet([]));
  release(message.run, slot);
}

/** Takes back a sandbox whose script is over. */
function release(run: number, slot: ScriptSlot): void {
  if (slot.run !== undefined) return;
  busy.delete(run);
  droppedBytes += slot.takeDroppedBytes();
  if (idle.length < MAX_IDLE_SLOTS) idle.push(slot);
  else droppedBytes += IDLE_SLOT_BYTES;
  if (droppedBytes < COLLECT_FROM_BYTES || collectTimer !== undefined) return;
  collectTimer = setTimeout(collectDropped, droppedBytes < COLLECT_AT_ONCE_BYTES ? COLLECT_AFTER_MS : 0);
  collectTimer.unref();
}

function collectDropped(): void {
  collectTimer = undefined;
  droppedBytes = 0;
  collectGarbage();
}

function inspect(): readonly SlotInspection[] {
  return [
    ...idle.map((slot): SlotInspection => ({ state: "idle", ...slot.inspect() })),
    ...[...busy.values()].map((slot): SlotInspection => ({ state: "busy", ...slot.inspect() })),
  ];
}

function handle(message: HostMessage): void {
  switch (message.type) {
    case "engine":
      module = message.module;
      idle.push(newSlot());
      break;
    case "tools":
      toolSets.delete(message.id);
      toolSets.set(message.id, new ToolSet(message.tools));
      for (const id of toolSets.keys()) if (toolSets.size > MAX_TOOL_SETS) toolSets.delete(id);
      break;
    case "run":
      begin(message);
      break;
    case "settle":
    case "stop": {
      const slot = busy.get(message.run);
      if (slot === undefined) return;
      if (message.type === "stop") slot.stop();
      else slot.settle(message);
      release(message.run, slot);
      break;
    }
    case "inspect":
      post({ type: "inspection", id: message.id, slots: inspect() });
      break;
    default:
      message satisfies never;
  }
}

// To be woken for each message costs more than to look for the next one.
port.on("message", (first: HostMessage) => {
  const beganAt = performance.now();
  handle(first);
  while (performance.now() - beganAt < MAX_PUMP_MS) {
    const received = receiveMessageOnPort(port) as { readonly message: HostMessage } | undefined;
    if (received === undefined) return;
    handle(received.message);
  }
});
