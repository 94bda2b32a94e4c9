/** A session's title, and the file name made of it. */

const TITLE_CHARS_MAX = 60;
const SLUG_CHARS_MAX = 48;
/** File names may have 255 bytes; a counter and the ending of a torn tail also need room. */
const SLUG_BYTES_MAX = 200;

/** Reasoning and calls that a model wrote around the title; one that was never closed takes the rest with it. */
const ASIDE =
  /<(think|thinking|reasoning|tool_call|function_calls)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
/** The end of reasoning whose start the server kept back. */
const ORPHAN_END = /^[\s\S]*<\/(?:think|thinking|reasoning)\s*>/i;

const LINE_MARK = /^(?:#{1,6}\s+|[-*+•–—]\s+|\d{1,3}[.)]\s+|>\s+)/;
const PREFIX = /^(?:session\s+)?(?:title|제목)\s*[::]\s*/i;
const PAIRS: readonly (readonly [string, string])[] = [
  ["**", "**"],
  ["__", "__"],
  ["*", "*"],
  ["_", "_"],
  ["`", "`"],
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
  ["「", "」"],
  ["『", "』"],
];
// deno-lint-ignore no-control-regex -- Titles are shown in lists: what moves the cursor or turns text around goes.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A title out of what a model answered or a person typed: the last line that says something, without marks, quotes
 * and a final full stop. Empty when nothing is left.
 */
export function cleanTitle(raw: string, charsMax = TITLE_CHARS_MAX): string {
  const said = raw.replace(ASIDE, "\n").replace(ORPHAN_END, "");
  const lines = said.split(/[\r\n\u2028\u2029]+/).map(peel).filter((line) => line !== "");
  return cut(lines.at(-1) ?? "", charsMax).trim();
}

/** A text on one line, without what moves the cursor or turns text around. */
function plainLine(text: string): string {
  return text.replace(/\s/g, " ").replace(UNSEEN, "");
}

/** Takes marks, prefix and quotes off, twice, because models nest them: `**Title: "Fix parser"**`. */
function peel(line: string): string {
  let title = plainLine(line).replace(/ +/g, " ").trim();
  for (let round = 0; round < 2; round += 1) {
    title = unquote(title.replace(LINE_MARK, "").trim()).replace(PREFIX, "").trim();
    title = unquote(title.replace(/(?<![.。!!??])[.。!!??]+$/, "").trim());
  }
  return /[\p{L}\p{N}\p{So}\p{Sc}]/u.test(title) ? title : "";
}

function unquote(text: string): string {
  for (const [open, close] of PAIRS) {
    const isWrapped = text.length > open.length + close.length && text.startsWith(open) &&
      text.endsWith(close);
    if (isWrapped) return text.slice(open.length, text.length - close.length).trim();
  }
  return text;
}

/** Device names that Windows reserves, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/;

/**
 * A title as the stem of a file name on every system; empty when nothing of it can stand there (the id is then a
 * timestamp).
 */
export function slugOf(title: string, charsMax = SLUG_CHARS_MAX): string {
  const words = title.normalize("NFC").toLowerCase()
    .replace(/[/\\:*?"<>|]/g, " ")
    .replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, "")
    .replace(/[\s-]+/g, "-")
    .normalize("NFC"); // A mark may now stand behind another letter.
  const chars = Array.from(words.replace(/^[-\p{M}]+/u, "")).slice(0, charsMax);
  while (byteLength(chars) > SLUG_BYTES_MAX) chars.pop();
  const slug = chars.join("").replace(/(?<!-)-+$/, "");
  return RESERVED.test(slug) ? `${slug}-session` : slug;
}

function byteLength(chars: readonly string[]): number {
  return new TextEncoder().encode(chars.join("")).length;
}

/** The id of a session that has no title yet: local time, `YYYYMMDD_HHMMSS`. */
export function timestampId(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}_${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}

/** The wanted id, then `-2`, `-3` and so on: the order in which ids are tried until one is free. */
export function* idsInOrder(wanted: string): Generator<string, void> {
  yield wanted;
  for (let n = 2; n <= 9_999; n += 1) yield `${wanted}-${n}`;
}

/** Whether an id was made of this slug, counter included. */
export function isIdOf(id: string, slug: string): boolean {
  return id === slug || (id.startsWith(`${slug}-`) && /^\d+$/.test(id.slice(slug.length + 1)));
}

/** The first characters of a text, counted as code points so that none is cut in half. */
function cut(text: string, charsMax: number): string {
  const chars = Array.from(text);
  return chars.length <= charsMax ? text : chars.slice(0, charsMax).join("");
}
