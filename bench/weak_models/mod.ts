/** What comes of what small models write, and what a prompt costs them. */
import { callTable } from "./calls.ts";
import { editTable, editTallies } from "./edits.ts";
import { promptCosts } from "./prompt_cost.ts";

/** Tool calls as text, edits with slips, and the fixed cost of the first request. */
export async function weakModels(): Promise<string[]> {
  return [
    "  calls as text",
    ...callTable(),
    "  edits",
    ...editTable(await editTallies()),
    "  before anything is said",
    ...await promptCosts(),
  ];
}
