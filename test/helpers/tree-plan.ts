// Made-up trees of calls: what each call is made with, what its tool does, and how it ends. Plain data.
import type { Random } from "./random.js";

/** From `no_such_tool` on: names that no other tool can call. */
type Target = "work" | "lane" | "codemode_work" | "deferred_work" | "no_such_tool" | "secret" | "for_model" | "long";
type ArgumentsKind =
  | "plain"
  | "padded"
  | "repaired"
  | "invalid"
  | "nothing"
  | "cycle"
  | "bigint"
  | "function"
  | "getter";
type HookKind =
  | "none"
  | "block"
  | "throw"
  | "patch"
  | "patch-in-place"
  | "patch-large"
  | "patch-small"
  | "patch-invalid";
type ResultHookKind = "none" | "content" | "mark-failed" | "mend" | "throw" | "usage";
type EndingKind = "text" | "nothing" | "structured" | "failed" | "invalid" | "throw" | "throw-odd" | "transport";
export type UsageKind = "none" | "plain" | "cost" | "flag" | "unflagged" | "negative" | "not-a-number" | "no-object";

export interface CallPlan {
  readonly key: string;
  readonly target: Target;
  readonly asObject: boolean;
  readonly arguments: ArgumentsKind;
  readonly pad: string | undefined;
  readonly hook: HookKind;
  readonly hookWaits: boolean;
  readonly resultHook: ResultHookKind;
  /** The caller's own signal: aborted before the call, or by the test at some time after. */
  readonly signal: "none" | "aborted" | "later";
  /** Whether the tool stops when its signal aborts. */
  readonly isStubborn: boolean;
  readonly steps: readonly Step[];
  /** At a gate, when everything that it waits for is over. */
  readonly waitsAtEnd: boolean;
  readonly ending: EndingKind;
  readonly text: string;
  readonly usage: UsageKind;
  readonly amount: number;
}
export type Step =
  | { readonly type: "gate" }
  /** `awaited` before the next step, `joined` at the end, or `left` alone. */
  | { readonly type: "call"; readonly plan: CallPlan; readonly mode: "awaited" | "joined" | "left" }
  /** A gate of its own, then a call, while the tool goes on. */
  | { readonly type: "late"; readonly plan: CallPlan };

export interface TreePlan {
  readonly roots: readonly CallPlan[];
  readonly rootIds: readonly string[];
  readonly maxDepth: number;
  readonly maxCallsPerRoot: number;
  readonly maxConcurrency: number;
}

const PADS = ["", "é", "😀", '"\\', "\u0001\n", "\ud800", "plain text "];

export function makeTree(random: Random): TreePlan {
  const isWide = random.chance(0.012);
  let left = isWide ? 300 : random.between(1, 24);
  let made = 0;
  const makePlan = (level: number): CallPlan => {
    left -= 1;
    made += 1;
    return level === 0 ? rootOf(shapeOf(random, `n${made}`)) : shapeOf(random, `n${made}`);
  };
  const fill = (plan: CallPlan, level: number): CallPlan => {
    const steps: Step[] = [];
    const wanted = isWide && level === 0 ? 290 : random.between(level === 0 ? 1 : 0, 4);
    for (let count = 0; count < wanted && (left > 0 || level === 0); count += 1) {
      if (random.chance(isWide ? 0.01 : 0.25)) steps.push({ type: "gate" });
      const child = fill(makePlan(level + 1), level + 1);
      const mode = isWide ? "awaited" : random.weighted({ awaited: 5, joined: 4, left: 2, late: 1 });
      steps.push(mode === "late" ? { type: "late", plan: child } : { type: "call", plan: child, mode });
    }
    // Whoever leaves calls alone waits once more, so that it is known which of them were over by then.
    const leaves = steps.some((step) => step.type === "late" || (step.type === "call" && step.mode === "left"));
    return { ...plan, steps, waitsAtEnd: leaves || random.chance(0.5) };
  };
  const roots = [fill(makePlan(0), 0)];
  if (random.chance(0.1)) roots.push(fill({ ...makePlan(0), key: "second" }, 0));
  return {
    roots,
    rootIds: random.chance(0.5) ? ["r", "r"] : ["r", "r/1"],
    maxDepth: random.chance(0.2) ? random.between(1, 3) : 32,
    maxCallsPerRoot: random.chance(0.1) ? random.between(1, 8) : 10_000,
    maxConcurrency: random.pick([1, 2, 3, 64, 64]),
  };
}

function rootOf(plan: CallPlan): CallPlan {
  return {
    ...plan,
    target: "work",
    arguments: "plain",
    hook: "none",
    signal: plan.signal === "later" ? "later" : "none",
  };
}

function shapeOf(random: Random, key: string): CallPlan {
  const args = random.weighted<ArgumentsKind>({
    plain: 40,
    padded: 22,
    repaired: 5,
    invalid: 3,
    nothing: 2,
    cycle: 1,
    bigint: 1,
    function: 1,
    getter: 1,
  });
  return {
    key,
    target: random.weighted<Target>({
      work: 50,
      lane: 14,
      codemode_work: 5,
      deferred_work: 5,
      no_such_tool: 3,
      secret: 1,
      for_model: 2,
      long: 1,
    }),
    asObject: random.chance(0.2),
    arguments: args,
    pad: args === "padded" ? padOf(random, key) : undefined,
    hook: random.weighted<HookKind>({
      none: 75,
      block: 4,
      throw: 3,
      patch: 5,
      "patch-in-place": 4,
      "patch-large": 2,
      "patch-small": 3,
      "patch-invalid": 2,
    }),
    hookWaits: args !== "repaired" && random.chance(0.15),
    resultHook: random.weighted<ResultHookKind>({
      none: 88,
      content: 4,
      "mark-failed": 2,
      mend: 2,
      throw: 2,
      usage: 2,
    }),
    signal: random.weighted({ none: 80, aborted: 4, later: 16 }),
    isStubborn: random.chance(0.25),
    steps: [],
    waitsAtEnd: false,
    ending: random.weighted<EndingKind>({
      text: 40,
      nothing: 5,
      structured: 8,
      failed: 8,
      invalid: 4,
      throw: 10,
      "throw-odd": 5,
      transport: 3,
    }),
    // A pair that straddles the 500 characters of a recorded error.
    text: random.chance(0.1) ? `${"t".repeat(random.between(497, 500))}😀 end of ${key}` : `text of ${key}`,
    usage: random.weighted<UsageKind>({
      none: 40,
      plain: 20,
      cost: 15,
      flag: 10,
      unflagged: 2,
      negative: 4,
      "not-a-number": 4,
      "no-object": 4,
    }),
    amount: random.between(0, 50),
  };
}

/** A text that makes the arguments as large as the limits are, a little smaller or larger, or much larger. */
function padOf(random: Random, key: string): string {
  const bare = Buffer.byteLength(JSON.stringify({ key, pad: "" }));
  const size = random.pick([8192, 8193, 8191, random.between(100, 4000), random.between(3000, 8000), 20_000]);
  const unit = random.pick(PADS);
  const unitBytes = unit === "" ? 0 : Buffer.byteLength(JSON.stringify(unit.toWellFormed())) - 2;
  const units = unitBytes === 0 ? 0 : random.between(0, Math.min(40, Math.floor((size - bare) / unitBytes)));
  return unit.repeat(units) + "a".repeat(Math.max(0, size - bare - units * unitBytes));
}
