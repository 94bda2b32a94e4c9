/** Sub-agents: the tool that hires one, and what of them is at work now. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { Agents } from "./subagents/agents.ts";

/** What the program waits for agents that were stopped when it ends. */
const STOP_WAIT_MS = 500;

/** Make it. */
export function subagents(parts: FeatureParts): Feature {
  let agents: Agents | undefined;
  return {
    name: "sub-agents",
    work: async () => {
      const [{ Agents }, { agentTools }] = await Promise.all([
        import("./subagents/agents.ts"),
        import("@/tools/mod.ts"),
      ]);
      const made = agents = new Agents(parts);
      return {
        isOwn: true,
        tools: agentTools(),
        hire: (brief, signal) => made.hire(brief, signal),
      };
    },
    alive: () => Promise.resolve(agents?.rows() ?? []),
    close: async () => {
      if (agents !== undefined) await settlesWithin(agents.stop(), STOP_WAIT_MS);
    },
  };
}
