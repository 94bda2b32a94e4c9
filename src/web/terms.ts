/** The words of a search: what is asked of keyword sources, what counts in a passage, and what a passage must have. */

/** Words that say how something is asked and not what about. */
const FILLERS = new Set(
  ("a an and are as at be been but by can could did do does doing for from had has have how i if in into is it its me " +
    "mean meaning means my of on or please should so than that the their them then there these they this those to " +
    "use using was we were what whats when where which who whom whose why will with would you your about explain tell")
    .split(" "),
);

/** Scripts that write no blanks between words: pieces of two characters are their words. */
const UNSPACED = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
const WORD = /[\p{L}\p{N}_]+/gu;
const CAMEL = /(?<![a-z])[a-z]+[A-Z][A-Za-z0-9]*/g;
const SNAKE = /(?<![A-Za-z0-9])[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+/g;

/** The query without fillers and the punctuation around its words; the query itself where nothing else is in it. */
export function distil(query: string): string {
  const words = query.split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}_`"'.<]+|[^\p{L}\p{N}_`"')>+#]+$/gu, ""))
    .filter((word) => word !== "" && !FILLERS.has(word.toLowerCase()));
  return words.length === 0 ? query.trim() : words.join(" ");
}

/** The words of a text, in lower case: identifiers whole and in their parts, unspaced scripts in pairs. */
export function tokensOf(text: string): readonly string[] {
  return [...text.matchAll(WORD)].flatMap(([word]) => tokens(word));
}

function tokens(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const runs = lower.match(UNSPACED) ?? [];
  if (runs.length > 0) {
    const others = lower.replace(UNSPACED, " ").split(/\s+/).filter((one) => one !== "");
    return [...others, ...runs.flatMap(pairs)];
  }
  if (word.includes("_")) {
    const parts = lower.split("_").filter((part) => part !== "");
    return parts.length > 1 ? [lower, ...parts] : [lower];
  }
  return /^[a-z]+[A-Z]/.test(word)
    ? [lower, ...word.split(/(?=[A-Z])/).map((part) => part.toLowerCase())]
    : [lower];
}

function pairs(run: string): readonly string[] {
  const letters = [...run];
  return letters.length < 2
    ? letters
    : letters.slice(0, -1).map((letter, at) => `${letter}${letters[at + 1]}`);
}

/** The words by which passages are ranked: those of the distilled query, once each. */
export function termsOf(query: string): readonly string[] {
  return [...new Set(tokensOf(distil(query)))];
}

/** snake_case and camelCase of a query, in lower case: whoever writes one means exactly that. */
export function identifiersOf(query: string): readonly string[] {
  const found = [...query.matchAll(SNAKE), ...query.matchAll(CAMEL)].map(([word]) =>
    word.toLowerCase()
  );
  return [...new Set(found)];
}

/** Whether a query is about code: such words are found by Stack Exchange and GitHub, and hardly by a web index. */
export function isCodeQuery(query: string): boolean {
  return identifiersOf(query).length > 0 || /[()[\]{}`]|\.\w+\(/.test(query) ||
    /(?:error|exception|traceback)\b/i.test(query);
}
