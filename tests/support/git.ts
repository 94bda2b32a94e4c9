import type { Processes } from "@/sandbox/processes.ts";

/** Git as the person would run it in a test: with an identity, without the config of the machine. */
export async function personGit(
  processes: Processes,
  cwd: string,
  ...args: string[]
): Promise<string> {
  const identity = ["-c", "user.name=Jo", "-c", "user.email=jo@example.org"];
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", LC_ALL: "C" };
  const { code, stdout, stderr } = await processes.run({
    program: "git",
    args: [...identity, "-c", "init.defaultBranch=main", ...args],
    cwd,
    env,
  }, { timeoutMs: 20_000 });
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.text()}`);
  return stdout.text();
}
