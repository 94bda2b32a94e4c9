import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { defineTool, ok } from "@/tools/spec.ts";
import type { Git } from "@/workspace/git.ts";
import { readStatus, statusText } from "@/workspace/git_status.ts";

/** Show the state of the git work tree that the workspace lies in. */
export const gitStatus = (git: Git): ToolSpec =>
  defineTool({
    name: "git_status",
    description: "Show the branch and what is staged, changed and untracked.",
    input: z.object({}),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: (_, result) =>
      result?.status === "ok" ? `git status: ${firstLine(result.text)}` : "look at the git status",
    async run(_, { signal }) {
      const { repository, within } = await git.here(signal);
      return ok(statusText(await readStatus(git, repository, signal), within));
    },
  });

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
