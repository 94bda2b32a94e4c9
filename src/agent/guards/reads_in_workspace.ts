/** Reading inside the workspace needs no question; asking something of the network, or at a price, does. */
import type { Guard } from "@/protocol/policy.ts";

/** Let through calls that only read, inside. */
export function readsInWorkspace(): Guard {
  return function readInWorkspace({ effect, outside, subject, tool }) {
    if (effect !== "reads" || outside || tool.costs === true) return undefined;
    if (subject.kind === "command" || subject.kind === "url") return undefined;
    return { verdict: "allow", by: "guard", reason: "it only reads inside the workspace" };
  };
}
