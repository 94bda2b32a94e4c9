/** What has to be moved, from what to what, to take edits back or to bring them back. */
import { isSameContent } from "./entry.ts";
import type { Edit, JournalFold } from "./journal_fold.ts";
import type { MoveRecord, PathRecord, Stored } from "./journal_record.ts";
import { exactMode, type Move } from "./transition.ts";

/** A move before it is known which directories it has to make. */
export type PlannedMove = Omit<Move, "dirs"> & {
  rel: string;
  /** A directory that comes back because it went with the last move; no path of the edits. */
  implied?: true;
};

/** A path that somebody else changed between two of the edits, so that taking both back would lose that change. */
export class NotOneChain extends Error {
  override readonly name = "NotOneChain";

  constructor(readonly rel: string) {
    super(`${rel} was changed by somebody else between these edits`);
  }
}

/** A path between the two ends of some edits, and the mode that it came out with if they made it. */
type Span = { path: PathRecord; before: Stored; after: Stored; made: number | undefined };

/**
 * The moves for some edits, given newest first. A path of several edits is moved once, between its two ends.
 * Throws NotOneChain where an edit does not begin with what the one before it left.
 */
export function planMoves(
  edits: readonly Edit[],
  { op, fold }: { op: MoveRecord["op"]; fold: JournalFold },
): PlannedMove[] {
  const spans = spansOf(edits);
  const moves = [...spans.values()].map(({ path, before, after, made }, number): PlannedMove => {
    const [from, to] = op === "undo" ? [after, before] : [before, after];
    const last = fold.personMode(path.p) ?? (op === "redo" ? made : undefined);
    const mode = { ...exactMode(to), ...(last === undefined ? {} : { mode: last }) };
    return { path: path.p, rel: path.rel, from, to, mode, number, keepFull: true };
  });
  // Taken back in reverse, so that a directory is emptied before it goes.
  if (op === "undo") moves.reverse();
  const gone = edits.flatMap((edit) => edit.gone).filter((dir) => !spans.has(dir))
    .sort((one, other) => one.length - other.length);
  return [...gone.map((dir, index) => impliedDir(dir, moves.length + index)), ...moves];
}

function spansOf(edits: readonly Edit[]): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const edit of edits.toReversed()) {
    for (const path of edit.paths) {
      const span = spans.get(path.p);
      if (span !== undefined && !isSameContent(span.after, path.b)) throw new NotOneChain(path.rel);
      const before = span?.before ?? path.b;
      spans.set(path.p, { path, before, after: path.a, made: edit.made[path.p] ?? span?.made });
    }
  }
  return spans;
}

/** An empty directory is not made by putting a file in it, so it is a move of its own. */
function impliedDir(path: string, number: number): PlannedMove {
  return {
    path,
    rel: path,
    from: { k: "absent" },
    to: { k: "dir" },
    mode: {},
    number,
    keepFull: true,
    implied: true,
  };
}

/** A short name for an edit, as the person knows it from the log: `ai(write_file): a.ts, b.ts`. */
export function nameOf(edit: Edit): string {
  return `ai(${edit.record.tool}): ${edit.paths.map((path) => path.rel).join(", ")}`;
}
