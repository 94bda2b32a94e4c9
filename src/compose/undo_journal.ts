/** The journal behind /undo, opened with the person's limits. */
import type { EarlySink } from "./early_sink.ts";
import type { Place } from "./place.ts";
import type { Settings } from "@/settings/settings.ts";
import { undoLimits } from "./sweep_undo.ts";
import { EditJournal } from "@/workspace/journal.ts";

/** What it is opened with; `early` takes its events. */
export type JournalNeeds = {
  place: Place;
  settings(): Settings;
  early: EarlySink;
  session: string;
};

/** Open it. */
export function openJournal(
  { place, settings, early, session }: JournalNeeds,
): Promise<EditJournal> {
  return EditJournal.open({
    stateDir: place.paths.home,
    workspace: place.workspace,
    session,
    sizeMaxBytes: settings().UNDO_FILE_MB * 1_000_000,
    limits: undoLimits(settings()),
    isRequired: () => settings().UNDO_REQUIRED,
    onEdit: (edit) => early.emit({ type: "edit", ...edit }),
    onNotice: (text) => early.emit({ type: "notice", level: "warn", text }),
  });
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
