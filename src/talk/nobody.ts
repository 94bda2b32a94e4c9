/** Who answers where there is no person: nobody, at once. */
import type { Approver, Asker } from "@/protocol/policy.ts";

export const NOBODY: { readonly approver: Approver; readonly asker: Asker } = {
  approver: () => Promise.resolve({ answer: "nobody" }),
  asker: () => Promise.resolve(undefined),
};
