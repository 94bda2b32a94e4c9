/** The journal behind /undo and the commits of its edits, opened with the person's limits. */
import type { EarlySink } from "./early_sink.ts";
import type { Place } from "./place.ts";
import type { Settings } from "@/settings/settings.ts";
import { undoLimits } from "./sweep_undo.ts";
import { isWithin } from "@/lib/path_within.ts";
import { isWriteScoped } from "@/lib/write_scope.ts";
import type { SandboxOnDemand } from "@/sandbox/mod.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { Commits } from "@/workspace/commit/commits.ts";
import { outsideSparse } from "@/workspace/commit/sparse.ts";
import { Git } from "@/workspace/git.ts";
import { EditJournal, type JournalOptions } from "@/workspace/journal.ts";
import { placingInside } from "@/workspace/placing_inside.ts";

/** What they are opened with; `early` takes their events. */
export type EditsNeeds = {
  place: Place;
  settings(): Settings;
  early: EarlySink;
  session: string;
  processes: Processes;
  sandbox: SandboxOnDemand;
  added: readonly string[];
};

/** The two, which belong together. */
export type Edits = { journal: EditJournal; commits: Commits };

/** Open them. */
export async function openEdits(needs: EditsNeeds): Promise<Edits> {
  const { place, settings, early, session, processes } = needs;
  const git = new Git(processes, { workspace: place.workspace });
  const made: { commits?: Commits } = {};
  const journal = await EditJournal.open({
    stateDir: place.paths.home,
    workspace: place.workspace,
    session,
    sizeMaxBytes: settings().UNDO_FILE_MB * 1_000_000,
    limits: undoLimits(settings()),
    isRequired: () => settings().UNDO_REQUIRED,
    onEdit: (edit) => made.commits?.add(edit),
    placing: placingOf(needs),
    onNotice: (text) => early.emit({ type: "notice", level: "warn", text }),
    outsideSparse: (paths) => outsideSparse(git, paths),
  });
  made.commits = new Commits({
    git,
    journal,
    isOn: () => settings().GIT_AUTO_COMMIT,
    onEdit: (edit) => early.emit({ type: "edit", ...edit }),
    onNotice: (text) => early.emit({ type: "notice", level: "info", text }),
  });
  return { journal, commits: made.commits };
}

/**
 * While a command lives in the sandbox that can change the workspace, it could swap a directory for a link under our
 * hands, so what is written there is written from inside as well. It reaches nothing else. Where this process may write only
 * to a list of directories, everything is written by another one.
 */
function placingOf(
  { processes, sandbox, place, added }: EditsNeeds,
): NonNullable<JournalOptions["placing"]> {
  const roots = [place.workspace, ...added];
  return (path) => {
    const { opened } = sandbox;
    const isWatched = processes.wrappedRunning > 0 && opened?.isProven === true &&
      roots.some((root) => isWithin(path, root));
    if (isWatched) return placingInside({ processes, wrap: opened.wrap() });
    return isWriteScoped() ? placingInside({ processes }) : undefined;
  };
}

/** What the person is told when the journal cannot be used. */
export function unrecordable(
  { problem }: EditJournal,
  { place, settings }: { place: Place; settings: Settings },
): string[] {
  if (problem === undefined) return [];
  const what = settings.UNDO_REQUIRED ? "no file is changed" : "edits cannot be taken back";
  return [
    `Edits cannot be recorded for /undo in "${place.paths.undo}" (${problem}), so ${what} until that is mended`,
  ];
}
