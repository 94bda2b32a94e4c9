/**
 * Rules that are tried in their order, as a profile has them: the first that speaks decides. An allow needs every part of
 * a call, a deny or an ask one; what cannot be checked against a deny is asked about. Pure: no file is touched.
 */
import type { Decision } from "@/protocol/policy.ts";
import type { Facts } from "./facts.ts";
import { decideByRules } from "./gate.ts";
import type { RulePlace } from "./path_rule.ts";
import type { Origin, Rule, Verdict } from "./rule.ts";

/** The rules of one profile. */
export type OrderedRules = {
  /** In their order. The rules of one entry differ only in tool and pattern, and allow a call together. */
  readonly entries: readonly (readonly Rule[])[];
  /** What happens with a call that no rule at all speaks about; absent where that is decided as without a profile. */
  readonly otherwise?: { readonly verdict: Verdict; readonly origin: Origin };
};

/** What the first rule that speaks says; undefined where none does. */
export function decideInOrder(
  { entries }: OrderedRules,
  facts: Facts,
  place: RulePlace,
): Decision | undefined {
  for (const rules of entries) {
    const decision = decideByRules({ rules, grants: [] }, facts, place);
    if (decision !== undefined) return decision;
  }
  return undefined;
}

/** What a profile says of calls that no rule speaks about. It lets nothing out of the workspace or the sandbox. */
export function decideOtherwise(
  { otherwise }: OrderedRules,
  { leaves, outside }: Pick<Facts, "leaves" | "outside">,
): Decision | undefined {
  if (otherwise === undefined) return undefined;
  const { verdict, origin } = otherwise;
  if (verdict === "allow" && (leaves || outside)) return undefined;
  const reason = `no rule speaks about it, and the default there is ${verdict} (${origin.label})`;
  return { verdict, by: "rule", reason };
}
