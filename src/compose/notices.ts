/** What the person is told about the conversation before anything is done. */
import type { Conversation } from "./conversation.ts";
import { journalNotices } from "./edits_on_demand.ts";
import type { AppParts } from "./parts.ts";
import { ruleProblems } from "./rights.ts";

type Needs =
  & Pick<AppParts, "run" | "place" | "settings" | "policy" | "journal" | "trust" | "isInteractive">
  & { conversation: Conversation; choice: { notes: readonly string[] } };

/** What is told from the start, besides what the settings say. */
export async function startNotices(
  { conversation, choice, ...needs }: Needs,
): Promise<readonly string[]> {
  const { trust } = needs;
  return [
    ...conversation.notices,
    ...(trust.problem === undefined ? [] : [trust.problem]),
    // In a terminal it is one of the late notices.
    ...(needs.isInteractive ? [] : await journalNotices(needs)),
    ...await ruleProblems(needs),
    ...choice.notes,
  ];
}

/** What the first prompt of a terminal does not wait for. Tries the sandbox now. */
export async function lateNotices(
  parts: Pick<AppParts, "place" | "settings" | "journal" | "sandbox">,
): Promise<readonly string[]> {
  const { notice } = await parts.sandbox.ready();
  return [...await journalNotices(parts), ...(notice === undefined ? [] : [notice])];
}
