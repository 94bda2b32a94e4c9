/**
 * A reply as it arrives. What is finished is given out once and never looked at again; only the block that is still open is
 * read anew, so that a token costs the same in a long reply as in a short one. Of a fence the whole lines are finished, of a
 * list all items but the last.
 */
import type { Token } from "marked";
import { lexed } from "@/lib/markdown.ts";
import { visible } from "@/lib/visible.ts";
import { wrapText } from "@/lib/wrap.ts";
import {
  asBefore,
  type Before,
  type BlockOptions,
  blocksLines,
  codeLine,
  type CodePainter,
  endsApart,
  languageIn,
  listLines,
  needsGap,
} from "./markdown.ts";

/** What a stream is drawn with, at any width. */
export type StreamOptions = Pick<BlockOptions, "look" | "painter"> & {
  /** Whether painters can be had; a reply with code waits for them. */
  canPaint(): boolean;
};

/** An open block that is longer is cut at its last line: the next frame must not take longer than the one before. */
const OPEN_CHARS_MAX = 16_000;
/** Of a line that does not end, so much is looked at. */
const PARTIAL_CHARS_MAX = 2_000;
/** A longer open block is read anew when an eighth more of it has come: reading it takes time for all of it. */
const READ_CHARS_MIN = 2_000;
/** More of an open block than its end is not in sight: a frame costs no more for a long one. */
const TAIL_CHARS_MAX = 2_000;

type Fence = {
  closing: RegExp;
  /** Blanks before the fence, which its lines may have too. */
  indent: number;
  painter: CodePainter | undefined;
  /** What is given out with the next line: the gap before the block, empty lines inside it. */
  pending: string[];
  isEmpty: boolean;
};

/** One text of one reply. */
export class MarkdownStream {
  readonly #options: StreamOptions;
  /** Whole lines, made visible, of blocks that are not finished. */
  #source = "";
  /** The line that has not ended yet, as it came: a character may be cut in two. */
  #partial = "";
  #before: Before | undefined;
  #fence: Fence | undefined;
  /** The number that the next item of an open list has. */
  #nextItem: number | undefined;
  #hasCode = false;
  #isChanged = false;
  /** Characters of the open block when it was read last, and whether an empty line has come since. */
  #readChars = 0;
  #hasBlank = false;
  /** The first two lines of a table that was cut because it is long. */
  #tableHead: string | undefined;
  #isEnded = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  push(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end === 0) {
      this.#partial += text;
      if (this.#partial.length > OPEN_CHARS_MAX) this.#breakLine();
      return;
    }
    this.#addLines(this.#partial + text.slice(0, end));
    this.#partial = text.slice(end);
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#partial !== "") this.#addLines(`${this.#partial}\n`);
    this.#partial = "";
    this.#isEnded = true;
    this.#isChanged = true;
  }

  /** Whether everything was given out. */
  get isDone(): boolean {
    return this.#isEnded && this.#source === "";
  }

  /** Whether a part of an open block was given out already, so that nothing must come between it and the rest. */
  get isInside(): boolean {
    return this.#fence !== undefined || this.#nextItem !== undefined;
  }

  /** Lines that became final since the last call. Lines of code are as long as they are. */
  take(width: number): string[] {
    if (!this.#isChanged || (this.#hasCode && !this.#options.canPaint())) return [];
    this.#isChanged = false;
    const lines: string[] = [];
    const options = { ...this.#options, width };
    while (this.#source !== "") {
      const length = this.#source.length;
      if (this.#fence !== undefined) lines.push(...this.#takeFence(this.#fence));
      else lines.push(...this.#takeBlocks(options));
      if (this.#source.length === length) break;
    }
    if (this.#isEnded) this.#fence = this.#nextItem = undefined;
    return lines;
  }

  /** The open block as it stands, in rows that fit. */
  tail(width: number): string[] {
    const options = { ...this.#options, width };
    const partial = this.#partialShown();
    if (this.#fence !== undefined) return this.#fenceTail(this.#fence, { partial, width });
    const text = inSight(this.#source + partial);
    if (text.trim() === "") return [];
    const [first, ...rest] = lexed(text);
    if (first === undefined) return [];
    if (this.#nextItem === undefined || first.type !== "list") {
      return fitting(blocksLines([first, ...rest], options, this.#before), width);
    }
    const gap = this.#before?.isApart === true ? [""] : [];
    const items = [...gap, ...listLines(first, options, this.#nextItem)];
    return fitting([...items, ...blocksLines(rest, options, asBefore(first))], width);
  }

  #fenceTail(fence: Fence, { partial, width }: { partial: string; width: number }): string[] {
    const waiting = this.#source.split("\n").slice(0, -1);
    const open = partial === "" || fence.closing.test(partial) ? [] : [partial];
    const lines = [...waiting, ...open];
    if (lines.length === 0) return [];
    const shown = lines.map((line) => codeLine(unindented(line, fence.indent), undefined));
    return fitting([...fence.pending, ...shown], width);
  }

  /** The line that has not ended. Half of a character, and the beginning of a fence, is nothing yet. */
  #partialShown(): string {
    const partial = this.#partial.slice(-PARTIAL_CHARS_MAX).replace(
      /(?<![\ud800-\udbff\u200d\r])[\ud800-\udbff\u200d\r]+$/,
      "",
    );
    return /^ {0,3}[`~]{1,2}$/.test(partial) ? "" : visible(partial);
  }

  #addLines(raw: string): void {
    const lines = visible(raw.replaceAll(/(?<!\r)\r+\n/g, "\n"));
    // The rows after a cut are a table again, under the same head.
    if (this.#source === "" && lines.startsWith("|")) this.#source = this.#tableHead ?? "";
    this.#tableHead = undefined;
    this.#source += lines;
    this.#hasBlank ||= /^[ \t]*$/m.test(lines.slice(0, -1));
    this.#hasCode ||= /^[ \t>*+\-\d.)]*(?:```|~~~)/m.test(lines);
    this.#isChanged = true;
  }

  /** A line without an end is ended at a blank near its end, or where it is. */
  #breakLine(): void {
    const at = this.#partial.lastIndexOf(" ") + 1;
    const cut = at > OPEN_CHARS_MAX / 2 ? at : this.#partial.length - 2;
    this.#addLines(`${this.#partial.slice(0, cut).trimEnd()}\n`);
    this.#partial = this.#partial.slice(cut);
  }

  /** Whether a part of the open block can be final now, as far as that can be told without reading it. */
  #isWorthReading(): boolean {
    const { length } = this.#source;
    return this.#isEnded || this.#hasBlank || length < READ_CHARS_MIN || length > OPEN_CHARS_MAX ||
      length > this.#readChars * 9 / 8;
  }

  #takeBlocks(options: BlockOptions): string[] {
    if (!this.#isWorthReading()) return [];
    this.#hasBlank = false;
    const tokens = lexed(this.#source);
    const last = tokens.findLastIndex((token) => token.type !== "space");
    const isForced = this.#source.length > OPEN_CHARS_MAX;
    const isAll = this.#isEnded || isForced || last === -1 || isFinal(tokens[last], this.#source);
    const count = isAll ? tokens.length : last;
    const lines: string[] = [];
    const whole = this.#source;
    let end = 0;
    for (const token of tokens.slice(0, count)) {
      lines.push(...this.#give(token, options));
      // A fence with something behind it is whole: what is behind it is not read once more.
      if (this.#fence !== undefined) lines.push(...this.#takeFence(this.#fence));
      // What follows a fence that is not closed is read by the fence.
      if (this.#fence !== undefined) return lines;
      end += token.raw.length;
      this.#source = whole.slice(end);
    }
    if (isForced && !this.#isEnded) this.#tableHead = tableHead(tokens.at(-1)?.raw ?? "");
    const open = tokens[count];
    if (open !== undefined) lines.push(...this.#opened(open, options));
    this.#readChars = this.#source.length;
    return lines;
  }

  /** Give out a finished block; a fence is only opened. */
  #give(token: Token, options: BlockOptions): string[] {
    if (token.type === "space") {
      if (this.#before !== undefined) this.#before = { ...this.#before, isApart: true };
      return [];
    }
    if (token.type === "code" && this.#openFence(token)) return [];
    const first = token.type === "list" ? this.#nextItem : undefined;
    const gap = first === undefined
      ? this.#gapBefore(token.type)
      : this.#before?.isApart === true
      ? [""]
      : [];
    const lines = first === undefined
      ? blocksLines([token], options)
      : listLines(token, options, first);
    this.#nextItem = undefined;
    if (lines.length === 0) return [];
    this.#before = asBefore(token);
    return [...gap, ...lines];
  }

  /** Of a block that is still open, what is final already. */
  #opened(token: Token, options: BlockOptions): string[] {
    if (token.type === "code") {
      this.#openFence(token);
      return [];
    }
    if (token.type !== "list" || !("items" in token) || token.items.length < 2) return [];
    const whole: string = token.raw.trimEnd();
    const kept: string = token.items[token.items.length - 1].raw.trimEnd();
    // The last item's source has to be the end of the list's, or nobody knows where to cut.
    if (!whole.endsWith(kept)) return [];
    const raw = whole.slice(0, whole.length - kept.length);
    const start = this.#nextItem ?? (typeof token.start === "number" ? token.start : 1);
    const items = token.items.slice(0, -1);
    const gap = this.#nextItem !== undefined
      ? this.#before?.isApart === true ? [""] : []
      : this.#gapBefore("list");
    const lines = listLines({ ...token, items }, options, start);
    this.#drop(raw.length);
    this.#before = { type: "list", isApart: endsApart(raw) };
    this.#nextItem = start + items.length;
    return [...gap, ...lines];
  }

  /** Read the rest of a fenced block line by line; false for code that is indented instead. */
  #openFence(token: Token): boolean {
    const opening = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n/.exec(token.raw);
    if (opening === null) return false;
    const [line, indent = "", marker = "", info = ""] = opening;
    this.#fence = {
      closing: new RegExp(`^ {0,3}${marker}[\`~]* *$`),
      indent: indent.length,
      painter: this.#options.painter(languageIn(info)),
      pending: this.#gapBefore("code"),
      isEmpty: true,
    };
    this.#drop(line.length);
    return true;
  }

  #takeFence(fence: Fence): string[] {
    const lines: string[] = [];
    while (this.#source !== "") {
      const end = this.#source.indexOf("\n");
      const line = this.#source.slice(0, end);
      this.#drop(end + 1);
      if (fence.closing.test(line)) {
        this.#fence = undefined;
        break;
      }
      const shown = codeLine(unindented(line, fence.indent), fence.painter);
      fence.pending.push(shown);
      if (shown === "") continue;
      lines.push(...fence.pending.splice(0));
      fence.isEmpty = false;
    }
    if (!fence.isEmpty) this.#before = { type: "code", isApart: false };
    return lines;
  }

  #gapBefore(type: string): string[] {
    return needsGap(this.#before, type) ? [""] : [];
  }

  #drop(chars: number): void {
    this.#source = this.#source.slice(chars);
  }
}

/** Whether nothing that follows the source can belong to its last block. */
function isFinal(token: Token | undefined, source: string): boolean {
  if (token === undefined) return false;
  if (token.type === "hr" || token.type === "heading") return true;
  return ENDS_AT_BLANK.has(token.type) && endsApart(source);
}

/** The first two lines of a table; undefined of everything else. */
function tableHead(text: string): string | undefined {
  return /^ {0,3}\|[^\n]*\n {0,3}\|?[ |:-]*-[ |:-]*\n/.exec(text)?.[0];
}

/** Of a long open block the end, from the start of a line or of a word; of a table its head too. */
function inSight(text: string): string {
  if (text.length <= TAIL_CHARS_MAX) return text;
  const from = text.length - TAIL_CHARS_MAX;
  const at = /[\n ]/.exec(text.slice(from, from + TAIL_CHARS_MAX / 2))?.index;
  const end = text.slice(at === undefined ? from : from + at + 1);
  const whole = text.indexOf("\n", from);
  const head = tableHead(text);
  if (head !== undefined && whole >= head.length) return head + text.slice(whole + 1);
  return /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end;
}

const ENDS_AT_BLANK: ReadonlySet<string> = new Set(["paragraph", "table"]);

function unindented(line: string, indent: number): string {
  let at = 0;
  while (at < indent && line[at] === " ") at++;
  return line.slice(at);
}

function fitting(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => wrapText(line, width));
}
