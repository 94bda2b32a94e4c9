/** What `/sandbox` is lent. */
import type { AppParts } from "@/compose/parts.ts";
import type { SandboxPart } from "@/terminal/commands/lent/sandbox.ts";

/** Build it. */
export function sandboxPart({ sandbox }: Pick<AppParts, "sandbox">): SandboxPart {
  return {
    describe: async () => {
      const { boundaryText } = await import("@/sandbox/boundary.ts");
      return boundaryText((await sandbox.ready()).describe());
    },
  };
}
