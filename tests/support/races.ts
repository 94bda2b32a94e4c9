/** Reads and writes of ours against a process in the sandbox that swaps a directory for a link all the time. */
import { join } from "node:path";
import { load } from "@/workspace/loaded.ts";
import type { Inside } from "./sandbox.ts";

const SECRET = "secret outside\n";

/** `written`: entries that came to be outside. `shown`: reads that gave what lies there. */
export type RaceCounts = { written: number; shown: number; wrote: number; read: number };

export type Race = {
  writes: number;
  reads: number;
  write(path: string, text: string): Promise<void>;
};

/** Race. The swapper has ended when it resolves. */
export async function races(
  { workspace, outside, processes, sandbox }: Inside,
  { writes, reads, write }: Race,
): Promise<RaceCounts> {
  const counts = { written: 0, shown: 0, wrote: 0, read: 0 };
  await Deno.mkdir(join(workspace, "sub"));
  await Deno.writeTextFile(join(workspace, "sub/a.txt"), "inside\n");
  await Deno.writeTextFile(join(outside, "a.txt"), SECRET);
  // Now and then it rests, with the directory or the link in place, so that every step of ours meets both.
  const swap =
    `n=1; rest() { n=$(((n * 7919 + 13) % 40009)); i=0; while [ $i -lt $n ]; do i=$((i + 1)); done; }
while :; do mv -T sub real; ln -s ${outside} sub; rest; rm sub; mv -T real sub; rest; rest; done`;
  const command = { program: "/bin/sh", args: ["-c", swap], cwd: workspace };
  const swapper = processes.start({ ...command, wrap: sandbox.wrap() });
  try {
    for (let at = 0; at < writes; at += 1) {
      if (await wrote(() => write("sub/w.txt", `${at}\n`))) counts.wrote += 1;
      counts.written += [...Deno.readDirSync(outside)].length - 1;
    }
    for (let at = 0; at < reads; at += 1) {
      const loaded = await load(join(workspace, "sub/a.txt"));
      if (loaded.kind !== "text") continue;
      counts.read += 1;
      if (new TextDecoder().decode(loaded.file.bytes) === SECRET) counts.shown += 1;
    }
  } finally {
    await swapper.kill();
  }
  if (await Deno.readTextFile(join(outside, "a.txt")) !== SECRET) counts.written += 1;
  return counts;
}

async function wrote(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}
