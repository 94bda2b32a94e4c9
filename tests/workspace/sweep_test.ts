import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { EditJournal, type UndoLimits } from "@/workspace/journal.ts";
import { listEdits, undo } from "@/workspace/undo.ts";
import { sweepAll } from "@/workspace/sweep.ts";
import { file, type Tree, withTree, write } from "./journal_tree.ts";

const PLENTY: UndoLimits = { daysMax: 30, bytesMax: 1e9, allBytesMax: 1e9 };
const START = Date.parse("2026-01-01T00:00:00Z");
const DAY_MS = 86_400_000;

/** One edit a day of a file that hardly compresses, in a session that then ends. */
async function editDaily(
  tree: Tree,
  { days, session = "old" }: { days: number; session?: string },
): Promise<void> {
  let day = 0;
  const journal = await tree.journal({ session, now: () => new Date(START + day * DAY_MS) });
  for (; day < days; day++) await write(journal, tree.path("a"), { after: file(noise()) });
  journal.close();
}

function noise(): string {
  return crypto.getRandomValues(new Uint8Array(5000)).toHex();
}

function blobsOf(store: string): string[] {
  return [...Deno.readDirSync(join(store, "blobs"))].flatMap(({ name }) =>
    [...Deno.readDirSync(join(store, "blobs", name))].map((rest) => name + rest.name)
  );
}

Deno.test("sweepAll() frees what is too old, says so in the list and in the refusal", async () => {
  await withTree(async (tree) => {
    await editDaily(tree, { days: 10 });
    const now = new Date(START + 35 * DAY_MS);
    const swept = await sweepAll(tree.state, { limits: PLENTY, now, keepNewest: 2 });
    equal([swept.edits, swept.blobs], [5, 4]);
    const journal = await tree.journal({ session: "new" });
    const states = (await listEdits(journal)).map(({ state }) => state);
    equal(states, [...Array(5).fill("live"), ...Array(5).fill("too old")]);
    // The newest five go back, to bytes that the sixth shares with them; then there is nothing to go back to.
    for (let i = 0; i < 5; i++) ok((await undo(journal, { session: "old" })).ok);
    const refused = await undo(journal, { session: "old" });
    ok(!refused.ok && refused.reason.startsWith("Too old"));
    equal((await sweepAll(tree.state, { limits: PLENTY, now, keepNewest: 2 })).edits, 0);
  });
});

Deno.test("sweepAll() frees the oldest until the rest fits", async () => {
  await withTree(async (tree) => {
    await editDaily(tree, { days: 10 });
    const now = new Date(START + 10 * DAY_MS);
    const limits = { ...PLENTY, bytesMax: 30_000 };
    const swept = await sweepAll(tree.state, { limits, now, keepNewest: 1 });
    ok(swept.edits >= 4 && swept.edits < 10, `${swept.edits} edits`);
    const kept = blobsOf(tree.storeDir()).length;
    equal(kept, 11 - 1 - swept.blobs);
    const journal = await tree.journal({ session: "new" });
    ok((await undo(journal, { session: "old" })).ok);
  });
});

Deno.test("sweepAll() never frees the newest edits, nor those of a session that lives", async () => {
  await withTree(async (tree) => {
    await editDaily(tree, { days: 5 });
    const now = new Date(START + 999 * DAY_MS);
    const limits = { daysMax: 1, bytesMax: 0, allBytesMax: 0 };
    equal((await sweepAll(tree.state, { limits, now })).edits, 0);
    equal((await sweepAll(tree.state, { limits, now, keepNewest: 4 })).edits, 1);
    const alive = await tree.journal({ session: "old" });
    equal((await sweepAll(tree.state, { limits, now, keepNewest: 0 })).edits, 0);
    alive.close();
    equal((await sweepAll(tree.state, { limits, now, keepNewest: 0 })).edits, 4);
    equal(blobsOf(tree.storeDir()), []);
  });
});

Deno.test("sweepAll() keeps all workspaces together within their limit, least recently used first", async () => {
  await withTree(async (tree) => {
    await editDaily(tree, { days: 4 });
    const first = tree.storeDir();
    Deno.utimeSync(join(first, "journal.jsonl"), 1, 1);
    const other = join(tree.dir, "other");
    Deno.mkdirSync(other);
    const journal = await EditJournal.open({
      stateDir: tree.state,
      workspace: other,
      session: "x",
    });
    await write(journal, join(other, "a"), { after: file(noise()) });
    journal.close();
    const now = new Date(START + 5 * DAY_MS);
    const limits = { ...PLENTY, allBytesMax: 12_000 };
    await sweepAll(tree.state, { limits, now, keepNewest: 0 });
    equal(blobsOf(first).length <= 1, true);
    const [second] = [...Deno.readDirSync(join(tree.state, "undo"))].map(({ name }) =>
      join(tree.state, "undo", name)
    )
      .filter((dir) => dir !== first);
    equal(blobsOf(second ?? "").length, 1);
  });
});

Deno.test("sweepAll() removes blobs that nothing names and leftovers, and does without a state directory", async () => {
  await withTree(async (tree) => {
    equal(await sweepAll(tree.state, { limits: PLENTY, now: new Date(START) }), {
      edits: 0,
      blobs: 0,
      bytes: 0,
    });
    await editDaily(tree, { days: 1 });
    const [kept = ""] = blobsOf(tree.storeDir());
    const carriers = join(tree.storeDir(), "carriers");
    Deno.mkdirSync(carriers);
    for (const hash of [kept, "ff00"]) Deno.writeTextFileSync(join(carriers, `${hash}-ab`), "");
    const blobs = join(tree.storeDir(), "blobs");
    Deno.mkdirSync(join(blobs, "ff"), { recursive: true });
    Deno.writeTextFileSync(join(blobs, "ff", "0".repeat(62)), "nobody's");
    Deno.writeTextFileSync(join(blobs, "0123.tmp"), "cut off");
    const swept = await sweepAll(tree.state, { limits: PLENTY, now: new Date(START) });
    equal(swept, { edits: 0, blobs: 1, bytes: 8 });
    equal([...Deno.readDirSync(carriers)].map(({ name }) => name), [`${kept}-ab`]);
    equal(blobsOf(tree.storeDir()).length, 1);
  });
});

Deno.test("sweepAll() leaves a journal that is in use for the next time", async () => {
  await withTree(async (tree) => {
    await editDaily(tree, { days: 2 });
    const limits = { daysMax: 0, bytesMax: 0, allBytesMax: 0 };
    const journal = await tree.journal({ session: "new" });
    const options = { limits, now: new Date(START + 9 * DAY_MS), keepNewest: 0, lockWaitMs: 20 };
    equal((await journal.locked(() => sweepAll(tree.state, options))).edits, 0);
    equal((await sweepAll(tree.state, options)).edits, 2);
  });
});

Deno.test("sweepAll() shortens a journal that has grown long, and keeps what can be taken back", async () => {
  await withTree(async (tree) => {
    await editDaily(tree, { days: 3 });
    const path = join(tree.storeDir(), "journal.jsonl");
    const lines = Deno.readTextFileSync(path);
    const [first = "", done = ""] = lines.split("\n");
    // The first edit 700 times, under other numbers, as a busy year would leave it.
    const many = Array.from({ length: 700 }, (_, i) => {
      const id = (line: string) => line.replaceAll('"old-1"', `"early-${i + 1}"`);
      return `${id(first).replace('"session":"old"', '"session":"early"')}\n${id(done)}\n`;
    });
    Deno.writeTextFileSync(path, `${many.join("")}{"op":"later","x":1}\n${lines}`);
    const journal = await tree.journal({ session: "new" });
    equal((await listEdits(journal)).length, 703);
    const options = {
      linesBytesMax: 100_000,
      limits: { ...PLENTY, daysMax: 3 },
      now: new Date(START + 4.5 * DAY_MS),
      keepNewest: 1,
    };
    await sweepAll(tree.state, options);
    const left = await listEdits(journal);
    ok(left.length >= 500 && left.length < 600, `${left.length} edits are left`);
    // An early number is not given again, and lines of another version are still there.
    ok(left.some(({ id }) => id === "early-700"));
    ok(Deno.readTextFileSync(path).includes('{"op":"later","x":1}'));
    ok((await undo(journal, { session: "old" })).ok);
  });
});

Deno.test("sweepAll() clears the marks of dead sessions and not those of living ones", async () => {
  await withTree(async (tree) => {
    await editDaily(tree, { days: 1 });
    await tree.journal({ session: "alive" });
    await sweepAll(tree.state, { limits: PLENTY, now: new Date(START) });
    equal([...Deno.readDirSync(join(tree.storeDir(), "live"))].length, 1);
    const journal = await tree.journal({ session: "old" });
    equal([journal.isLive("alive"), journal.isLive("old"), journal.isLive("dead")], [
      true,
      true,
      false,
    ]);
  });
});
