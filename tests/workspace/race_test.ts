/** A process that swaps a directory of the workspace for a link to the outside while edits run in it (attack PC-021). */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import {
  ChangedSince,
  type EditJournal,
  type EntryState,
  PlaceChanged,
} from "@/workspace/journal.ts";
import { ABSENT, file, type Tree, withTree } from "./journal_tree.ts";

/** Exchanges the two names in one step, in bursts as fast as it can, so that edits get through between them. */
const SWAPPER = `
import ctypes, os, random, sys, time
sub, out = (os.fsencode(arg) for arg in sys.argv[1:])
os.symlink(out, sub + b".link")
libc = ctypes.CDLL(None, use_errno=True)
print("ready", flush=True)
while not os.path.exists(sub + b".stop"):
    time.sleep(random.random() * 0.004)
    for _ in range(2 * random.randrange(1, 300)):
        if libc.renameat2(-100, sub, -100, sub + b".link", 2) != 0:
            sys.exit(os.strerror(ctypes.get_errno()))
print("stopped", flush=True)
`;

const TRIES = 250;

function shotOf(dir: string): Record<string, string> {
  const shot: Record<string, string> = {};
  for (const { name } of Deno.readDirSync(dir)) shot[name] = Deno.readTextFileSync(join(dir, name));
  return shot;
}

async function whileSwapping(tree: Tree, out: string, body: () => Promise<void>): Promise<void> {
  const args = ["-c", SWAPPER, tree.path("sub"), out];
  const child = new Deno.Command("python3", { args, stdout: "piped" }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const line = async () => {
    let text = "";
    while (!text.endsWith("\n")) text += (await reader.read()).value ?? "\n";
    return text;
  };
  equal(await line(), "ready\n");
  try {
    await body();
  } finally {
    Deno.writeTextFileSync(tree.path("sub.stop"), "");
    equal(await line(), "stopped\n");
    await reader.cancel();
    await child.status;
  }
}

/** Edits of every kind, each either done or refused with a reason. */
async function tryEdits(
  journal: EditJournal,
  tree: Tree,
): Promise<{ done: number; refused: number }> {
  const count = { done: 0, refused: 0 };
  const kinds: ((i: number) => { rel: string; after: EntryState })[] = [
    (i) => ({ rel: "sub/w.txt", after: file(`canary ${i}`) }),
    (i) => ({ rel: `sub/new${i}`, after: file(`canary ${i}`) }),
    () => ({ rel: "sub/w.txt", after: ABSENT }),
    (i) => ({ rel: `sub/d${i}/e/f`, after: file(`canary ${i}`) }),
    (i) => ({ rel: `sub/dir${i}`, after: { kind: "dir" } }),
  ];
  for (let i = 0; i < TRIES; i++) {
    const edit = kinds[i % kinds.length]?.(i);
    if (edit === undefined) continue;
    const changes = [{
      path: tree.path(edit.rel),
      expected: "unchecked" as const,
      after: edit.after,
    }];
    try {
      await journal.edit({ tool: "write_file", callId: "c", turn: 1, changes });
      count.done++;
    } catch (error) {
      const isRefusal = error instanceof PlaceChanged || error instanceof ChangedSince ||
        (error instanceof Error && "code" in error);
      if (!isRefusal) throw error;
      count.refused++;
    }
  }
  return count;
}

Deno.test({
  name: "edit() changes nothing outside while a directory is swapped for a link to there",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withTree(async (tree) => {
      tree.put("sub/w.txt", "inside");
      const out = join(tree.dir, "out");
      Deno.mkdirSync(out);
      // The outside has a file of the same name, which must be neither replaced nor deleted.
      Deno.writeTextFileSync(join(out, "w.txt"), "outside");
      const journal = await tree.journal();
      await whileSwapping(tree, out, async () => {
        const { done, refused } = await tryEdits(journal, tree);
        ok(done > 0 && refused > 0, `done ${done}, refused ${refused}`);
      });
      equal(shotOf(out), { "w.txt": "outside" });
      await tree.journal({ session: "after" });
      equal(Object.keys(tree.shot()).filter((rel) => rel.includes(".harness-")), []);
    });
  },
});
