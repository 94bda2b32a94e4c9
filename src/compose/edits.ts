/** The journal behind /undo and the commits of its edits, opened with the person's limits. */
import type { EarlySink } from "./early_sink.ts";
import type { Place } from "./place.ts";
import { placingOf } from "./placing.ts";
import type { Settings } from "@/settings/settings.ts";
import { undoLimits } from "./sweep_undo.ts";
import type { SandboxOnDemand } from "@/sandbox/mod.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { Attributes } from "@/workspace/attributes.ts";
import { Commits } from "@/workspace/commit/commits.ts";
import { outsideSparse } from "@/workspace/commit/sparse.ts";
import { Git } from "@/workspace/git.ts";
import { EditJournal } from "@/workspace/journal.ts";

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

/** What belongs together, to be closed in the end. */
export type Edits = { journal: EditJournal; commits: Commits; attributes: Attributes };

/** Open them. */
export async function openEdits(needs: EditsNeeds): Promise<Edits> {
  const { place, settings, early, session, processes } = needs;
  const git = new Git(processes, { workspace: place.workspace });
  const attributes = new Attributes(processes);
  const made: { commits?: Commits } = {};
  const journal = await EditJournal.open({
    stateDir: place.paths.home,
    workspace: place.workspace,
    session,
    sizeMaxBytes: settings().UNDO_FILE_MB * 1_000_000,
    limits: undoLimits(settings()),
    isRequired: () => settings().UNDO_REQUIRED,
    onEdit: (edit) => made.commits?.add(edit),
    placing: placingOf({ ...needs, attributes, roots: [place.workspace, ...needs.added] }),
    onExpected: (path) => attributes.expect(path),
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
  return { journal, commits: made.commits, attributes };
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
