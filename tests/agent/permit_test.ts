import { deepStrictEqual as equal } from "node:assert/strict";
import { whyNotPermitted } from "@/agent/permit.ts";
import { Slots } from "@/lib/slots.ts";
import type { Approval, Decision } from "@/protocol/policy.ts";
import { commandCall } from "../support/guarded_call.ts";

const REACH = {
  kind: "literal",
  preview: "exactly this",
  rule: { tool: "run_cmd", literal: "make test" },
} as const;

async function asked(
  decision: Decision | undefined,
  approval: Approval = { answer: "nobody" },
): Promise<{ why: string | undefined; remembered: number }> {
  let remembered = 0;
  const { tool } = commandCall("");
  const parts: Parameters<typeof whyNotPermitted>[1] = {
    tools: () => [{ ...tool, running: (command) => ({ command }) }],
    questions: new Slots(() => 1),
    guards: [() => undefined, () => decision],
    approver: () => Promise.resolve(approval),
    reachesOf: () => [REACH],
    remember: () => {
      remembered += 1;
      return Promise.resolve();
    },
  };
  const why = await whyNotPermitted("make test", parts, new AbortController().signal);
  return { why, remembered };
}

const ask: Decision = { verdict: "ask", by: "guard", reason: "no sandbox holds it" };

Deno.test("whyNotPermitted() goes by the guards, as for a command of the model's", async () => {
  const allow: Decision = { verdict: "allow", by: "sandbox", reason: "inside" };
  const deny: Decision = { verdict: "deny", by: "rule", reason: "a rule denies it" };
  equal(await asked(allow), { why: undefined, remembered: 0 });
  equal(await asked(deny), { why: "a rule denies it", remembered: 0 });
});

Deno.test("whyNotPermitted() asks the person, and without one it does not run", async () => {
  equal((await asked(ask, { answer: "yes" })).why, undefined);
  equal((await asked(ask, { answer: "no", reason: "later" })).why, "the person said no: later");
  const nobody = "nobody is here to approve it (no sandbox holds it)";
  equal((await asked(ask)).why, nobody);
  equal((await asked(undefined)).why, "nobody is here to approve it (nothing allows this call)");
});

Deno.test("whyNotPermitted() remembers an always", async () => {
  const always: Approval = { answer: "always", reach: REACH, scope: "project" };
  equal(await asked(ask, always), { why: undefined, remembered: 1 });
});
