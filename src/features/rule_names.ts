/** A slip of the hand in a rule that refuses must not pass for protection: it is told before the first request. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

/** Make it. */
export function ruleNames({ live }: Pick<FeatureParts, "live">): Feature {
  return {
    name: "rule-names",
    work: async ({ policy }) => {
      const rules = policy.rulesInForce().filter(({ verdict, idle }) =>
        verdict !== "allow" && idle === undefined
      );
      if (rules.length === 0) return {};
      const [{ nameDoubt }, { toolNames }] = await Promise.all([
        import("@/lend/rule_doubt.ts"),
        import("@/tools/mod.ts"),
      ]);
      const names = toolNames();
      const doubts = rules.flatMap(({ text, verdict, from }) => {
        const doubt = nameDoubt(text, names);
        return doubt === undefined ? [] : [`${verdict} rule "${text}" (${from}): ${doubt}`];
      });
      return {
        begin: () => {
          for (const text of new Set(doubts)) live.emit({ type: "notice", level: "warn", text });
        },
      };
    },
  };
}
