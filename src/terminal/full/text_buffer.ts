/**
 * The text of an input, its caret, what was killed and what can be undone. A long paste stands in the text as one private
 * character, so that every movement and deletion takes it as one; it becomes what was pasted when the text is taken out.
 */
import { graphemes } from "@/lib/width.ts";

/** What a moment of the input is. `caret` is an offset in `text`. */
type State = { text: string; caret: number };

/** Pasted texts by the character that stands for them. */
export type Pastes = ReadonlyMap<string, { text: string; label: string }>;

/** Longer pastes are folded. */
const PASTE_LINES_MAX = 10;
const PASTE_CHARS_MAX = 1_000;

const UNDO_MAX = 200;
const KILLS_MAX = 20;

/** Private characters at the very end of Unicode, which no font and no text uses. */
const MARKS_FIRST = 0x10f000;
const MARKS_COUNT = 0xffd;

let words: Intl.Segmenter | undefined;

/** Made when it is first needed: the tables of Unicode take their time. */
function wordsOf(text: string): Intl.Segments {
  words ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return words.segment(text);
}

type Last = "typing" | "kill" | "yank" | undefined;

/** An editable text. */
export class TextBuffer {
  #text = "";
  #caret = 0;
  readonly #pastes = new Map<string, { text: string; label: string }>();
  #pasteCount = 0;
  readonly #undo: State[] = [];
  readonly #kills: string[] = [];
  #last: Last;
  /** What the last yank put in, to be replaced by the one before. */
  #yanked = { start: 0, length: 0, kill: 0 };

  /** The text with its paste marks. */
  get marked(): string {
    return this.#text;
  }

  get caret(): number {
    return this.#caret;
  }

  get pastes(): Pastes {
    return this.#pastes;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** What the person means: pastes as they were pasted. */
  get text(): string {
    if (this.#pastes.size === 0) return this.#text;
    return [...this.#text].map((char) => this.#pastes.get(char)?.text ?? char).join("");
  }

  /** Replace everything; can be undone. */
  set(text: string, caret = Infinity): void {
    const clean = typed(text);
    this.#change(clean, Math.min(caret, clean.length), undefined);
  }

  /** Replace a stretch by a text and put the caret behind it; can be undone. */
  replace(start: number, end: number, text: string): void {
    const clean = typed(text);
    this.#change(
      this.#text.slice(0, start) + clean + this.#text.slice(end),
      start + clean.length,
      undefined,
    );
  }

  /** Empty it, and forget its pastes and its past. */
  clear(): void {
    this.#text = "";
    this.#caret = 0;
    this.#pastes.clear();
    this.#pasteCount = 0;
    this.#undo.length = 0;
    this.#last = undefined;
  }

  /** What was typed, at the caret. */
  insert(text: string): void {
    this.#put(typed(text), "typing");
  }

  /** What was pasted, at the caret; folded when it is long. */
  paste(text: string): void {
    const clean = pasted(text);
    const lines = clean.replace(/\n$/, "").split("\n").length;
    const isLong = lines > PASTE_LINES_MAX || clean.length > PASTE_CHARS_MAX;
    this.#last = undefined;
    this.#put(isLong ? this.#fold(clean, lines) : clean, undefined);
  }

  left(): void {
    this.moveTo(this.#before(this.#caret));
  }

  right(): void {
    this.moveTo(this.#after(this.#caret));
  }

  wordLeft(): void {
    this.moveTo(this.#wordStart());
  }

  wordRight(): void {
    this.moveTo(this.#wordEnd());
  }

  lineStart(): void {
    this.moveTo(this.#lineStart());
  }

  lineEnd(): void {
    this.moveTo(this.#lineEnd());
  }

  moveTo(offset: number): void {
    this.#caret = Math.max(0, Math.min(this.#text.length, offset));
    this.#last = undefined;
  }

  deleteBack(): void {
    this.#cut(this.#before(this.#caret), this.#caret);
  }

  deleteForward(): void {
    this.#cut(this.#caret, this.#after(this.#caret));
  }

  /** Up to the blank before the caret, as the shell's Ctrl+W does. */
  killBlankWord(): void {
    const words = this.#text.slice(0, this.#caret).trimEnd();
    this.#kill(words.replace(/(?<!\S)\S+$/u, "").length, this.#caret, "before");
  }

  killWordBack(): void {
    this.#kill(this.#wordStart(), this.#caret, "before");
  }

  killWordForward(): void {
    this.#kill(this.#caret, this.#wordEnd(), "after");
  }

  killToLineStart(): void {
    const start = this.#lineStart();
    this.#kill(start === this.#caret ? Math.max(0, start - 1) : start, this.#caret, "before");
  }

  killToLineEnd(): void {
    const end = this.#lineEnd();
    this.#kill(this.#caret, end === this.#caret ? this.#after(end) : end, "after");
  }

  /** Bring back what was killed last. */
  yank(): void {
    const kill = this.#kills.at(-1);
    if (kill === undefined) return;
    const start = this.#caret;
    this.#last = undefined;
    this.#put(kill, "yank");
    this.#yanked = { start, length: kill.length, kill: this.#kills.length - 1 };
  }

  /** Right after a yank: the kill before that one instead. */
  yankOlder(): void {
    if (this.#last !== "yank" || this.#kills.length < 2) return;
    const { start, length, kill } = this.#yanked;
    const older = (kill - 1 + this.#kills.length) % this.#kills.length;
    const text = this.#kills[older] ?? "";
    const rest = this.#text.slice(start + length);
    this.#change(this.#text.slice(0, start) + text + rest, start + text.length, "yank");
    this.#yanked = { start, length: text.length, kill: older };
  }

  undo(): void {
    const state = this.#undo.pop();
    if (state === undefined) return;
    this.#text = state.text;
    this.#caret = state.caret;
    this.#last = undefined;
  }

  #put(text: string, last: Last): void {
    if (text === "") return;
    const { before, after } = this.#halves();
    // One undo takes back a run of typed words, not a letter; a new word begins a new step.
    const isRun = last === "typing" && this.#last === "typing" && !/^\s/.test(text);
    this.#change(before + text + after, this.#caret + text.length, last, isRun);
  }

  #cut(start: number, end: number): void {
    if (start === end) return;
    this.#change(this.#text.slice(0, start) + this.#text.slice(end), start, undefined);
  }

  #kill(start: number, end: number, side: "before" | "after"): void {
    if (start === end) return;
    const text = this.#text.slice(start, end);
    const last = this.#last === "kill" ? this.#kills.pop() ?? "" : "";
    this.#kills.push(side === "before" ? text + last : last + text);
    if (this.#kills.length > KILLS_MAX) this.#kills.shift();
    this.#change(this.#text.slice(0, start) + this.#text.slice(end), start, "kill");
  }

  #change(text: string, caret: number, last: Last, isSameStep = false): void {
    if (!isSameStep) {
      this.#undo.push({ text: this.#text, caret: this.#caret });
      if (this.#undo.length > UNDO_MAX) this.#undo.shift();
    }
    this.#text = text;
    this.#caret = caret;
    this.#last = last;
  }

  #halves(): { before: string; after: string } {
    return { before: this.#text.slice(0, this.#caret), after: this.#text.slice(this.#caret) };
  }

  #fold(text: string, lines: number): string {
    this.#pasteCount += 1;
    const size = lines > PASTE_LINES_MAX ? `+${lines} lines` : `${text.length} chars`;
    let mark = "";
    for (let n = 0; n < MARKS_COUNT; n++) {
      mark = String.fromCodePoint(MARKS_FIRST + (this.#pasteCount + n) % MARKS_COUNT);
      if (!this.#pastes.has(mark) && !this.#text.includes(mark)) break;
    }
    this.#pastes.set(mark, { text, label: `[paste #${this.#pasteCount} ${size}]` });
    return mark;
  }

  /** The start of the grapheme before an offset. Looked for in its line only: lines can be long, texts longer. */
  #before(offset: number): number {
    const start = this.#text.lastIndexOf("\n", offset - 1) + 1;
    if (start === offset) return Math.max(0, offset - 1);
    let at = start;
    for (const grapheme of graphemes(this.#text.slice(start, offset))) {
      if (at + grapheme.length >= offset) return at;
      at += grapheme.length;
    }
    return at;
  }

  #after(offset: number): number {
    const next = graphemes(this.#text.slice(offset, this.#lineEnd(offset))).next();
    return next.done ? Math.min(this.#text.length, offset + 1) : offset + next.value.length;
  }

  #lineStart(): number {
    return this.#caret === 0 ? 0 : this.#text.lastIndexOf("\n", this.#caret - 1) + 1;
  }

  #lineEnd(from = this.#caret): number {
    const end = this.#text.indexOf("\n", from);
    return end === -1 ? this.#text.length : end;
  }

  #wordStart(): number {
    let start = 0;
    for (const { index, isWordLike } of wordsOf(this.#text.slice(0, this.#caret))) {
      if (isWordLike) start = index;
    }
    return start;
  }

  #wordEnd(): number {
    for (const { index, segment, isWordLike } of wordsOf(this.#text.slice(this.#caret))) {
      if (isWordLike) return this.#caret + index + segment.length;
    }
    return this.#text.length;
  }
}

/** Typed text: line feeds and tabs are text, other controls are none. */
function typed(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, "");
}

/** Sequences of a terminal (colours of a copied screen) with all they hold, then what `typed` takes out. */
function pasted(text: string): string {
  const plain = text
    .replaceAll(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)?/g, "")
    .replaceAll(/\r\n?/g, "\n");
  return typed(plain);
}
