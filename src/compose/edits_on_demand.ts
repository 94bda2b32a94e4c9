/** The journal of a run and its commits, opened when they are first needed: a start needs none. */
import type { Edits, EditsNeeds } from "./edits.ts";
import type { AppParts } from "./parts.ts";

/** What other parts reach of edits. They are closed with the rest, once they have their commits. */
export function editsOf(
  { opened, ...needs }: EditsNeeds & { opened: AsyncDisposableStack },
): Pick<AppParts, "journal" | "commits" | "committed"> {
  let opening: Promise<Edits> | undefined;
  const open = () => opening ??= import("./edits.ts").then(({ openEdits }) => openEdits(needs));
  opened.defer(async () => {
    // Whoever needed one that could not be opened was told.
    const [made] = await Promise.allSettled([opening]);
    if (made.status !== "fulfilled" || made.value === undefined) return;
    made.value.attributes.close();
    await made.value.commits.close();
    made.value.journal.close();
  });
  return {
    journal: async () => (await open()).journal,
    commits: async () => (await open()).commits,
    committed: async () => {
      const [made] = await Promise.allSettled([opening]);
      if (made.status === "fulfilled") await made.value?.commits.idle();
    },
  };
}

/** What the person is told where edits cannot be recorded. */
export async function journalNotices(
  { place, settings, journal }: Pick<AppParts, "place" | "settings" | "journal">,
): Promise<readonly string[]> {
  const { unrecordable } = await import("./edits.ts");
  return unrecordable(await journal(), { place, settings: settings.current });
}
