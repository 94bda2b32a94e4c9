/** Runs a script in a child process that sees a file system of 64 KiB, to meet a full disk for real. */
import { join } from "node:path";

const CONFIG = join(import.meta.dirname ?? "", "../../deno.json");

/** Whether this machine can make a small file system (Linux with bubblewrap and user namespaces). */
export function canFillDisk(): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    const args = ["--dev-bind", "/", "/", "--size", "65536", "--tmpfs", "/mnt", "--", "true"];
    return new Deno.Command("bwrap", { args, stderr: "null" }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** What the script prints. It gets the path of the small file system, `<dir>/full`, as its argument. */
export async function runOnSmallDisk(script: string, dir: string): Promise<string> {
  const full = join(dir, "full");
  const file = join(dir, "on_small_disk.ts");
  await Deno.writeTextFile(file, script);
  await Deno.mkdir(full);
  const mount = ["--dev-bind", "/", "/", "--size", "65536", "--tmpfs", full, "--"];
  const grants = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"];
  const run = [Deno.execPath(), "run", "-q", "--config", CONFIG, ...grants, file, full];
  const output = await new Deno.Command("bwrap", { args: [...mount, ...run], stderr: "inherit" })
    .output();
  return new TextDecoder().decode(output.stdout);
}
