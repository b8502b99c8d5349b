// DESIGN 8.1: a policy decides by name and argument; deny beats ask beats allow; a mistake in it is an error.

import fc from "fast-check";
import { createExecutor, type ToolCallOutcome } from "nestcall";
import { policyGuard, readPolicy } from "nestcall/guards";
import { expect, test } from "vitest";
import { caller, endOf, tool } from "../helpers/engine.js";

const named = (name: string, annotations = {}) => ({ name, annotations });
const READ = { readOnlyHint: true };

test("8.1: deny beats ask beats allow, in whatever order they stand", () => {
  const policy = readPolicy({ allow: ["*"], ask: ["mcp__git__*"], deny: ["mcp__*__delete_*"] });
  const verdicts = ["read", "mcp__git__log", "mcp__git__delete_branch"].map(
    (name) => policy.decide(named(name)).verdict,
  );
  expect(verdicts).toEqual(["allow", "ask", "deny"]);
  expect(policy.decide(named("mcp__git__delete_branch"))).toEqual({
    verdict: "deny",
    basis: "rule",
    rule: 'deny[0] "mcp__*__delete_*"',
    reason: 'the rule deny[0] "mcp__*__delete_*" says deny',
  });
});

test("8.1: without a rule a tool that claims to be read-only is allowed, any other is asked for; the basis is its hint", () => {
  const policy = readPolicy({});
  expect(policy.decide(named("a", READ))).toMatchObject({ verdict: "allow", basis: "hint" });
  for (const annotations of [{}, { readOnlyHint: false }, { destructiveHint: false }]) {
    expect(policy.decide(named("a", annotations))).toMatchObject({ verdict: "ask", basis: "hint" });
  }
});

test("8.1: a rule with conditions holds when every argument is there and fits", () => {
  const policy = readPolicy({
    deny: [{ tool: "bash", when: { command: "*rm -rf*", timeout: "1*" } }],
    allow: ["bash"],
  });
  const decide = (args: unknown) => policy.decide(named("bash"), args).verdict;
  expect(decide({ command: "sudo rm -rf /", timeout: 10 })).toBe("deny");
  expect(decide({ command: "sudo rm -rf /", timeout: 20 })).toBe("allow");
  expect(decide({ command: "sudo rm -rf /" })).toBe("allow");
  expect([decide(undefined), decide("rm -rf"), decide([])]).toEqual(["allow", "allow", "allow"]);
  expect(policy.hides("bash")).toBe(false);
});

test("8.1: inside a list or an object a condition finds every text, number and boolean, but never to allow", () => {
  const rule = { tool: "bash", when: { argv: "rm" } };
  const decide = (definition: object, argv: unknown) => readPolicy(definition).decide(named("bash"), { argv }).verdict;
  const inside = [["rm", "-rf", "/"], [["sudo", { then: ["rm"] }]], { command: "rm" }, { a: { b: { c: "rm" } } }];
  for (const argv of [...inside, "rm"]) {
    expect(decide({ allow: ["bash"], deny: [rule] }, argv)).toBe("deny");
    expect(decide({ allow: ["bash"], ask: [rule] }, argv)).toBe("ask");
  }
  for (const argv of [["ls"], [], {}, { rm: 1 }, [null], null, undefined]) {
    expect(decide({ allow: ["bash"], deny: [rule] }, argv)).toBe("allow");
  }
  for (const argv of inside) expect(decide({ allow: [rule] }, argv)).toBe("ask");
  expect(decide({ allow: [{ tool: "bash", when: { argv: "*" } }] }, ["rm"])).toBe("ask");
  expect(decide({ allow: [rule] }, "rm")).toBe("allow");
  const deny = (argv: string) => ({ allow: ["bash"], deny: [{ tool: "bash", when: { argv } }] });
  expect(decide(deny('["rm",*'), ["rm", "x"])).toBe("deny");
  expect([decide(deny("7"), [{ a: 7 }]), decide(deny("true"), [true]), decide(deny("7"), [77])]).toEqual([
    "deny",
    "deny",
    "allow",
  ]);
});

test("8.1: a tool that is denied whatever its arguments are is hidden", () => {
  const policy = readPolicy({ deny: ["mcp__x__*", { tool: "plain" }] });
  expect(["mcp__x__y", "plain", "other"].map((name) => policy.hides(name))).toEqual([true, true, false]);
});

test.each([
  [{ deny: null }, /^policy\.deny must be a list of rules, not null/],
  [{ deny: [{ tool: "a", when: null }] }, /^policy\.deny\[0\]\.when must be an object/],
  [[], /^policy must be an object with allow, ask and deny/],
  [{ alow: [] }, /^policy has no "alow"; did you mean "allow"\?/],
  [{ deny: "mcp__*" }, /^policy\.deny must be a list of rules/],
  [{ deny: [1] }, /^policy\.deny\[0\] must be a name or/],
  [{ ask: [{ tool: "a", where: {} }] }, /^policy\.ask\[0\] has no "where"; did you mean "when"\?/],
  [{ ask: [{ when: {} }] }, /^policy\.ask\[0\]\.tool must be a name/],
  [{ allow: ["a", { tool: "b", when: { c: 1 } }] }, /^policy\.allow\[1\]\.when\.c must be a pattern/],
  [{ deny: ["delete file"] }, /^policy\.deny\[0\] must be the name of a tool/],
  [{ deny: [""] }, /^policy\.deny\[0\] must be the name of a tool/],
])("8.1: %j is refused with its place", (definition, message) => {
  expect(() => readPolicy(definition)).toThrow(message);
});

/** How `target` ends when a tool calls it under the policy. */
async function under(definition: object, confirm?: Parameters<typeof policyGuard>[1]): Promise<ToolCallOutcome> {
  const outcomes: ToolCallOutcome[] = [];
  const top = caller("top", [["target", { path: "a" }]], outcomes, { effect: "read" });
  const executor = createExecutor({ tools: [tool("target", () => "ran"), top] });
  executor.on("tool_call", policyGuard(readPolicy(definition), confirm));
  await executor.executeTool("top");
  return outcomes[0] as ToolCallOutcome; // top makes one call
}

test("8.1: as a guard it denies, asks, and refuses what cannot be asked for, with the rule and how to allow it", async () => {
  expect((await under({ deny: ["target"] })).error?.message).toBe(
    'target is denied: the rule deny[0] "target" says deny',
  );
  expect((await under({})).error?.message).toMatch(
    /^target needs approval \(no rule fits.*add "target" to policy\.allow\.$/,
  );
  expect(endOf(await under({ allow: ["target"] }))).toBe("ok");
  const asked: unknown[] = [];
  const confirm = (answer: unknown) => ({
    confirm: (request: { readonly arguments: unknown }, decision: { readonly verdict: string }) => {
      asked.push([request.arguments, decision.verdict]);
      return answer as boolean;
    },
  });
  expect(endOf(await under({ ask: ["target"] }, confirm(true)))).toBe("ok");
  expect((await under({ ask: ["target"] }, confirm(false))).error?.message).toMatch(
    /^target was not approved .*To allow it without asking, add "target" to policy\.allow\.$/,
  );
  expect((await under({ ask: ["target"] }, confirm("yes"))).error?.message).toMatch(/^target was not approved/);
  expect((await under({ ask: ["target"] }, confirm(undefined))).error?.message).toMatch(/nobody can be asked/);
  expect(asked).toHaveLength(4);
  expect(asked[0]).toEqual([{ path: "a" }, "ask"]);
});

test("8.1: whatever fits, the strictest rule wins", () => {
  const names = fc.array(fc.constantFrom("a", "b", "a*", "*b", "*", "ab"), { maxLength: 3 });
  fc.assert(
    fc.property(names, names, names, fc.constantFrom("a", "b", "ab", "ba"), (allow, ask, deny, name) => {
      const fits = (rules: readonly string[]) =>
        rules.some((rule) => new RegExp(`^${rule.replaceAll("*", ".*")}$`).test(name));
      const expected = fits(deny) ? "deny" : fits(ask) ? "ask" : fits(allow) ? "allow" : "ask";
      expect(readPolicy({ allow, ask, deny }).decide(named(name)).verdict).toBe(expected);
    }),
  );
});
