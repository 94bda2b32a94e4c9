/** What turns work with for git. */
import type { FeatureParts, FeatureWork, Shared } from "@/compose/feature.ts";
import { readingWrapper } from "@/compose/sandbox.ts";
import { gitTools } from "@/tools/mod.ts";
import { Git } from "@/workspace/git.ts";

/** What it needs of the conversation. */
export type GitParts = Pick<FeatureParts, "run" | "processes" | "sandbox" | "place">;

/** Make it. */
export function gitWork(parts: GitParts, { mayRead }: Pick<Shared, "mayRead">): FeatureWork {
  const { processes, place: { workspace } } = parts;
  const wrap = readingWrapper(parts);
  return { tools: gitTools(new Git(processes, { workspace, mayRead, wrap })) };
}
