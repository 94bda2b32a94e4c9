/**
 * Edits, undoes and redoes until it is killed: by itself at the `killAt`th step of the journal, or by its parent.
 * Arguments: workspace, state directory, killAt (0: never), first operation.
 */
import { join } from "node:path";
import { EditJournal, type EntryState, type PathChange } from "@/workspace/journal.ts";
import { redo, undo, undoTurn } from "@/workspace/undo.ts";

const [workspace = "", stateDir = "", killAt = "0", first = "0"] = Deno.args;
let steps = 0;

const journal = await EditJournal.open({
  stateDir,
  workspace,
  session: "crashing",
  onStep: () => {
    if (++steps === Number(killAt)) Deno.kill(Deno.pid, "SIGKILL");
  },
});

function file(text: string): EntryState {
  return {
    kind: "file",
    bytes: new TextEncoder().encode(`${text} ${"·".repeat(400)} end\n`),
    mode: 0,
  };
}

function change(rel: string, after: EntryState): PathChange {
  return { path: join(workspace, rel), expected: "unchecked", after };
}

async function edit(turn: number, ...changes: PathChange[]): Promise<void> {
  await journal.edit({ tool: "write_file", callId: "c", turn, changes });
}

const OPERATIONS = [
  (i: number) => edit(i, change("a", file(`a${i}`))),
  (i: number) =>
    edit(i, change("script.sh", file(`s${i}`)), change(`new${i % 3}/deep/n`, file(`n${i}`))),
  () => undo(journal),
  (i: number) =>
    edit(
      i,
      change("b", { kind: "absent" }),
      change("a", file(`ab${i}`)),
      change("d", { kind: "dir" }),
    ),
  () => undoTurn(journal),
  () => redo(journal),
  (i: number) => edit(i - 1, change("link", { kind: "absent" }), change("b", file(`b${i}`))),
  (i: number) => edit(i - 1, change("d", { kind: "absent" }), change("x/y", file(`x${i}`))),
  () => undo(journal),
];

console.log("ready");
for (let i = Number(first); i < 10_000; i++) await OPERATIONS[i % OPERATIONS.length]?.(i);
