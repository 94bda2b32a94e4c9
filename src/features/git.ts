/** Git: what the model may see of the repository. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

/** Make it. */
export function git(
  { processes, place: { workspace } }: Pick<FeatureParts, "processes" | "place">,
): Feature {
  return {
    name: "git",
    work: async ({ mayRead }) => {
      const [{ gitTools }, { Git }] = await Promise.all([
        import("@/tools/mod.ts"),
        import("@/workspace/git.ts"),
      ]);
      return { tools: gitTools(new Git(processes, { workspace, mayRead })) };
    },
  };
}
