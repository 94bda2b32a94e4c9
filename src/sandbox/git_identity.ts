/** The part of the person's git configuration that commits need, and no more: the rest may hold helpers and tokens. */
import type { Processes } from "@/sandbox/processes.ts";
import { StartError } from "@/sandbox/spawn.ts";

const KEYS =
  /^(user\.(name|email)|init\.defaultbranch|core\.(autocrlf|eol)|merge\.conflictstyle|diff\.algorithm|pull\.rebase|push\.default|safe\.directory)$/;

const GIT_MS = 5_000;

/** A configuration file with these keys; "" where there is no git or nothing set. Never rejects. */
export async function gitIdentity(
  processes: Processes,
  notUnder: readonly string[],
): Promise<string> {
  const git = await processes.find("git", notUnder);
  if (git === undefined) return "";
  try {
    const args = ["config", "--global", "--includes", "-z", "--list"];
    const { code, stdout } = await processes.run({ program: git, args, cwd: "/" }, {
      timeoutMs: GIT_MS,
    });
    return code === 0 ? configText(stdout.text()) : "";
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return "";
  }
}

/** From `git config -z --list`: name, line feed, value, NUL. */
export function configText(listed: string): string {
  return listed.split("\0").flatMap((row) => {
    const at = row.indexOf("\n");
    const name = row.slice(0, at);
    if (at < 0 || !KEYS.test(name)) return [];
    const dot = name.indexOf(".");
    return [`[${name.slice(0, dot)}]\n\t${name.slice(dot + 1)} = ${quoted(row.slice(at + 1))}\n`];
  }).join("");
}

function quoted(value: string): string {
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')
    .replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
