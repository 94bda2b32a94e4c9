import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { defineTool, ok } from "@/tools/spec.ts";
import type { Git } from "@/workspace/git.ts";
import { diffText } from "@/workspace/git_diff.ts";

/** Show what has changed since the last commit. */
export const gitDiff = (git: Git): ToolSpec =>
  defineTool({
    name: "git_diff",
    description: "Show what changed since the last commit, staged or not.",
    input: z.object({}),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: (_, result) =>
      result?.status === "ok" ? `git diff: ${sizeOf(result.text)}` : "look at the git diff",
    async run(_, { signal }) {
      const { repository, within } = await git.here(signal);
      return ok(await diffText(git, repository, { within, signal }));
    },
  });

function sizeOf(diff: string): string {
  const files = diff.match(/^diff --git /gm)?.length ?? 0;
  const added = diff.match(/^\+(?!\+\+ )/gm)?.length ?? 0;
  const removed = diff.match(/^-(?!-- )/gm)?.length ?? 0;
  if (files === 0) return "no change";
  return `${files} ${files === 1 ? "file" : "files"}, +${added} -${removed}`;
}
