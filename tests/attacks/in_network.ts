/** Attacks that need public addresses and names: each is played in a network of its own, by this file run in there. */
import { join } from "node:path";
import { mayMakeWorld, PUBLIC_ADDRESS, runInWorld } from "../support/network_world.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { Attack } from "./case_file.ts";
import { judge, type Verdict } from "./judge.ts";
import type { ProgramParts } from "./program_parts.ts";

/** Judge it in there. */
export async function judgeInNetwork(attack: Attack, parts: ProgramParts): Promise<Verdict> {
  if (!await mayMakeWorld()) {
    return { status: "skipped", why: "needs a network of its own (unshare, ip, mount)" };
  }
  let verdict: Verdict = { status: "failed", why: "the runner said nothing" };
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(join(dir, "hosts"), hostsOf(attack));
    await Deno.writeTextFile(join(dir, "attack.json"), JSON.stringify(attack));
    const given = { ...parts, tools: [...parts.tools], commands: [...parts.commands] };
    const script = new URL(import.meta.url);
    const args = [join(dir, "attack.json"), JSON.stringify(given)];
    const { stdout, stderr } = await runInWorld(join(dir, "hosts"), { script, args });
    const last = stdout.trim().split("\n").at(-1) ?? "";
    verdict = last.startsWith("{")
      ? JSON.parse(last)
      : { status: "failed", why: `the runner in the network: ${stderr.trim() || stdout}` };
  });
  return verdict;
}

function hostsOf({ setup: { dns = {} } }: Attack): string {
  const named = Object.entries(dns).flatMap(([name, addresses]) =>
    addresses.map((address) => `${address.replaceAll("{PUBLIC}", PUBLIC_ADDRESS)} ${name}`)
  );
  return ["127.0.0.1 localhost", ...named, ""].join("\n");
}

if (import.meta.main) {
  const [file = "", given = "{}"] = Deno.args;
  const { tools, commands, hasMentions } = JSON.parse(given);
  const parts = { tools: new Set<string>(tools), commands: new Set<string>(commands), hasMentions };
  console.log(JSON.stringify(await judge(JSON.parse(await Deno.readTextFile(file)), parts)));
  Deno.exit(0);
}
