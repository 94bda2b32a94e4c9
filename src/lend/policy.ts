/** What `/perms` is lent. */
import { PersonError } from "@/protocol/error.ts";
import type { AppParts } from "@/compose/parts.ts";
import type { PolicyPart } from "@/terminal/commands/lent/policy.ts";
import { done, refused } from "@/terminal/commands/spec.ts";
import type { CheckParts } from "./policy_check.ts";

/** Build it. */
export function policyPart(
  parts: Pick<AppParts, "policy">,
  check: () => Promise<CheckParts>,
): PolicyPart {
  return {
    describe: async () => {
      const policy = await parts.policy();
      const rows = policy.rulesInForce().map(({ text, verdict, from, idle }) =>
        `  ${verdict.padEnd(5)}  ${text}  (${from})${
          idle === undefined ? "" : `  does nothing: ${idle}`
        }`
      );
      const body = rows.length === 0 ? ["No rules: everything that changes something asks"] : rows;
      return [...body, ...policy.problems.map((problem) => `problem: ${problem}`)].join("\n");
    },
    add: async (verdict, rule) => {
      try {
        await (await parts.policy()).add(rule, verdict, "project");
      } catch (error) {
        if (!(error instanceof Error) || error instanceof PersonError) throw error;
        return refused(error.message);
      }
      const saved = `${verdict} ${rule.trim()} is in force for this project, and saved`;
      const { ruleDoubt } = await import("./rule_doubt.ts");
      const doubt = ruleDoubt(rule.trim(), (await check()).tools);
      return done(doubt === undefined ? saved : `${saved}\n${doubt}`);
    },
    reload: async () => {
      const policy = await parts.policy();
      await policy.reload();
      const { problems } = policy;
      return done(["The rule files were read again", ...problems].join("\n"));
    },
    check: async (call) => {
      const { checkCall } = await import("./policy_check.ts");
      return await checkCall(call, await check());
    },
  };
}
