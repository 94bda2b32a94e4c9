/** Blocks of Markdown as lines. Prose is wrapped at words; code stays as it is, so that what is copied is what was said. */
import type { Token, Tokens } from "marked";
import { expandTabs, withoutStyles } from "@/lib/width.ts";
import { wrapText } from "@/lib/wrap.ts";
import { PROSE_CELLS_MAX } from "../prose_width.ts";
import { inlineText } from "./inline.ts";
import type { Registers } from "./registers.ts";
import { prefixed } from "./shown.ts";
import { tableLines } from "./table.ts";

/** Paints the lines of one block of code, in order. */
export type CodePainter = { line(text: string): string };

/** What blocks are drawn with. */
export type BlockOptions = {
  /** Cells that a line may take; prose takes fewer. */
  width: number;
  look: Registers;
  /** A painter for a language; undefined for one that is not known. */
  painter(language: string): CodePainter | undefined;
};

/** Code stands in from the prose. */
export const CODE_INDENT = "    ";
const CODE_TAB = 4;
const RULE_CELLS = 12;
const WIDTH_MIN = 8;
/** What was put out last: of it depends whether a blank line follows. */
export type Before = { type: string; isApart: boolean };

/** Whether a blank line belongs between two blocks: where the source has one, and around what is no prose. */
export function needsGap(before: Before | undefined, type: string): boolean {
  if (before === undefined) return false;
  return before.isApart || STANDS_APART.has(before.type) || STANDS_APART.has(type);
}

const STANDS_APART: ReadonlySet<string> = new Set(["code", "table", "heading"]);

/** The block as what was put out last. */
export function asBefore(token: Token): Before {
  return { type: token.type, isApart: endsApart(token.raw) };
}

/** Whether a source ends with a blank line. */
export function endsApart(raw: string): boolean {
  return /\n[ \t]*\n[ \t]*$/.test(raw);
}

/** The lines of all blocks. */
export function blocksLines(
  tokens: readonly Token[],
  options: BlockOptions,
  before?: Before,
): string[] {
  const lines: string[] = [];
  let last = before;
  for (const token of tokens) {
    if (token.type === "space") {
      if (last !== undefined) last = { ...last, isApart: true };
      continue;
    }
    const own = blockLines(token, options);
    if (own.length === 0) continue;
    if (needsGap(last, token.type)) lines.push("");
    lines.push(...own);
    last = asBefore(token);
  }
  return lines;
}

/** The lines of one block. */
export function blockLines(token: Token, options: BlockOptions): string[] {
  const { look } = options;
  switch (token.type) {
    case "heading":
      return prose(
        inlineText(insideOf(token), look, depthOf(token) === 1 ? ["bold", "link"] : ["heading"]),
        options,
      );
    case "code":
      return codeLines(textOf(token), languageOf(token), options);
    case "list":
      return listLines(token, options);
    case "blockquote": {
      const bar = look.dim("│ ");
      return prefixed(blocksLines(insideOf(token), narrower(options, 2)), bar);
    }
    case "table":
      return isTable(token) ? tableLines(token, options) : prose(token.raw, options);
    case "hr":
      return [look.dim("─".repeat(RULE_CELLS))];
    case "html":
    case "def":
      return prose(token.raw.trimEnd(), options);
    case "space":
      return [];
    default:
      return prose(inlineText(insideOf(token), look), options);
  }
}

/** Lines of code, indented, as long as they are. */
export function codeLines(text: string, language: string, options: BlockOptions): string[] {
  if (text === "") return [];
  const painter = options.painter(language);
  return text.split("\n").map((line) => codeLine(line, painter));
}

/** One line of code. */
export function codeLine(line: string, painter: CodePainter | undefined): string {
  const shown = expandTabs(line, CODE_TAB).trimEnd();
  return shown === "" ? "" : apart(`${CODE_INDENT}${painter?.line(shown) ?? shown}`);
}

/** The first word after the fence, without what some put around it. */
export function languageOf(token: Token): string {
  const info = "lang" in token && typeof token.lang === "string" ? token.lang : "";
  return languageIn(info);
}

/** The language that the text after a fence names. */
export function languageIn(info: string): string {
  return /^\s*\{?\.?([\w+#-]+)/.exec(info)?.[1] ?? "";
}

/** The lines of a list, or of the rest of one, whose first item then has the number `first`. */
export function listLines(token: Token, options: BlockOptions, first?: number): string[] {
  if (!isList(token)) return prose(token.raw, options);
  const start = first ?? (typeof token.start === "number" ? token.start : 1);
  return token.items.flatMap((item, at) => {
    const before = token.items[at - 1];
    const gap = before !== undefined && endsApart(before.raw) ? [""] : [];
    const marker = token.ordered ? `${start + at}. ` : "- ";
    return [...gap, ...itemLines(item, marker, options)];
  });
}

function itemLines(item: Tokens.ListItem, marker: string, options: BlockOptions): string[] {
  const { tokens } = item;
  const box = tokens[0]?.type === "checkbox" ? tokens[0].raw : "";
  const lead = `${marker}${box}`;
  const indent = " ".repeat(marker.length);
  const inside = box === "" ? tokens : tokens.slice(1);
  const lines = blocksLines(inside, narrower(options, marker.length));
  return lines.length === 0 ? [lead.trimEnd()] : prefixed(lines, lead, indent);
}

/** Words as lines; a line of the source ends one of ours too. */
function prose(text: string, options: BlockOptions): string[] {
  const width = Math.min(options.width, PROSE_CELLS_MAX);
  return wrapText(text, width).map((line) => apart(line.trimEnd()));
}

const LOOKS_LIKE_OURS = /^(?:[❯▸▾✓✗◆]|── | {4}· )/;

/** A reply that begins a line like one of the other registers is moved in by a blank: it must not pass for one. */
function apart(line: string): string {
  return LOOKS_LIKE_OURS.test(withoutStyles(line)) ? ` ${line}` : line;
}

function narrower(options: BlockOptions, cells: number): BlockOptions {
  return { ...options, width: Math.max(WIDTH_MIN, options.width - cells) };
}

function insideOf(token: Token): readonly Token[] {
  return "tokens" in token && Array.isArray(token.tokens) ? token.tokens : [];
}

function textOf(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

function depthOf(token: Token): number {
  return "depth" in token && typeof token.depth === "number" ? token.depth : 1;
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list" && "items" in token;
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table" && "header" in token;
}
