/** A script of tests/support/ in a process of its own. */
import { ok } from "node:assert/strict";

/** Run it with one argument; what it prints is JSON. `flags` are Deno's. */
export async function runChild(
  name: string,
  argument: string,
  flags: readonly string[] = [],
): Promise<unknown> {
  const script = new URL(name, import.meta.url).pathname;
  const rights = ["--no-prompt", "--allow-net", "--allow-read", "--allow-env"];
  const args = ["run", "-q", ...rights, ...flags, script, argument];
  const command = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "piped" });
  const { stdout, stderr, success } = await command.output();
  ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
