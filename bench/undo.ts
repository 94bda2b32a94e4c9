/** What a change of a file waits for because of undo, and what its commit takes behind it. */
import { placingOf } from "@/compose/placing.ts";
import { join } from "@/lib/path.ts";
import { Processes } from "@/sandbox/processes.ts";
import { Attributes } from "@/workspace/attributes.ts";
import { Commits } from "@/workspace/commit/commits.ts";
import { outsideSparse } from "@/workspace/commit/sparse.ts";
import { Git } from "@/workspace/git.ts";
import { EditJournal } from "@/workspace/journal.ts";
import { undo as takeBack } from "@/workspace/undo.ts";
import { writeFileAtomic } from "@/lib/atomic_write.ts";
import { elapsedMs, type Row } from "./measure.ts";
import { output, scratch } from "./program.ts";

const FILES = 50_000;
const DIRS = 200;

/** Edits of small files spread over a repository of 50,000; goal: at most 5 ms in the middle beside the plain write. */
export async function undo(runs: number): Promise<Row[]> {
  await using at = await scratch();
  await plant(at);
  const processes = new Processes(at.env);
  const git = new Git(processes, { workspace: at.workspace });
  const attributes = new Attributes(processes);
  const made: { commits?: Commits } = {};
  const journal = await EditJournal.open({
    stateDir: `${at.dir}/state`,
    workspace: at.workspace,
    session: "bench",
    onEdit: (edit) => made.commits?.add(edit),
    outsideSparse: (paths) => outsideSparse(git, paths),
    placing: placingOf({
      ...{ attributes, processes, sandbox: { opened: undefined } },
      roots: [at.workspace],
    }),
  });
  const uncommitted: string[] = [];
  const commits = made.commits = new Commits({
    git,
    journal,
    isOn: () => true,
    onEdit: ({ commit }) => void (commit === undefined && uncommitted.push("")),
    onNotice: (line) => uncommitted.push(line),
  });
  const samples = { plain: [], edit: [], commit: [], undo: [] } as Record<string, number[]>;
  try {
    for (let run = 0; run < runs; run += 1) {
      const file = (number: number) => join(at.workspace, name((run * 997 + number) % FILES));
      const text = `edited ${run}\n`;
      samples["plain"]?.push(await elapsedMs(() => writeFileAtomic(file(1), text)));
      await attributes.has(file(2)); // It was read before, and asked about while the model thought.
      samples["edit"]?.push(await elapsedMs(() => edit(journal, file(2), { text, run })));
      samples["commit"]?.push(await elapsedMs(() => commits.idle()));
      if (run % 3 !== 0) continue;
      samples["undo"]?.push(await elapsedMs(() => takeBack(journal, { git: commits })));
    }
  } finally {
    attributes.close();
    await commits.close();
    journal.close();
    await processes.close();
  }
  if (uncommitted.length > 0) throw new Error(`Not all were committed: ${uncommitted.join()}`);
  const plain = samples["plain"] ?? [];
  const added = (samples["edit"] ?? []).map((ms, run) => ms - (plain[run] ?? 0));
  return [
    { name: "a file written atomically", unit: "ms", values: plain },
    { name: "the same by the journal", unit: "ms", values: samples["edit"] ?? [] },
    { name: "added", unit: "ms", values: added, goal: { kind: "median", atMost: 5 } },
    { name: "its commit, behind it", unit: "ms", values: samples["commit"] ?? [] },
    { name: "undo of a committed edit", unit: "ms", values: samples["undo"] ?? [] },
  ];
}

async function edit(
  journal: EditJournal,
  path: string,
  { text, run }: { text: string; run: number },
): Promise<void> {
  const after = { kind: "file" as const, bytes: new TextEncoder().encode(text), mode: 0 };
  await journal.edit({
    tool: "edit_file",
    callId: "c",
    turn: run,
    changes: [{ path, expected: "unchecked", after }],
  });
}

function name(number: number): string {
  return `dir${number % DIRS}/sub/file${number}.txt`;
}

type Scratch = Awaited<ReturnType<typeof scratch>>;

async function plant(at: Scratch): Promise<void> {
  const { workspace } = at;
  for (let dir = 0; dir < DIRS; dir += 1) {
    Deno.mkdirSync(join(workspace, `dir${dir}`, "sub"), { recursive: true });
  }
  for (let number = 0; number < FILES; number += 1) {
    Deno.writeTextFileSync(join(workspace, name(number)), `file ${number}\n`);
  }
  const identity = ["-c", "user.name=Jo", "-c", "user.email=jo@example.org"];
  await output(["git", "init", "-q", "."], at);
  await output(["git", "add", "-A"], at);
  await output(["git", ...identity, "commit", "-q", "-m", "first"], at);
}
