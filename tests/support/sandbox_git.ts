/** Git as the person runs it, outside, with an identity and nothing of the machine's configuration. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const identity = ["-c", "user.name=Person", "-c", "user.email=person@example.com"];
  const { code, stdout, stderr } = await new Deno.Command("git", {
    args: [...identity, ...args],
    cwd,
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
    },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${text.decode(stderr)}`);
  return text.decode(stdout);
}
