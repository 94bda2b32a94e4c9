/** What rules alone say about a call, for tables of cases. */
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import { factsOf } from "@/policy/facts.ts";
import { decideByRules } from "@/policy/gate.ts";
import type { RulePlace } from "@/policy/path_rule.ts";
import { parseRule, type Rule, type Verdict } from "@/policy/rule.ts";
import { commandCall } from "./guarded_call.ts";

export type RuleTexts = Partial<Record<Verdict, readonly string[]>>;

export const PLACE: RulePlace = { workspace: "/work/shop", home: "/home/me" };

/** Rules of the person's own file. */
export function rulesOf(texts: RuleTexts): readonly Rule[] {
  const verdicts: readonly Verdict[] = ["allow", "ask", "deny"];
  return verdicts.flatMap((verdict) =>
    (texts[verdict] ?? []).map((text) =>
      parseRule(text, verdict, { kind: "personal", label: "permissions.json" })
    )
  );
}

/** The decision of rules about a call; undefined where none speaks. */
export function decisionOf(
  texts: RuleTexts,
  call: GuardedCall,
  { leaves = false, place = PLACE }: { leaves?: boolean; place?: RulePlace } = {},
): Decision | undefined {
  return decideByRules({ rules: rulesOf(texts), grants: [] }, factsOf(call, leaves), place);
}

/** "ask" where no rule speaks. */
export function verdictOf(texts: RuleTexts, call: GuardedCall | string): Verdict {
  const asked = typeof call === "string" ? commandCall(call) : call;
  return decisionOf(texts, asked)?.verdict ?? "ask";
}
