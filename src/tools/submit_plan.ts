/** Put a plan before the person, who approves, rejects, or says what is to be changed in it. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { META_STAYS } from "@/lib/tool_meta.ts";
import { defineTool, denied, ok } from "./spec.ts";

const APPROVE = "approve: carry it out";
const REJECT = "reject";

/** What the tool works with. */
export type PlanParts = {
  /** The person has approved a plan: what only reads may change things from now on. */
  onApproved(): void;
};

export const submitPlan = (plans: PlanParts): ToolSpec =>
  defineTool({
    name: "submit_plan_for_approval",
    asksPerson: true,
    description:
      "Put your plan before the user before you carry it out; they approve it, reject it or change it.",
    input: z.object({
      context_discovered: z.string().trim().min(1)
        .describe("What you found out"),
      diff_blueprint: z.string().trim().min(1)
        .describe("What will change, file by file"),
      verification_steps: z.string().trim().min(1)
        .describe("How it will be checked"),
    }),
    aliases: {
      context_discovered: ["context"],
      diff_blueprint: ["plan", "blueprint", "changes"],
      verification_steps: ["verification", "steps"],
    },
    otherNames: ["exit_plan_mode"],
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: (_input, result) => {
      if (result === undefined) return "submit a plan";
      const { plan } = result.meta ?? {};
      return plan === undefined ? "submitted a plan" : `submitted a plan: ${plan}`;
    },
    async run(input, host) {
      const text = [
        "Carry out this plan? Your own words say what should be different.",
        ...[`Found: ${input.context_discovered}`, `To change: ${input.diff_blueprint}`],
        `To check: ${input.verification_steps}`,
      ].join("\n");
      const question = { text, options: [APPROVE, REJECT], freeText: true };
      const [given = ""] = await host.ask([question]) ?? [];
      const answer = given.trim();
      if (answer === APPROVE || /^approved?$/i.test(answer)) {
        plans.onApproved();
        return ok("The user approved the plan. Carry it out as it stands.", {
          meta: { plan: "approved", [META_STAYS]: "plan" },
        });
      }
      if (answer === "") {
        return denied("The plan is not approved: the user gave no answer. Change nothing.", {
          meta: { plan: "not answered" },
        });
      }
      if (answer === REJECT || /^rejected?$/i.test(answer)) {
        return denied("The user rejected the plan. Change nothing; ask what they want instead.", {
          meta: { plan: "rejected" },
        });
      }
      return ok(
        `The user wants the plan changed before it is carried out: ${answer}\nRevise it and submit it again.`,
        { meta: { plan: "to be revised" } },
      );
    },
  });
