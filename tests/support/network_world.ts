/** A network of our own with one public address and names of our choosing, where this machine lets us make one. */
import { fileURLToPath } from "node:url";
import { programHere } from "./sandbox.ts";

/** The public address in it. */
export const PUBLIC_ADDRESS = "93.184.216.34";

const SCRIPT = fileURLToPath(new URL("../testdata/network_world.sh", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

let can: Promise<boolean> | undefined;

/** Containers often do not let a user make such namespaces. */
export function mayMakeWorld(): Promise<boolean> {
  can ??= (async () => {
    const programs = await Promise.all(["unshare", "ip", "mount"].map(programHere));
    if (programs.includes(undefined)) return false;
    const args = ["-rnm", "sh", "-c", "ip link set lo up && mount --bind /etc/hosts /etc/hosts"];
    return (await new Deno.Command("unshare", { args, stdin: "null", stderr: "null" }).output())
      .success;
  })();
  return can;
}

/** Run a script of ours in one, with all rights there. `hosts`: the path of its hosts file. Resolves to what it printed. */
export async function runInWorld(
  hosts: string,
  { script, args }: { script: URL; args: readonly string[] },
): Promise<{ stdout: string; stderr: string }> {
  const { stdout, stderr } = await new Deno.Command("unshare", {
    args: [
      ...["-rnm", "sh", SCRIPT, hosts],
      ...[Deno.execPath(), "run", "-q", "--no-prompt", "--no-check", "--allow-all"],
      ...["--config", CONFIG, fileURLToPath(script), ...args],
    ],
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { stdout: text.decode(stdout), stderr: text.decode(stderr) };
}
