/** Ending a command with everything it started. */
import { settlesWithin } from "@/lib/within.ts";
import { membersOf, type ProcessRow, readTable, type Tree } from "@/sandbox/process_table.ts";
import { type Launch, launch, signalGroup, signalProcess } from "@/sandbox/spawn.ts";
import { readAll } from "@/sandbox/read_all.ts";

/** Rounds of looking for what is left; a fork between two of them is caught by the next. */
const ROUNDS_MAX = 5;

/** How to end it. */
export type KillOptions = {
  /** Time between the friendly signal and the one that cannot be refused, in milliseconds. */
  graceMs: number;
  /** Settles when the process that was started has ended. */
  ended: Promise<unknown>;
  helperEnv: Launch["env"];
};

/**
 * End a tree: SIGTERM, then SIGKILL to whatever is left, also to what left its session, as far as it is marked or was
 * below us when this began. Resolves when nothing is left that could be found.
 */
export async function killTree(tree: Tree, options: KillOptions): Promise<void> {
  if (Deno.build.os === "windows") return await killWindowsTree(tree.pid, options);
  const members = async (before: readonly ProcessRow[] = []) =>
    membersOf(tree, await readTable(tree.mark, options.helperEnv), before);
  // Before anything dies: a death cuts the links by which the others are found.
  const before = await members();
  signalGroup(tree.pid, "SIGTERM");
  for (const { pid, pgid } of before) if (pgid !== tree.pid) signalProcess(pid, "SIGTERM");
  await settlesWithin(options.ended, options.graceMs);
  // It goes last, or what it has taken in would be nobody's; until then it starts nothing.
  if (tree.isAdopting === true) signalProcess(tree.pid, "SIGSTOP");
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (tree.isAdopting !== true) signalGroup(tree.pid, "SIGKILL");
    const left = (await members(before)).filter(({ pid }) => pid !== tree.pid);
    if (left.length === 0) break;
    for (const { pid } of left) signalProcess(pid, "SIGKILL");
  }
  signalGroup(tree.pid, "SIGKILL");
}

async function killWindowsTree(pid: number, { helperEnv }: KillOptions): Promise<void> {
  const args = ["/PID", String(pid), "/T", "/F"];
  await readAll(launch({ program: "taskkill.exe", args, cwd: ".", env: helperEnv, stdin: "null" }));
}
