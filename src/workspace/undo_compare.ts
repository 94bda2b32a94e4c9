/** What is there, against what edits that are to be moved have left. */
import { isSameContent, look } from "./entry.ts";
import type { Stored } from "./journal_record.ts";
import type { PlannedMove } from "./undo_plan.ts";

/** What came of it: modes of files as they are, paths that are not as they should be, and the moves that are left to make. */
export type Comparison = {
  modes: Record<string, number>;
  drifted: string[];
  moves: PlannedMove[];
  /** Whether everything is already as it is to be. */
  isBack: boolean;
  /** Whether none of those that are not as they should be is there at all. */
  isGone: boolean;
};

/** Compares each path with what it must be. A directory that is there already need not be made. */
export async function compare(
  planned: readonly PlannedMove[],
  bytesMax: number,
): Promise<Comparison> {
  const result: Comparison = { modes: {}, drifted: [], moves: [], isBack: true, isGone: true };
  for (const one of planned) {
    const now = await lookOrUndefined(one.path, bytesMax);
    if (isThere(one, now?.stored)) continue;
    if (now === undefined || !isSameContent(now.stored, one.from)) {
      result.drifted.push(one.rel);
      if (now?.stored.k !== "absent") result.isGone = false;
    }
    if (now === undefined || !isSameContent(now.stored, one.to)) result.isBack = false;
    if (now?.stored.k === "file") result.modes[one.path] = now.stored.m;
    result.moves.push(one);
  }
  return result;
}

/** A directory made, or removed, by the person meanwhile: there is nothing in it to lose. */
function isThere({ from, to }: PlannedMove, now: Stored | undefined): boolean {
  if (to.k === "dir") return now?.k === "dir";
  return from.k === "dir" && now?.k === "absent";
}

async function lookOrUndefined(path: string, bytesMax: number) {
  try {
    return await look(path, bytesMax);
  } catch (error) {
    // A path that leads elsewhere or has become something else is not what the edit left.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
