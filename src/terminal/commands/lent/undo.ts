/** What `/undo` and `/redo` reach: the journal of edits. */

/** What an undo or redo came to. */
export type UndoOutcome = { ok: true; text: string } | { ok: false; reason: string };

/** The part `undo` of what commands are lent. */
export type UndoPart = {
  undo(): Promise<UndoOutcome>;
  undoTurn(): Promise<UndoOutcome>;
  redo(): Promise<UndoOutcome>;
  list(): Promise<string>;
  show(id: string | undefined): Promise<UndoOutcome>;
};
