/** What `/undo` and `/redo` reach: the journal of edits. */

/** What an undo or redo came to. */
export type UndoOutcome = { ok: true; text: string } | { ok: false; reason: string };

/** The part `undo` of what commands are lent. */
export type UndoPart = {
  undo(): Promise<UndoOutcome>;
  undoTurn(): Promise<UndoOutcome>;
  redo(): Promise<UndoOutcome>;
  list(): Promise<string>;
  /** The newest edits that have a commit, a line each, the newest first. */
  committed(): Promise<readonly string[]>;
  show(id: string | undefined): Promise<UndoOutcome>;
};
