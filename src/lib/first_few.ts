/** Long lists of complaints, of which the first few say enough. */

const SHOWN_MAX = 5;

/** The first few lines, and how many more there are `of` their kind. */
export function firstFew(lines: readonly string[], of: string): readonly string[] {
  if (lines.length <= SHOWN_MAX) return lines;
  return [...lines.slice(0, SHOWN_MAX), `… and ${lines.length - SHOWN_MAX} more ${of}`];
}
