/** What `/undo` and `/redo` are lent. */
import type { AppParts } from "@/compose/parts.ts";
import { localMinute } from "@/lib/local_time.ts";
import type { Live } from "@/compose/live.ts";
import type { ListedEdit, UndoOptions, UndoResult } from "@/workspace/undo.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import type { UndoPart } from "@/terminal/commands/lent/undo.ts";

/** Commits that `/autocommit` shows. */
const COMMITS_SHOWN = 10;

/** Build it. */
export function undoPart(
  parts: Pick<AppParts, "conversation" | "isInteractive" | "journal" | "commits"> & {
    live: Pick<Live, "harness">;
  },
  { holdForPerson: hold }: { holdForPerson: NonNullable<UndoOptions["hold"]> },
): UndoPart {
  const { conversation, isInteractive } = parts;
  const load = () => Promise.all([import("@/workspace/undo.ts"), parts.journal(), parts.commits()]);
  /** A run of one command has no edits of its own: it means the session that ended last here. */
  const session = async () => {
    const [{ lastEndedSession }, journal] = await load();
    if (isInteractive || conversation.isResumed) return journal.session;
    return await lastEndedSession(journal) ?? journal.session;
  };
  /** Likewise for redo: the ended session of which something was taken back last. */
  const undoneSession = async () => {
    if (isInteractive || conversation.isResumed) return undefined;
    const [{ listEdits }, journal] = await load();
    const edits = await listEdits(journal);
    return edits.find((edit) => edit.state === "undone" && !journal.isLive(edit.session))?.session;
  };
  /** Take back, or bring back, and tell the model of this conversation, which takes its edits for standing. */
  const move = async (
    act: (journal: EditJournal, options: UndoOptions) => Promise<UndoResult>,
    { meant, did }: { meant: string; did: string },
  ): Promise<UndoResult> => {
    const [, journal, git] = await load();
    const result = await act(journal, { session: meant, git, hold });
    if (result.ok && result.paths.length > 0 && meant === journal.session) {
      parts.live.harness.add(tookBack(did, await namesOf(result, journal)), "hook");
    }
    return result;
  };
  return {
    undo: async () => {
      const [{ undo }] = await load();
      return await move(undo, { meant: await session(), did: "took back" });
    },
    undoTurn: async () => {
      const [{ undoTurn }] = await load();
      return await move(undoTurn, { meant: await session(), did: "took back" });
    },
    redo: async () => {
      const [{ redo }] = await load();
      const meant = await undoneSession() ?? await session();
      return await move(redo, { meant, did: "brought back" });
    },
    show: async (id) => {
      const { showEdit } = await import("@/workspace/undo_show.ts");
      return await showEdit(await parts.journal(), { id, session: await session() });
    },
    list: async () => {
      const [{ listEdits }, journal, commits] = await load();
      await commits.idle();
      const [edits, meant] = [await listEdits(journal), await session()];
      if (edits.length === 0) return "No edits are recorded for this workspace";
      return edits.map((edit) => rowOf(edit, { own: journal.session, meant })).join("\n");
    },
    committed: async () => {
      const [{ listEdits }, journal, commits] = await load();
      await commits.idle();
      const edits = await listEdits(journal);
      return edits.filter(({ state, commit }) => state !== "undone" && commit !== undefined)
        .slice(0, COMMITS_SHOWN)
        .map(({ commit = "", tool, paths }) =>
          `${commit.slice(0, 7)}  ai(${tool}): ${paths.join(", ")}`
        );
    },
  };
}

/** What the model is told of edits that are gone, or there again. */
export function tookBack(did: string, names: readonly string[]): string {
  return `The person ${did} your newest changes of: ${names.join(", ")}. ` +
    "Read what you need of them again before you change it";
}

/** The paths of moved edits as the person writes them. */
async function namesOf(
  { ids }: UndoResult & { ok: true },
  journal: EditJournal,
): Promise<readonly string[]> {
  const { listEdits } = await import("@/workspace/undo.ts");
  const moved = (await listEdits(journal)).filter(({ id }) => ids.includes(id));
  return [...new Set(moved.flatMap(({ paths }) => paths))];
}

/** One edit in the list; those of the session that `/undo` means are named by their number alone. */
function rowOf(edit: ListedEdit, { own, meant }: { own: string; meant: string }): string {
  const { id, session, at, tool, paths, state } = edit;
  return [
    session === meant ? id.slice(session.length + 1) : id,
    localMinute(at),
    tool,
    paths.join(", "),
    inGit(edit),
    ...(state === "live" ? [] : [state]),
    ...(session === own ? [] : [`(session ${session})`]),
  ].join("  ");
}

/** What became of an edit in git, in a list. */
function inGit({ commit, uncommitted }: { commit?: string; uncommitted?: string }): string {
  if (commit !== undefined) return commit.slice(0, 7);
  return uncommitted === undefined ? "not committed" : `not committed: ${uncommitted}`;
}
