/** What processes of other workspaces left unfinished in git: their locks would stand in the way of everybody. */
import { dirname, join } from "@/lib/path.ts";
import { FileLocked, withFileLock } from "@/lib/file_lock.ts";
import type { Git } from "@/workspace/git.ts";
import { EditJournal } from "@/workspace/journal.ts";
import { lstat } from "@/workspace/entry.ts";
import { finishFlight, readFlight } from "./flight.ts";

/** Finish all of it whose process is dead. `dir` is that of our own journal, which lies beside the others. */
export async function finishOthers(git: Git, dir: string): Promise<void> {
  const undo = dirname(dir);
  for (const { name } of lstat(undo) === undefined ? [] : Deno.readDirSync(undo)) {
    const other = join(undo, name);
    const flight = other === dir ? undefined : readFlight(other);
    if (flight === undefined) continue;
    using journal = await EditJournal.open({
      stateDir: dirname(undo),
      workspace: flight.workspace,
      session: "repair",
    });
    if (journal.dir === other) await finishOne(git, journal);
  }
}

async function finishOne(git: Git, journal: EditJournal): Promise<void> {
  try {
    const finish = async () => await finishFlight(git, journal);
    await withFileLock(join(journal.dir, "git"), finish, { waitMs: 0 });
  } catch (error) {
    // It lives.
    if (!(error instanceof FileLocked)) throw error;
  }
}
