/** Two real processes edit and undo in one workspace at the same time. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { listEdits, undo } from "@/workspace/undo.ts";
import { runs } from "../support/property.ts";
import { withTree } from "./journal_tree.ts";

const EDITS = runs(80).numRuns;

const EDITOR = `
  import { ChangedSince, EditJournal } from "@/workspace/journal.ts";
  import { undo } from "@/workspace/undo.ts";
  const [workspace, stateDir, session, edits] = Deno.args;
  const journal = await EditJournal.open({ stateDir, workspace, session });
  const shared = workspace + "/shared";
  const file = (text) => ({ kind: "file", bytes: new TextEncoder().encode(text), mode: 0 });
  const edit = (changes) => journal.edit({ tool: "write_file", callId: "c", turn: 1, changes });
  let stale = 0;
  for (let i = 0; i < Number(edits); i++) {
    await edit([{ path: workspace + "/" + session + i, expected: { kind: "absent" }, after: file(session + i) }]);
    // Adds a line to what it read; if the other process was faster it reads again, as a model would.
    for (;;) {
      const read = Deno.readTextFileSync(shared);
      try {
        await edit([{ path: shared, expected: file(read), after: file(read + session + i + "\\n") }]);
        break;
      } catch (error) {
        if (!(error instanceof ChangedSince)) throw error;
        stale++;
      }
    }
  }
  console.log(stale);
`;

Deno.test("two processes that edit the same file lose no line and no record", async () => {
  await withTree(async (tree) => {
    tree.put("shared", "");
    const editor = join(tree.dir, "editor.ts");
    Deno.writeTextFileSync(editor, EDITOR);
    const config = join(import.meta.dirname ?? "", "../../deno.json");
    const grants = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"];
    const run = (session: string) =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-q",
          "--config",
          config,
          ...grants,
          editor,
          tree.ws,
          tree.state,
          session,
          String(EDITS),
        ],
        stderr: "inherit",
      }).output();
    const ended = await Promise.all([run("one"), run("two")]);
    equal(ended.map(({ code }) => code), [0, 0]);
    const lines = Deno.readTextFileSync(tree.path("shared")).trimEnd().split("\n");
    const expected = ["one", "two"].flatMap((session) =>
      Array.from({ length: EDITS }, (_, i) => session + i)
    );
    equal(lines.sort(), expected.sort());
    const journal = await tree.journal({ session: "after" });
    for (const session of ["one", "two"]) {
      equal((await listEdits(journal, session)).length, 2 * EDITS);
    }
    // Taken back in the order in which they were made, whoever made them, everything is as at first.
    for (const { session } of await listEdits(journal)) ok((await undo(journal, { session })).ok);
    equal(tree.shot(), { shared: "644 " });
  });
});
