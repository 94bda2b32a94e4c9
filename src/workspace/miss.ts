/** Why a text was not found in a file: where it nearly stands, and the first character that differs. */

/** Where a text nearly stands (lines, counted from 1) and what is different there, in a sentence. */
export type Miss = { from: number; to: number; difference: string };

const LINES_MAX = 100_000;
const LINE_CHARS_MAX = 2_000;
/** Share of letter pairs that two lines must have in common to be called near. */
const LIKENESS_MIN = 0.6;
/** Places on which as many lines agree, of which the likest is taken. */
const TIES_MAX = 50;

const CHARACTER_NAMES: Readonly<Record<string, string>> = {
  "\t": "a tab (U+0009)",
  " ": "a space (U+0020)",
  "\r": "a carriage return (U+000D)",
  "\u00a0": "a no-break space (U+00A0)",
  "\u202f": "a narrow no-break space (U+202F)",
  "\u3000": "an ideographic space (U+3000)",
  "\u200b": "a zero-width space (U+200B)",
  "\u200d": "a zero-width joiner (U+200D)",
  "\ufeff": "a byte order mark (U+FEFF)",
  "\u00ad": "a soft hyphen (U+00AD)",
  "\u2018": "a left single quotation mark (U+2018)",
  "\u2019": "a right single quotation mark (U+2019)",
  "\u201c": "a left double quotation mark (U+201C)",
  "\u201d": "a right double quotation mark (U+201D)",
  "\u2010": "a hyphen (U+2010)",
  "\u2011": "a no-break hyphen (U+2011)",
  "\u2013": "an en dash (U+2013)",
  "\u2014": "an em dash (U+2014)",
  "\u2212": "a minus sign (U+2212)",
  "'": "an apostrophe (U+0027)",
  '"': "a straight quotation mark (U+0022)",
  "-": "a hyphen-minus (U+002D)",
};

/** The place in the file where `wanted` nearly stands, or undefined if nothing is near. */
export function nearMiss(texts: readonly string[], wanted: string): Miss | undefined {
  const lines = wanted.split("\n");
  while (lines.length > 1 && lines.at(-1)?.trim() === "") lines.pop();
  const skipped = lines.findIndex((line) => line.trim() !== "");
  const sought = lines.slice(Math.max(0, skipped));
  if (sought.every((line) => line.trim() === "")) return undefined;
  const searched = texts.slice(0, LINES_MAX).map((text) => text.slice(0, LINE_CHARS_MAX));
  const start = startByLines(searched, sought) ?? startInLine(searched, sought) ??
    startByLikeness(searched, sought);
  if (start === undefined) return undefined;
  const to = Math.min(texts.length, start + sought.length - 1);
  return { from: start, to, difference: firstDifference(texts, sought, start) };
}

/** The start that most of the sought lines agree on when blanks and look-alikes are not told apart. */
function startByLines(texts: readonly string[], sought: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  texts.forEach((text, index) => {
    const key = folded(text);
    if (key === "") return;
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else if (known.length < 50) known.push(index);
  });
  const votes = new Map<number, number>();
  sought.forEach((line, offset) => {
    for (const index of places.get(folded(line)) ?? []) {
      const start = index - offset;
      if (start >= 0) votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  });
  const most = Math.max(...votes.values());
  const ties = [...votes].flatMap(([start, count]) => count === most ? [start] : [])
    .sort((a, b) => a - b).slice(0, TIES_MAX);
  // Lines that stand everywhere (a lone brace) agree everywhere: then it is the other lines that tell.
  const other = ties.length > 1 ? startByLikeness(texts, sought) : undefined;
  const best = likest(texts, sought, other === undefined ? ties : [...ties, other - 1]);
  return best === undefined ? undefined : best + 1;
}

/** The start (from 0) whose lines are most like the sought ones; the first of several. */
function likest(
  texts: readonly string[],
  sought: readonly string[],
  starts: readonly number[],
): number | undefined {
  if (starts.length < 2) return starts[0];
  const wanted = sought.map((line) => letterPairs(folded(line)));
  const likeness = starts.map((start) =>
    wanted.reduce(
      (sum, pairs, at) => sum + likenessOf(pairs, letterPairs(folded(texts[start + at] ?? ""))),
      0,
    )
  );
  return starts[likeness.indexOf(Math.max(...likeness))];
}

/** One sought line that is a part of a line. */
function startInLine(texts: readonly string[], sought: readonly string[]): number | undefined {
  const [only = ""] = sought;
  if (sought.length !== 1) return undefined;
  const key = folded(only);
  const index = texts.findIndex((text) => folded(text).includes(key));
  return index < 0 ? undefined : index + 1;
}

/** The line most like the longest sought one. */
function startByLikeness(texts: readonly string[], sought: readonly string[]): number | undefined {
  const longest = sought.reduce((best, line) =>
    line.trim().length > best.trim().length ? line : best
  );
  const offset = sought.indexOf(longest);
  const pairs = letterPairs(folded(longest));
  let best: { index: number; likeness: number } | undefined;
  texts.forEach((text, index) => {
    const other = folded(text);
    if (other === "" || Math.abs(other.length - longest.length) > longest.length) return;
    const likeness = likenessOf(pairs, letterPairs(other));
    if (likeness > (best?.likeness ?? LIKENESS_MIN)) best = { index, likeness };
  });
  return best === undefined ? undefined : Math.max(1, best.index - offset + 1);
}

function letterPairs(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}

/** A line as somebody reads it who does not see blanks, kinds of quotes or how accents are composed. */
function folded(text: string): string {
  return lookAlikes(text.normalize("NFC")).replace(/\s+/g, " ").trim();
}

function lookAlikes(text: string): string {
  return text
    .replace(/[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, "")
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-");
}

function firstDifference(
  texts: readonly string[],
  sought: readonly string[],
  start: number,
): string {
  for (const [offset, wanted] of sought.entries()) {
    const line = start + offset;
    const actual = texts[line - 1];
    if (actual === undefined) return `the file ends before line ${line}`;
    const from = sought.length === 1 ? columnOfPart(actual, wanted) : 0;
    const part = sought.length === 1 && from > 0 ? actual.slice(from) : actual;
    const isFragment = sought.length === 1 && part.length > wanted.length;
    const at = differsAt(part, wanted);
    if (at === undefined || (isFragment && at >= wanted.length)) continue;
    return sentence({ line, actual: part, wanted, at, shift: from });
  }
  return `the lines are there, but what stands between or around them differs`;
}

/** Where in a line the sought part begins, when it is not the whole line. */
function columnOfPart(actual: string, wanted: string): number {
  if (folded(actual) === folded(wanted)) return 0;
  const words = lookAlikes(wanted).trim().split(/\s+/).map((word) =>
    word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  );
  const sameLength = lookAlikes(actual).length === actual.length ? lookAlikes(actual) : actual;
  return Math.max(0, sameLength.search(new RegExp(words.join("\\s*"))));
}

function differsAt(actual: string, wanted: string): number | undefined {
  const shorter = Math.min(actual.length, wanted.length);
  for (let at = 0; at < shorter; at += 1) {
    if (actual[at] !== wanted[at]) return at;
  }
  return actual.length === wanted.length ? undefined : shorter;
}

type Difference = { line: number; actual: string; wanted: string; at: number; shift: number };

function sentence({ line, actual, wanted, at, shift }: Difference): string {
  const column = [...actual.slice(0, at)].length + shift + 1;
  const where = `line ${line}, column ${column}`;
  if (actual.normalize("NFC") === wanted.normalize("NFC")) {
    const form = actual === actual.normalize("NFC") ? ["NFC", "NFD"] : ["NFD", "NFC"];
    const letter = lastLetter(actual.normalize("NFC"), wanted, at);
    return `${where}: the file composes "${letter}" as ${form[0]}, old_content as ${form[1]}`;
  }
  if (actual.slice(at).trim() === "" && wanted.slice(at).trim() === "") {
    return `${where}: the file has ${blanks(actual.slice(at))} at the end of the line, ` +
      `old_content ${blanks(wanted.slice(at))}`;
  }
  const [has, sent] = [characterAt(actual, at), characterAt(wanted, at)];
  const hint = isTabAgainstSpaces(actual, wanted, at) ? " (tab against spaces)" : "";
  return `${where}: the file has ${has}, old_content has ${sent}${hint}`;
}

function lastLetter(composed: string, wanted: string, at: number): string {
  const start = wanted.slice(0, at).normalize("NFC").length;
  return String.fromCodePoint(
    composed.codePointAt(Math.max(0, Math.min(start, composed.length - 1))) ?? 0x20,
  );
}

function blanks(text: string): string {
  if (text === "") return "no blanks";
  return text.length === 1 ? "1 blank" : `${text.length} blanks`;
}

function isTabAgainstSpaces(actual: string, wanted: string, at: number): boolean {
  const pair = (actual[at] ?? "") + (wanted[at] ?? "");
  return pair === "\t " || pair === " \t";
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  if (code === undefined) return "the end of the line";
  const character = String.fromCodePoint(code);
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return CHARACTER_NAMES[character] ?? `"${character}" (${number})`;
}
