/** What a model reads of a search. */
import { startOf } from "@/lib/clip.ts";
import { outsideText } from "@/lib/outside_text.ts";
import type { SearchOutcome } from "./search.ts";

const REJECTED_MAX = 6;
const NOTES_MAX = 6;

/** The passages that answer, or that there are none and which pages were looked at. At most `charsMax` of passages. */
export function searchText(query: string, outcome: SearchOutcome, charsMax: number): string {
  const { found, answered } = outcome;
  const notes = outcome.notes.slice(0, NOTES_MAX).map((note) => `Not reached: ${note}`);
  if (found.length === 0) return [noneText(query, outcome), ...notes].join("\n");
  const each = Math.floor(charsMax / found.length);
  const results = found.map(({ url, title, passage }, at) =>
    `${at + 1}. ${title}\n${url}\n${
      passage.length <= each ? passage : `${startOf(passage, each)} …`
    }`
  );
  const head = `Search for ${JSON.stringify(query)}: passages found by ${answered.join(", ")}; ` +
    `get_url reads a whole page`;
  return [outsideText(results.join("\n\n"), head), ...notes].join("\n");
}

function noneText(query: string, { rejected }: SearchOutcome): string {
  const none = `Search for ${JSON.stringify(query)}: no relevant results. `;
  if (rejected.length === 0) return `${none}No page was found`;
  const pages = rejected.slice(0, REJECTED_MAX).map((url) => `- ${url}`);
  return [
    `${none}These pages were found and do not say it; do not answer from them. Other words may find more:`,
    ...pages,
  ].join("\n");
}
