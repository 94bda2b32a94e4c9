/**
 * Characters that a terminal acts on or a reader cannot see, drawn as escapes. Everything that was not written by us
 * goes through here before it is shown: a question that hides part of a command is no question.
 */

/**
 * Controls (C0, DEL, C1), lone surrogates, line and paragraph separators, everything that Unicode says is drawn as
 * nothing (zero width, soft hyphen, fillers, tag letters, variation selectors), direction controls, and the Braille
 * blank, which is drawn as nothing although it is a symbol.
 */
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb]/gu;

/** Blanks that look like the ordinary one and separate no words in a shell. */
const ODD_SPACE = /[\p{Zs}--[ \u3000]]/gv;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** How a text is to be drawn. */
export type VisibleOptions = {
  /** Draw line feeds and tabs as `\n` and `\t` too: for text that has to stay on one line. */
  oneLine?: boolean;
  /** Draw blanks that only look like a space (U+00A0 and its like) too: for commands. */
  oddSpaces?: boolean;
};

/**
 * The text with every hidden character as a visible escape (`\x1b`, `\u{202e}`). Line feeds and tabs stay as they are
 * unless asked otherwise. What makes emoji look as they should (U+FE0F, U+200D between pictures) stays.
 */
export function visible(text: string, options: VisibleOptions = {}): string {
  const shown = text.replace(HIDDEN, (char, at: number) => {
    if (!options.oneLine && (char === "\n" || char === "\t")) return char;
    return isEmojiGlue(text, char, at) ? char : escaped(char);
  });
  return options.oddSpaces ? shown.replace(ODD_SPACE, escaped) : shown;
}

/** A name in one line, as a model can send it back; one that has line ends or other controls is quoted. */
export function visibleName(name: string): string {
  if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return name;
  return JSON.stringify(name).replace(
    /[\p{Zl}\p{Zp}]/gu,
    (char) => char === "\u2028" ? "\\u2028" : "\\u2029",
  );
}

/** Whether any character of the text would be drawn as an escape; line feeds and tabs are no hidden characters. */
export function hasHidden(text: string): boolean {
  return visible(text, { oddSpaces: true }) !== text;
}

function escaped(char: string): string {
  const short = SHORT[char];
  if (short !== undefined) return short;
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
}

function isEmojiGlue(text: string, char: string, at: number): boolean {
  if (char === "\ufe0f") return /[\p{Emoji}]$/u.test(text.slice(Math.max(0, at - 2), at));
  if (char !== "\u200d") return false;
  const before = text.slice(Math.max(0, at - 3), at);
  const after = text.slice(at + 1, at + 3);
  return /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(after);
}
