/** Reads and writes of ours against a process in the sandbox that swaps a directory for a link all the time. */
import { join } from "node:path";
import { EditJournal } from "@/workspace/journal.ts";
import { load } from "@/workspace/loaded.ts";
import { placingInside } from "@/workspace/placing_inside.ts";
import type { Inside } from "./sandbox.ts";

const SECRET = "secret outside\n";

/** `written`: entries that came to be outside, or changed there. `shown`: reads that gave what lies there. */
export type RaceCounts = { written: number; shown: number; wrote: number; read: number };

/** Race, `count` writes and as many reads. The swapper has ended when it resolves. */
export async function races(inside: Inside, count: number): Promise<RaceCounts> {
  const { workspace, outside, processes, sandbox } = inside;
  const counts = { written: 0, shown: 0, wrote: 0, read: 0 };
  await Deno.mkdir(join(workspace, "sub"));
  await Deno.writeTextFile(join(workspace, "sub/a.txt"), "inside\n");
  for (const name of ["a.txt", "b.txt"]) await Deno.writeTextFile(join(outside, name), SECRET);
  // Now and then it rests, with the directory or the link in place, so that every step of ours meets both.
  const swap =
    `n=1; rest() { n=$(((n * 7919 + 13) % 160001)); i=0; while [ $i -lt $n ]; do i=$((i + 1)); done; }
while :; do
  mv -T sub real; ln -s ${outside} sub; rest
  rm -rf sub; mv -T real sub; rest; rest
done`;
  const command = { program: "/bin/sh", args: ["-c", swap], cwd: workspace };
  const swapper = processes.start({ ...command, wrap: sandbox.wrap() });
  try {
    using writer = await writerOf(inside);
    for (let at = 0; at < count; at += 1) {
      if (await succeeds(() => writer.write(at))) counts.wrote += 1;
      if (namesIn(outside) !== "a.txt b.txt") counts.written += 1;
    }
    for (let at = 0; at < count; at += 1) {
      // Spread over many swaps.
      await new Promise((resolve) => setTimeout(resolve, 1));
      const loaded = await load(join(workspace, "sub/a.txt"));
      if (loaded.kind !== "text") continue;
      counts.read += 1;
      if (new TextDecoder().decode(loaded.file.bytes) === SECRET) counts.shown += 1;
    }
  } finally {
    await swapper.kill();
  }
  for (const name of ["a.txt", "b.txt"]) {
    if (await Deno.readTextFile(join(outside, name)) !== SECRET) counts.written += 1;
  }
  return counts;
}

function namesIn(folder: string): string {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort().join(" ");
}

/** Writes as a tool does, and the last step alone of each kind, which no earlier look then keeps from trying. */
async function writerOf({ workspace, outside, state, processes, sandbox }: Inside) {
  const placing = () => placingInside({ processes, wrap: sandbox.wrap() });
  const journal = await EditJournal.open({ stateDir: state, workspace, session: "s", placing });
  return {
    async write(at: number): Promise<void> {
      const bytes = new TextEncoder().encode(`${at}\n`);
      const kind = KINDS[at % KINDS.length];
      if (kind === "edit") {
        const after = { kind: "file", bytes, mode: 0 } as const;
        const path = join(workspace, "sub/w.txt");
        const changes = [{ path, expected: "unchecked", after } as const];
        await journal.edit({ tool: "write_file", callId: "c", turn: 1, changes });
        return;
      }
      const temp = `.t${at}.tmp`;
      const free = { temp, look: () => Promise.resolve(undefined) };
      const path = join(workspace, `sub/w${at}`);
      if (kind === "file") await placing().file(path, bytes, { ...free, mode: {} });
      if (kind === "dir") await placing().dir(path, free);
      if (kind === "link") await placing().link(path, "a.txt", free);
      // As if the look had already been led astray.
      const look = () => Deno.lstat(join(outside, "b.txt"));
      if (kind === "away") await placing().away(join(workspace, "sub/b.txt"), { temp, look });
    },
    [Symbol.dispose]: () => journal.close(),
  };
}

const KINDS = ["edit", "file", "dir", "link", "away"] as const;

async function succeeds(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}
