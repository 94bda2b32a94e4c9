/**
 * Kills a real process in the middle of its edits, undos and redos, then opens the journal and takes everything back.
 * `deno test tests/workspace/crash_test.ts -- --kills=200` tries more.
 */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { listEdits, undo } from "@/workspace/undo.ts";
import { type Tree, withTree } from "./journal_tree.ts";

const CONFIG = join(import.meta.dirname ?? "", "../../deno.json");
const CHILD = join(import.meta.dirname ?? "", "crash_child.ts");
const GRANTS = [
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-sys",
  "--allow-run",
];

/** How many times the process is killed, of each kind. */
const KILLS = Number(Deno.args.find((arg) => arg.startsWith("--kills="))?.slice(8) ?? "12");

function plant(tree: Tree): Record<string, string> {
  tree.put("a", "a, the person's");
  tree.put("b", "b, the person's", 0o600);
  tree.put("script.sh", "echo", 0o755);
  tree.put("own/file", "mine");
  Deno.symlinkSync("a", tree.path("link"));
  return tree.shot();
}

function start(tree: Tree, { killAt = 0, first = 0 }): Deno.ChildProcess {
  const args = [
    "run",
    "-q",
    "--config",
    CONFIG,
    ...GRANTS,
    CHILD,
    tree.ws,
    tree.state,
    String(killAt),
    String(first),
  ];
  return new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
}

async function untilReady(child: Deno.ChildProcess): Promise<void> {
  const reader = child.stdout.getReader();
  equal(new TextDecoder().decode((await reader.read()).value), "ready\n");
  await reader.cancel();
}

/** Whatever was happening: nothing is torn, nothing is left lying about, and everything can be taken back. */
async function check(tree: Tree, original: Record<string, string>): Promise<void> {
  const journal = await tree.journal({ session: "crashing" });
  const shot = tree.shot();
  for (const [rel, entry] of Object.entries(shot)) {
    ok(!rel.includes(".harness-"), `left over: ${rel}`);
    ok(entry === original[rel] || / end\n$|^dir$/.test(entry), `torn: ${rel} ${entry}`);
  }
  const standing = (await listEdits(journal)).filter(({ state }) => state === "live").length;
  for (let i = 0; i < standing; i++) {
    const result = await undo(journal);
    ok(result.ok, result.ok ? "" : `${result.reason} ${JSON.stringify(tree.lines(), null, 1)}`);
  }
  equal(tree.shot(), original);
  journal.close();
}

Deno.test({
  name: "a process killed at any step of the journal leaves nothing that cannot be taken back",
  ignore: Deno.build.os === "windows",
  async fn(t) {
    for (let kill = 1; kill <= KILLS; kill++) {
      // Spread over the operations: each starts with another one and dies at another step.
      const [first, killAt] = [kill % 9, 1 + (kill * 5) % 23];
      await t.step(`operation ${first} on, step ${killAt}`, async () => {
        await withTree(async (tree) => {
          const original = plant(tree);
          const child = start(tree, { killAt, first });
          await untilReady(child);
          equal((await child.status).signal, "SIGKILL");
          await check(tree, original);
        });
      });
    }
  },
});

Deno.test({
  name: "a process killed at any moment leaves nothing that cannot be taken back, time after time",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTree(async (tree) => {
      const original = plant(tree);
      for (let kill = 0; kill < KILLS; kill++) {
        const child = start(tree, { first: kill });
        await untilReady(child);
        await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 100));
        child.kill("SIGKILL");
        await child.status;
        await check(tree, original);
      }
    });
  },
});
