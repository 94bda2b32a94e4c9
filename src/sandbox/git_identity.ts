/** The part of the person's git configuration that commits need, and no more: the rest may hold helpers and tokens. */
import { join } from "@/lib/path.ts";
import { statOf } from "@/sandbox/look.ts";
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

const IGNORES_BYTES_MAX = 64 * 1024;

/** What the person has git ignore everywhere, so that a status inside says the same as one outside; "" for nothing. */
export async function gitIgnores(
  processes: Processes,
  { notUnder, env }: { notUnder: readonly string[]; env: Readonly<Record<string, string>> },
): Promise<string> {
  const git = await processes.find("git", notUnder);
  if (git === undefined) return "";
  try {
    const args = ["config", "--global", "--includes", "--path", "--get", "core.excludesFile"];
    const command = { program: git, args, cwd: "/" };
    const { stdout } = await processes.run(command, { timeoutMs: GIT_MS });
    const config = env["XDG_CONFIG_HOME"] || join(env["HOME"] ?? "/", ".config");
    const path = stdout.text().trim() || join(config, "git", "ignore");
    const size = statOf(() => Deno.statSync(path));
    if (size?.isFile !== true || size.size > IGNORES_BYTES_MAX) return "";
    return statOf(() => Deno.readTextFileSync(path)) ?? "";
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
