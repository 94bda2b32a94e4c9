/** Shortening text for a reader with little room: around a place, or from the middle, and never inside a character. */

/** A piece cut out of a line. `start` is where it begins in the line, in UTF-16 units. */
export type Clipped = { text: string; start: number; isCut: boolean };

/** What stands for text that was left out at an end. */
const ELLIPSIS = "…";

/**
 * The part of `line` around `start`, `charsMax` UTF-16 units (one more where a character needs two)
 * without the two ellipses. A third of the room goes
 * to what stands before; what one side does not need the other one gets.
 */
export function clipAround(line: string, start: number, charsMax: number): Clipped {
  if (line.length <= charsMax) return { text: line, start: 0, isCut: false };
  const before = Math.floor(charsMax / 3);
  const wanted = Math.max(0, Math.min(start - before, line.length - charsMax));
  const from = wholeAt(line, wanted);
  const to = wholeAt(line, wanted + charsMax);
  const text = (from > 0 ? ELLIPSIS : "") + line.slice(from, to) +
    (to < line.length ? ELLIPSIS : "");
  return { text, start: from, isCut: true };
}

/** The first `charsMax` UTF-16 units, with an ellipsis when something is left out. */
export function clipEnd(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : startOf(text, charsMax) + ELLIPSIS;
}

/** The first `charsMax` UTF-16 units, and no word of what is left out. */
export function startOf(text: string, charsMax: number): string {
  return text.slice(0, wholeAt(text, charsMax));
}

/** The last `charsMax` UTF-16 units (one more where a character needs two), and no word of what is left out. */
export function endOf(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : text.slice(wholeAt(text, text.length - charsMax));
}

/** What was left out of the middle of a text: where it begins in it, in UTF-16 units, and its size. */
export type Gap = { text: string; start: number; chars: number; lines: number };

/**
 * At most `charsMax` UTF-16 units of `text`, besides the gap's own line: `headShare` of it from the start, the rest from
 * the end, cut at line ends where they are near. `say` writes the line that stands in the gap.
 */
export function clipMiddle(
  text: string,
  charsMax: number,
  say: (gap: Gap) => string,
  headShare = 2 / 3,
): string {
  if (text.length <= charsMax) return text;
  const headChars = Math.floor(charsMax * headShare);
  const head = text.slice(0, endOfHead(text, headChars));
  const tail = text.slice(startOfTail(text, text.length - (charsMax - headChars)));
  const left = text.slice(head.length, text.length - tail.length);
  const gap = say({ text: left, start: head.length, chars: left.length, lines: countLines(left) });
  return `${head}${head.endsWith("\n") ? "" : "\n"}${gap}\n${tail}`;
}

/** A line end that costs more than half of the part is too far away: then the line itself is cut. */
function endOfHead(text: string, at: number): number {
  const lineEnd = text.lastIndexOf("\n", at - 1) + 1;
  return lineEnd > at / 2 ? lineEnd : wholeAt(text, at);
}

function startOfTail(text: string, at: number): number {
  const room = text.length - at;
  const lineStart = text.indexOf("\n", at) + 1;
  return lineStart > 0 && lineStart - at < room / 2 ? lineStart : wholeAt(text, at);
}

function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** The place itself, or one unit earlier if it lies inside a surrogate pair, which APIs refuse when halved. */
export function wholeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const isInside = at > 0 && code >= 0xdc00 && code <= 0xdfff &&
    (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isInside ? at - 1 : at;
}
