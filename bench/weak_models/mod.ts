/** What comes of what small models write: edits, with the slips that they make in naming what is there. */
import { editTable, editTallies } from "./edits.ts";

export async function weakModels(): Promise<string[]> {
  return editTable(await editTallies());
}
