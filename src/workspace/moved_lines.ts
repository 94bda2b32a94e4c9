/** Where lines that a conversation was shown stand in a file that somebody else has changed since. */

export type Span = { from: number; to: number };

/** Lines by their numbers, as they were last shown. */
export type Shown = ReadonlyMap<number, string>;

/** Lines on either side that may be needed to tell a place from others like it. */
export const AROUND_MAX = 20;

/**
 * The one place where the lines of a span stand as they were shown, told by as much around them as makes them the only
 * ones, then and now. "unknown" where one of them was not shown, "none" where no place, or more than one, can be meant.
 */
export function placeNow(
  texts: readonly string[],
  shown: Shown,
  { from, to }: Span,
): Span | "unknown" | "none" {
  const window = { from, to };
  const lines: string[] = [];
  for (let line = from; line <= to; line += 1) {
    const text = shown.get(line);
    if (text === undefined) return "unknown";
    lines.push(text);
  }
  const textNow = (line: number) => texts[line - 1];
  const textThen = (line: number) => shown.get(line);
  let now = numbersOf(texts).filter((start) => standsAt(textNow, lines, start));
  let then = [...shown.keys()].filter((start) => standsAt(textThen, lines, start));
  while (now.length > 1 || now.length === 1 && then.length > 1) {
    const [above, below] = [shown.get(window.from - 1), shown.get(window.to + 1)];
    if (window.to - window.from > to - from + 2 * AROUND_MAX) break;
    if (above === undefined && below === undefined) break;
    if (above !== undefined) {
      lines.unshift(above);
      window.from -= 1;
      [now, then] = [now.map((start) => start - 1), then.map((start) => start - 1)];
    }
    if (below !== undefined) {
      lines.push(below);
      window.to += 1;
    }
    now = now.filter((start) => standsAt(textNow, lines, start));
    then = then.filter((start) => standsAt(textThen, lines, start));
  }
  const [start] = now;
  if (start === undefined || now.length > 1 || then.length > 1) return "none";
  const first = start + from - window.from;
  return { from: first, to: first + to - from };
}

/** The span with as many lines around it, at least `atLeast`, as tell it from all other places of the file. */
export function tellingWindow(texts: readonly string[], span: Span, atLeast: number): Span {
  for (let around = atLeast;; around += 1) {
    const window = {
      from: Math.max(1, span.from - around),
      to: Math.min(texts.length, span.to + around),
    };
    const isWhole = window.from === 1 && window.to === texts.length;
    if (around >= AROUND_MAX || isWhole) return window;
    const lines = texts.slice(window.from - 1, window.to);
    const places = numbersOf(texts).filter((start) =>
      standsAt((line) => texts[line - 1], lines, start)
    );
    if (places.length === 1) return window;
  }
}

function numbersOf(texts: readonly string[]): number[] {
  return texts.map((_, at) => at + 1);
}

function standsAt(
  textAt: (line: number) => string | undefined,
  lines: readonly string[],
  start: number,
): boolean {
  return lines.every((line, at) => textAt(start + at) === line);
}
