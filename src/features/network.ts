/** The network boundary: `/network`, the question about a host, and what the model is told of refused connections. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { networkPart } from "@/lend/network.ts";
import { systemNote } from "@/lib/tool_result.ts";

type Parts = Pick<
  FeatureParts,
  "network" | "policy" | "sandbox" | "settings" | "run" | "isInteractive" | "live"
>;

/** Make it. */
export function network(parts: Parts): Feature<"network"> {
  const { network, isInteractive, live } = parts;
  return {
    name: "network",
    lend: { network: networkPart(parts) },
    work: () => {
      if (isInteractive) network.approver = live.screen.approver;
      return {
        hooks: [{
          name: "refused connections",
          // Of what runs in the background: those of a command or a snippet stand in its own result.
          beforeRequest: () => {
            const lines = network.takeRefusals();
            if (lines.length === 0) return undefined;
            return Promise.resolve(lines.map(systemNote).join("\n"));
          },
        }],
      };
    },
  };
}
