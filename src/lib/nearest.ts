/** The name a person probably meant: for the sentence that refuses an unknown one. */

/** The candidate with the fewest changed characters, if it is near enough to be a slip of the hand; case is ignored. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  const changesMax = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestChanges = changesMax + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestChanges) continue;
    const changes = changesBetween(wanted, candidate.toLowerCase());
    if (changes < bestChanges) [best, bestChanges] = [candidate, changes];
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
