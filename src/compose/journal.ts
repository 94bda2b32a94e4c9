/** The journal of a run, opened when it is first needed: a start needs none. */
import type { AppParts } from "./parts.ts";
import type { JournalNeeds } from "./undo_journal.ts";
import type { EditJournal } from "@/workspace/journal.ts";

/** It is closed with the rest. */
export function journalOf(
  { opened, ...needs }: JournalNeeds & { opened: AsyncDisposableStack },
): AppParts["journal"] {
  let opening: Promise<EditJournal> | undefined;
  opened.defer(async () => {
    // Whoever needed one that could not be opened was told.
    const [made] = await Promise.allSettled([opening]);
    if (made.status === "fulfilled") made.value?.[Symbol.dispose]();
  });
  return () =>
    opening ??= import("./undo_journal.ts").then(({ openJournal }) => openJournal(needs));
}

/** What the person is told where edits cannot be recorded. */
export async function journalNotices(
  { place, settings, journal }: Pick<AppParts, "place" | "settings" | "journal">,
): Promise<readonly string[]> {
  const { unrecordable } = await import("./undo_journal.ts");
  return unrecordable(await journal(), { place, settings: settings.current });
}
