/** The edits of a workspace as they are listed. */
import type { EditJournal } from "./journal.ts";
import type { Edit } from "./journal_fold.ts";

/** One edit in a list. */
export type ListedEdit = {
  id: string;
  session: string;
  turn: number;
  /** ISO 8601. */
  at: string;
  tool: string;
  agent: string | null;
  /** As the person writes them, relative to the workspace where they lie inside. */
  paths: readonly string[];
  /** live: can be taken back. undone: can perhaps be brought back. too old: the bytes are gone. */
  state: "live" | "undone" | "too old";
  commit?: string;
  /** Why it is not committed. */
  uncommitted?: string;
};

/** Edits of a session, or of all, newest first. */
export async function listEdits(journal: EditJournal, session?: string): Promise<ListedEdit[]> {
  return await journal.locked((store) =>
    Promise.resolve(
      store.fold.edits().filter(({ status, record }) =>
        status !== "void" && (session === undefined || record.session === session)
      ).map(listed).reverse(),
    )
  );
}

function listed({ record, paths, status, freed, git }: Edit): ListedEdit {
  const { id, session, turn, at, tool, agent } = record;
  return {
    id,
    session,
    turn,
    at,
    tool,
    agent,
    paths: paths.map(({ rel }) => rel),
    state: freed ? "too old" : status === "undone" ? "undone" : "live",
    ...(git?.op === "committed" ? { commit: git.c } : {}),
    ...(git?.op === "skipped" ? { uncommitted: git.why } : {}),
  };
}
