/** What turns work with for git. In one file: each import() of a piece of it would cost a turn as much as the piece. */
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
