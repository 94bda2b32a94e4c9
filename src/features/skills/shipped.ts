/** The skills that come with harness, as text of the program: they are copied when the person says so, and never used as they are. */
import codeReview from "@skills/code-review/SKILL.md" with { type: "text" };
import gitCommit from "@skills/git-commit/SKILL.md" with { type: "text" };

/** Name → its SKILL.md. */
export const SHIPPED: Readonly<Record<string, string>> = {
  "code-review": codeReview,
  "git-commit": gitCommit,
};
