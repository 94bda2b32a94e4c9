/** Reading inside the workspace needs no question; asking something of the network does. */
import type { Guard, GuardedCall } from "@/protocol/policy.ts";

/** Let through calls that only read, inside. `leavesMachine`: whether a call sends something out, however little. */
export function readsInWorkspace(
  leavesMachine: (call: GuardedCall) => boolean = () => false,
): Guard {
  return function readInWorkspace(call) {
    const { effect, outside, subject } = call;
    if (effect !== "reads" || outside) return undefined;
    if (subject.kind === "command" || subject.kind === "url" || leavesMachine(call)) {
      return undefined;
    }
    return { verdict: "allow", by: "guard", reason: "it only reads inside the workspace" };
  };
}
