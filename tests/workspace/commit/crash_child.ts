/**
 * Edits with commits, undoes and redoes until it is killed: by itself at the `killAt`th step, or by its parent.
 * Arguments: workspace, state directory, killAt (0: never), first operation.
 */
import { join } from "node:path";
import { Commits } from "@/workspace/commit/commits.ts";
import { Git } from "@/workspace/git.ts";
import { EditJournal, type EntryState } from "@/workspace/journal.ts";
import { redo, undo, undoTurn } from "@/workspace/undo.ts";
import { Processes } from "@/sandbox/processes.ts";
import { machineEnv } from "../../support/processes.ts";

const [workspace = "", stateDir = "", killAt = "0", first = "0"] = Deno.args;
let steps = 0;

function step(): void {
  if (++steps === Number(killAt)) Deno.kill(Deno.pid, "SIGKILL");
}

const made: { commits?: Commits } = {};
const journal = await EditJournal.open({
  stateDir,
  workspace,
  session: "crashing",
  onStep: step,
  onEdit: (edit) => made.commits?.add(edit),
});
const commits = made.commits = new Commits({
  git: new Git(new Processes({ ...machineEnv(), HOME: stateDir }), { workspace }),
  journal,
  isOn: () => true,
  onEdit: () => {},
  onNotice: () => {},
  onStep: step,
});
await commits.idle();

function bytes(text: string): EntryState {
  return { kind: "file", bytes: new TextEncoder().encode(text), mode: 0 };
}

/** The person's lines stay; the last one is ours. */
function withEnd(rel: string, i: number): EntryState {
  const lines = Deno.readTextFileSync(join(workspace, rel)).split("\n").slice(0, -2);
  return bytes([...lines, `end ${i}`, ""].join("\n"));
}

async function edit(turn: number, changes: Readonly<Record<string, EntryState>>): Promise<void> {
  await journal.edit({
    tool: "write_file",
    callId: "c",
    turn,
    changes: Object.entries(changes).map(([rel, after]) => ({
      path: join(workspace, rel),
      expected: "unchecked",
      after,
    })),
  });
}

const git = commits;
const OPERATIONS = [
  (i: number) => edit(i, { "a.txt": withEnd("a.txt", i) }),
  (i: number) =>
    edit(i, { [`new${i % 3}/n.txt`]: bytes(`new ${i}\n`), "b.txt": bytes(`b ${i}\n`) }),
  () => undo(journal, { git }),
  (i: number) => edit(i, { "loose.txt": bytes(`loose ${i}\n`) }),
  (i: number) => edit(i - 1, { "c.txt": { kind: "absent" } }),
  () => undoTurn(journal, { git }),
  () => redo(journal, { git }),
  (i: number) => edit(i, { "c.txt": bytes(`c ${i}\n`) }),
  () => commits.idle(),
];

console.log("ready");
for (let i = Number(first); i < 10_000; i++) await OPERATIONS[i % OPERATIONS.length]?.(i);
