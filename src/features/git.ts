/** Git: what the model may see of the repository. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

/** Make it. */
export function git(
  { run, processes, sandbox, place: { workspace } }: Pick<
    FeatureParts,
    "run" | "processes" | "sandbox" | "place"
  >,
): Feature {
  return {
    name: "git",
    work: async ({ mayRead }) => {
      const [{ readingWrapper }, { gitTools }, { Git }] = await Promise.all([
        import("@/compose/sandbox.ts"),
        import("@/tools/mod.ts"),
        import("@/workspace/git.ts"),
      ]);
      const wrap = readingWrapper({ run, processes, sandbox });
      return { tools: gitTools(new Git(processes, { workspace, mayRead, wrap })) };
    },
  };
}
