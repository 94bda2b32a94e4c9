/** A reply's text with what the recognisers ask of it: tags, blanks, line starts, and searches that never start over. */

/** A marker in angle or square brackets. `name` is its canonical spelling, `rest` what stands after the name. */
export type Tag = { start: number; end: number; name: string; rest: string };

/** White space, and characters of no width that models put between tokens. */
const BLANK = /[\s\u200b-\u200d\u2060\ufeff]/;
const BLANKS = /[\s\u200b-\u200d\u2060\ufeff]*/y;
const ANGLE_TAG = /<(?=[a-z/\\|｜‖])[^<>\n]{1,200}>/iy;
const SQUARE_TAG = /\[\/?[A-Z][A-Z_]{2,20}\]/y;
const NAME = /^[^\s=]*/;
/** Characters that have another spelling in a marker's canonical name. */
const UNUSUAL = /[|｜‖▁\\]/;

export class Source {
  readonly text: string;
  /** How many characters recognisers have walked over, counted where they could walk over the same ones again. */
  steps = 0;
  readonly #isLineStart: boolean;
  readonly #found = new Map<string, { from: number; at: number }>();

  /** `isLineStart`: whether the text begins at the start of a line. */
  constructor(text: string, isLineStart = true) {
    this.text = text;
    this.#isLineStart = isLineStart;
  }

  /** Place of `needle` at or after `from`, or -1. Asked in ascending order it walks over the text once. */
  find(needle: string, from: number): number {
    const known = this.#found.get(needle);
    if (known !== undefined && known.from <= from && (known.at === -1 || known.at >= from)) {
      return known.at;
    }
    const at = this.text.indexOf(needle, from);
    this.#found.set(needle, { from, at });
    return at;
  }

  /** The first place at or after `from` that is no blank. */
  skipBlanks(from: number): number {
    BLANKS.lastIndex = from;
    BLANKS.exec(this.text);
    return BLANKS.lastIndex;
  }

  /** The first place after the blanks that end before `to`, going backwards. */
  skipBlanksBack(to: number, from = 0): number {
    let at = to;
    while (at > from && BLANK.test(this.text.charAt(at - 1))) at -= 1;
    return at;
  }

  /** Whether only blanks stand between the start of the line and `at`. */
  isLineStart(at: number): boolean {
    for (let i = at - 1; i >= 0; i -= 1) {
      const char = this.text.charAt(i);
      if (char === "\n" || char === "\r") return true;
      if (!BLANK.test(char)) return false;
    }
    return this.#isLineStart;
  }

  /** End of the line that `at` is in: the place of its line break, or the end of the text. */
  lineEnd(at: number): number {
    const end = this.find("\n", at);
    return end === -1 ? this.text.length : end;
  }

  /** The marker that starts at `at`, if one does. */
  tagAt(at: number): Tag | undefined {
    const first = this.text.charAt(at);
    if (first === "<") return this.#angleTag(at);
    return first === "[" ? this.#squareTag(at) : undefined;
  }

  #angleTag(start: number): Tag | undefined {
    ANGLE_TAG.lastIndex = start;
    const match = ANGLE_TAG.exec(this.text);
    if (match === null) return undefined;
    const body = match[0].slice(1, -1);
    const end = start + match[0].length;
    if (!UNUSUAL.test(body)) {
      const [name = ""] = NAME.exec(body) ?? [];
      return { start, end, name: name.toLowerCase(), rest: body.slice(name.length) };
    }
    const [name = ""] = NAME.exec(canonical(body)) ?? [];
    // Blanks after bars belong to the name.
    const separator = /[\s=]/.exec(body.replace(/[|｜‖]\s+/g, (bars) => bars.replace(/\s/g, "|")));
    const rest = separator === null ? "" : body.slice(separator.index);
    return { start, end, name, rest };
  }

  #squareTag(start: number): Tag | undefined {
    SQUARE_TAG.lastIndex = start;
    const match = SQUARE_TAG.exec(this.text);
    if (match === null) return undefined;
    return { start, end: start + match[0].length, name: match[0].toLowerCase(), rest: "" };
  }
}

/**
 * One spelling for a marker however it was written: lower case, ASCII bars (one where there are two) and underscores
 * for the characters that DeepSeek's tokens have, no blanks after bars, `/` for `\/`.
 */
export function canonical(body: string): string {
  const lower = body.toLowerCase();
  if (!UNUSUAL.test(lower)) return lower;
  return lower.replace(/[｜‖]/g, "|").replace(/\|[|\s]*/g, "|").replace(/▁/g, "_").replace(
    /\\\//g,
    "/",
  );
}
