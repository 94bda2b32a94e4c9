/** Git: what the model may see of the repository. */
import type { Feature } from "@/compose/feature.ts";
import type { GitParts } from "./git/work.ts";

/** Make it. */
export function git(parts: GitParts): Feature {
  return {
    name: "git",
    work: async (shared) => (await import("./git/work.ts")).gitWork(parts, shared),
  };
}
