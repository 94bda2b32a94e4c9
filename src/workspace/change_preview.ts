/** A change as a unified diff: for the question before it, and for who watches it being made. */

const CONTEXT_LINES = 3;
/**
 * A change of more lines (added and removed) is shown as a replacement: 5,000 against 5,000 different ones took 10 s,
 * 1,000 take 0.1 s (diff 9.0.0). Not a time, so that the same change always reads the same.
 */
const LINES_MAX = 1_000;
/** Once a change is made nobody waits for the diff to decide. */
const MADE_LINES_MAX = 500;
const PREVIEW_CHARS_MAX = 20_000;

type Change = { before: readonly string[] | undefined; after: readonly string[] };

/** What changes between two states of a file; undefined `before` for a file that is new. */
export function changePreview(
  path: string,
  before: readonly string[] | undefined,
  after: readonly string[],
): Promise<string> {
  return unifiedDiff(path, { before, after }, LINES_MAX);
}

/** What was changed, for log and screen. */
export function changeMade(path: string, change: Change): Promise<string> {
  return unifiedDiff(path, change, MADE_LINES_MAX);
}

async function unifiedDiff(
  path: string,
  { before, after }: Change,
  linesMax: number,
): Promise<string> {
  // Loaded when it is needed: a turn without a question never is.
  const { createTwoFilesPatch } = await import("diff");
  const patch = createTwoFilesPatch(
    before === undefined ? "/dev/null" : path,
    path,
    (before ?? []).join("\n"),
    after.join("\n"),
    undefined,
    undefined,
    { context: CONTEXT_LINES, maxEditLength: isMixed(before ?? [], after) ? linesMax : Infinity },
  );
  if (patch === undefined) return replacement(path, before ?? [], after);
  // The library puts two lines of its own first, and a tab after each name.
  const lines = patch.replace(/(?<!\n)\n+$/, "").split("\n");
  const [from = "", to = "", ...hunks] = lines.slice(
    lines.findIndex((line) => line.startsWith("--- ")),
  );
  return bounded([from.trimEnd(), to.trimEnd(), ...hunks]);
}

/** Whether lines were both added and removed: what only grew or shrank in one place is compared in no time. */
function isMixed(before: readonly string[], after: readonly string[]): boolean {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return start + end < most;
}

function replacement(path: string, before: readonly string[], after: readonly string[]): string {
  const head = [
    `--- ${path}`,
    `+++ ${path}`,
    `@@ -1,${before.length} +1,${after.length} @@ too different to compare; the new content`,
  ];
  return bounded([...head, ...after.map((line) => `+${line}`)]);
}

function bounded(lines: readonly string[]): string {
  let chars = 0;
  const kept: string[] = [];
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > PREVIEW_CHARS_MAX) {
      const rest = lines.length - kept.length;
      return [...kept, `… ${rest} more ${rest === 1 ? "line" : "lines"} of the diff are not shown`]
        .join("\n");
    }
    kept.push(line);
  }
  return kept.join("\n");
}
