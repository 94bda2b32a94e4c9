import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { canFillDisk, runOnSmallDisk } from "../support/small_disk.ts";
import { withWorkspace } from "../support/workspace.ts";

/** Edits until one is refused; prints the refusal, then whether the file is whole, and every name that is left. */
function script(
  { state, workspace, bytes }: { state: string; workspace: string; bytes: number },
): string {
  return `
    import { EditJournal } from "@/workspace/journal.ts";
    import { undo } from "@/workspace/undo.ts";
    const [stateDir, workspace] = ${JSON.stringify([state, workspace])};
    Deno.mkdirSync(workspace, { recursive: true });
    const path = workspace + "/a";
    Deno.writeTextFileSync(path, "the person's");
    const journal = await EditJournal.open({ stateDir, workspace, session: "s" });
    let edits = 0;
    try {
      for (;; edits++) {
        const bytes = crypto.getRandomValues(new Uint8Array(${bytes}));
        const after = { kind: "file", bytes, mode: 0 };
        const changes = [{ path, expected: "unchecked", after }];
        await journal.edit({ tool: "t", callId: "c", turn: 1, changes });
      }
    } catch (error) {
      console.log(error.message);
    }
    console.log([12, ${bytes}].includes(Deno.statSync(path).size), [...Deno.readDirSync(workspace)].map((e) => e.name).join());
    const [store] = [...Deno.readDirSync(stateDir + "/undo")];
    const blobs = stateDir + "/undo/" + store.name + "/blobs";
    console.log([...Deno.readDirSync(blobs)].filter((entry) => entry.isFile).length);
    let undone = 0;
    while ((await undo(journal)).ok) undone++;
    console.log(undone === edits || "disk full: " + undone, Deno.readTextFileSync(path).slice(0, 12));
  `;
}

Deno.test({
  name: "edit() is refused before anything is written when the journal's disk is full",
  ignore: !canFillDisk(),
  async fn() {
    await withWorkspace(async (dir) => {
      const where = { state: join(dir, "full/state"), workspace: join(dir, "ws") };
      const [refusal, file, blobs] =
        (await runOnSmallDisk(script({ ...where, bytes: 12_000 }), dir)).split("\n");
      equal(refusal, "Cannot record the edit for /undo: disk full");
      equal([file, blobs], ["true a", "0"]);
    });
  },
});

Deno.test({
  name:
    "edit() leaves the file whole when its own disk is full, and what was done can be taken back",
  ignore: !canFillDisk(),
  async fn() {
    await withWorkspace(async (dir) => {
      const where = { state: join(dir, "state"), workspace: join(dir, "full") };
      const [refusal, file, blobs, undone] =
        (await runOnSmallDisk(script({ ...where, bytes: 40_000 }), dir)).split("\n");
      match(refusal ?? "", /^Cannot change ".*\/a": the disk is full$/);
      equal([file, blobs, undone], ["true a", "0", "true the person's"]);
    });
  },
});
