/** What an edit did, in the words that the model reads: the lines, whether anchors still hold, and the neighbourhood. */
import type { Planned } from "./edit.ts";
import type { EditOutcome } from "./file_edit.ts";

type Edited = Extract<EditOutcome, { kind: "edited" }>;

const LINES_NAMED_MAX = 12;

/** The result's text. `path` is as the model spelled it. */
export function editReport(path: string, { plan, echo }: Edited): string {
  const stripped = plan.stripped === true
    ? " Listing prefixes (1:abc|) were taken out of new_content."
    : "";
  return [
    `File edited: ${path} (${linesReplaced(plan)}). ${movement(plan)}${stripped}`,
    "The file now reads, around what you changed:",
    echo.text,
    ...(plan.moved
      ? ["Lines outside these rows have moved: take their anchors from a new read_file."]
      : []),
  ].join("\n");
}

/** The result's text when the file already reads as asked. */
export function noChangeReport(path: string, plan: Planned): string {
  const lines = plan.replacements.flatMap(({ from, to }) => from === to ? [from] : [from, to]);
  const where = lines.length === 1 ? `line ${lines[0]} reads` : `lines ${lines.join(", ")} read`;
  return `Nothing was written: no change, ${where} like that already in ${path}`;
}

/** "line 3 replaced", "lines 6-9 (4 lines) replaced by 2" */
export function linesReplaced({ form, replacements, occurrences = 1 }: Planned): string {
  const [first] = replacements;
  if (first === undefined) return "no line";
  if (form === "anchors") {
    const { from, to, lines } = first;
    const count = to - from + 1;
    const which = count === 1 ? `line ${from}` : `lines ${from}-${to} (${count} lines)`;
    if (lines.length === 0) return `${which} deleted`;
    return lines.length === count ? `${which} replaced` : `${which} replaced by ${lines.length}`;
  }
  const lines = replacements.map(({ from, to }) => from === to ? String(from) : `${from}-${to}`);
  const named = lines.slice(0, LINES_NAMED_MAX).join(", ") +
    (lines.length > LINES_NAMED_MAX ? ` and ${lines.length - LINES_NAMED_MAX} more` : "");
  const word = lines.length === 1 && !named.includes("-") ? "line" : "lines";
  if (form === "rows") return `${word} ${named} replaced`;
  const times = occurrences === 1 ? "" : `${occurrences} occurrences, `;
  return `${times}text at ${word} ${named} replaced`;
}

function movement({ replacements, moved }: Planned): string {
  if (moved) {
    const by = replacements.reduce(
      (sum, { from, to, lines }) => sum + lines.length - (to - from + 1),
      0,
    );
    if (by === 0) return "The number of lines changed in between.";
    const last = replacements.at(-1)?.to ?? 0;
    const count = Math.abs(by) === 1 ? "1 line" : `${Math.abs(by)} lines`;
    return `What stood below line ${last} moved ${by > 0 ? "down" : "up"} by ${count}.`;
  }
  const isOne = replacements.length === 1 && replacements.every(({ from, to }) => from === to);
  return `${isOne ? "One line became one line" : "Each line became one line"}, ` +
    "so nothing below moved and the rest of your anchors are still good.";
}
