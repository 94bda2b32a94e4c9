/**
 * Files of a workspace that other programs run or take rights from. Changing one is always a question: an allow rule for
 * all of `src` was never meant to let a model write the rules, or a hook that runs at the next commit.
 */
import type { Guard, GuardedCall } from "@/protocol/policy.ts";

/** The end of a path, in lower case: names are compared so because some disks do not tell cases apart. */
const POWER: readonly RegExp[] = [
  /\/\.?permissions\.json$/,
  /\/\.?mcp\.json$/,
  /\/\.?hooks\.json$/,
  /\/\.git$/,
  /\/\.git\/(?!description$|commit_editmsg$)/,
  /\/\.(gitmodules|gitattributes)$/,
  /\/\.husky\//,
  /\/\.(vscode|idea|zed|cursor|claude|codex|gemini|devcontainer)\//,
  /\/\.envrc$/,
  /\/\.(bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|npmrc|yarnrc(\.yml)?|pnpmfile\.cjs)$/,
  /\/\.(direnv|mise|tool-versions)(\/|$)/,
];

/** Ask before a call changes such a file. */
export function powerFiles(): Guard {
  return function powerFile(call) {
    const path = changedPowerFile(call);
    if (path === undefined) return undefined;
    const reason =
      `"${path}" gives rights to programs, or is run by them: changing it is always asked about`;
    return { verdict: "ask", by: "guard", reason };
  };
}

/** The path in a call that changes such a file, or undefined. */
export function changedPowerFile({ effect, subject }: GuardedCall): string | undefined {
  if (effect !== "changes" || subject.kind !== "path") return undefined;
  return subject.paths.find((path) => {
    if (subject.reads?.includes(path) === true) return false;
    const folded = path.normalize("NFC").replaceAll("\\", "/").toLowerCase();
    return POWER.some((pattern) => pattern.test(folded));
  });
}
