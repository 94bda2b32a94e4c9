/**
 * How many cells of a terminal a text takes. No two terminals agree on everything (tmux 3.3a gives an emoji with a skin
 * tone four cells, others two), so nothing that must be right may hang on it: it places the caret and lines up columns.
 */
import { isWide } from "./wide_characters.ts";

/** What is drawn as nothing: combining marks, joiners, controls, the vowels and tails of decomposed Hangul. */
const NO_CELLS =
  /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const KEYCAP = /^[0-9#*]\ufe0f?\u20e3$/;
const PICTURE_PART = /[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]/u;
/** Sequences that we write ourselves: styles (SGR) and hyperlinks (OSC 8). */
const OWN_SEQUENCE = /\x1b(?:\[[0-9;:]*m|\]8;[^\x07\x1b]*(?:\x07|\x1b\\))/g;
/**
 * Characters of one cell that join with none of their neighbours: what most rows are made of, our own marks included. Found
 * without the tables of Unicode, which take 15 to 60 ms to load: a screen that is being opened waits for none of them.
 */
const SINGLE =
  /^[\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u203a\u2190-\u2193\u2212\u2500-\u257f\u25b0-\u25cf\u2713\u2717\u276f\u2801-\u28ff]*$/;
/** The same with Hangul, Han and kana, which join with nothing of these either: cutting them apart by rule takes 30 times as long. */
const APART =
  /^[\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u203a\u2190-\u2193\u2212\u2500-\u257f\u25b0-\u25cf\u2713\u2717\u276f\u2801-\u28ff\u3001-\u3003\u3008-\u3011\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;

let segmenter: Intl.Segmenter | undefined;
let emoji: RegExp | undefined;
/** Widths by grapheme: a text uses few different ones. */
const known = new Map<string, number>();
const KNOWN_MAX = 4_096;

/** Whether every character of the text is drawn as it is, in one cell of its own. */
export function isSingleCells(text: string): boolean {
  return SINGLE.test(text);
}

/** What a reader takes for one character, one after the other. */
export function* graphemes(text: string): Generator<string> {
  if (APART.test(text)) {
    yield* text;
    return;
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Cells of one grapheme. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && isSingleCells(grapheme)) return 1;
  const before = known.get(grapheme);
  if (before !== undefined) return before;
  const width = measured(grapheme);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(grapheme, width);
  return width;
}

/** Cells of a text on one line. Our own style sequences take none; a tab takes none either, so expand it first. */
export function textWidth(text: string): number {
  const plain = text.includes("\x1b") ? text.replace(OWN_SEQUENCE, "") : text;
  if (isSingleCells(plain)) return plain.length;
  let width = 0;
  for (const grapheme of graphemes(plain)) width += graphemeWidth(grapheme);
  return width;
}

/** The text without our own style sequences. */
export function withoutStyles(text: string): string {
  return text.includes("\x1b") ? text.replace(OWN_SEQUENCE, "") : text;
}

/** Tabs as blanks, up to the next stop. The text is one line without styles. */
export function expandTabs(line: string, stop = 8): string {
  if (!line.includes("\t")) return line;
  let [expanded, width] = ["", 0];
  for (const grapheme of graphemes(line)) {
    const piece = grapheme === "\t" ? " ".repeat(stop - width % stop) : grapheme;
    expanded += piece;
    width += grapheme === "\t" ? piece.length : graphemeWidth(grapheme);
  }
  return expanded;
}

/** The beginning of a line (it may be styled) that fits, with a mark at its end when something was cut. */
export function cutToWidth(line: string, width: number, mark = "…"): string {
  if (textWidth(line) <= width) return line;
  const room = Math.max(0, width - textWidth(mark));
  let [kept, used, at] = ["", 0, 0];
  let isStyled = false;
  for (const match of [...line.matchAll(OWN_SEQUENCE), undefined]) {
    for (const grapheme of graphemes(line.slice(at, match?.index ?? line.length))) {
      const cells = graphemeWidth(grapheme);
      if (used + cells > room) return `${kept}${isStyled ? "\x1b[0m" : ""}${width > 0 ? mark : ""}`;
      kept += grapheme;
      used += cells;
    }
    if (match === undefined) break;
    kept += match[0];
    isStyled = true;
    at = match.index + match[0].length;
  }
  return kept;
}

function measured(grapheme: string): number {
  if (isPicture(grapheme)) return 2;
  let width = 0;
  let isJoined = false;
  for (const char of grapheme) {
    // What a joiner glues on (in a picture that is no emoji of the standard) is drawn over what is there.
    if (!isJoined && !NO_CELLS.test(char)) width += isWide(char.codePointAt(0) ?? 0) ? 2 : 1;
    isJoined = char === "\u200d";
  }
  return width;
}

/** A picture of one code point is wide by itself; the table of the others takes 20 to 40 ms to load. */
function isPicture(grapheme: string): boolean {
  if ([...grapheme].length === 1) return false;
  if (KEYCAP.test(grapheme)) return true;
  if (!PICTURE_PART.test(grapheme)) return false;
  emoji ??= new RegExp("^\\p{RGI_Emoji}$", "v");
  return emoji.test(grapheme);
}
