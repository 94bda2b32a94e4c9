/**
 * Code in colour, line by line as it arrives. highlight.js cannot go on where it stopped, and doing the whole block anew for
 * each line costs more the longer the block is; so a line is read together with the lines that opened what it stands in
 * (a comment, a string, a tag), and with nothing else.
 */
import core from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { withoutStyles } from "@/lib/width.ts";
import type { Registers, StyleName } from "./registers.ts";

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

type Language = keyof typeof LANGUAGES;

/** What people and models write for them. */
const ALIASES: ReadonlyMap<string, Language> = new Map(Object.entries<Language>({
  "c++": "cpp",
  cc: "cpp",
  cjs: "javascript",
  cs: "csharp",
  console: "shell",
  docker: "dockerfile",
  golang: "go",
  h: "c",
  hpp: "cpp",
  htm: "xml",
  html: "xml",
  js: "javascript",
  jsonc: "json",
  jsx: "javascript",
  kt: "kotlin",
  make: "makefile",
  mjs: "javascript",
  mts: "typescript",
  patch: "diff",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  "shell-session": "shell",
  svg: "xml",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  vue: "xml",
  yml: "yaml",
  zsh: "bash",
}));

/** What stands in the code of another language. */
const EMBEDDED: Readonly<Partial<Record<Language, readonly Language[]>>> = {
  php: ["xml"],
  shell: ["bash"],
  xml: ["javascript", "css"],
};

/** Scopes of highlight.js by what they begin with, and how they look. */
const LOOKS: readonly (readonly [scope: string, style: StyleName])[] = [
  ["comment", "comment"],
  ["quote", "comment"],
  ["doctag", "comment"],
  ["keyword", "keyword"],
  ["selector-", "keyword"],
  ["section", "keyword"],
  ["string", "string"],
  ["regexp", "string"],
  ["char", "string"],
  ["code", "string"],
  ["number", "number"],
  ["literal", "number"],
  ["symbol", "number"],
  ["bullet", "number"],
  ["title", "name"],
  ["name", "name"],
  ["attr", "type"],
  ["property", "type"],
  ["type", "type"],
  ["built_in", "type"],
  ["meta", "keyword"],
  ["addition", "added"],
  ["deletion", "removed"],
];

/** A longer line is data: it stays as it is. */
const LINE_CHARS_MAX = 2_000;
/** What is read again before a line at most. */
const OPENING_CHARS_MAX = 2_000;

/** A painter for one block of code; undefined for a language that is not known. */
export function lineHighlighter(name: string, look: Registers): LineHighlighter | undefined {
  const wanted = name.toLowerCase();
  const language = isLanguage(wanted) ? wanted : ALIASES.get(wanted);
  if (language === undefined) return undefined;
  // Registering all of them takes 20 ms, one of them less than one.
  for (const one of [language, ...EMBEDDED[language] ?? []]) {
    if (core.getLanguage(one) === undefined) core.registerLanguage(one, LANGUAGES[one]);
  }
  return new LineHighlighter(language, look);
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

/** Paints the lines of one block of code, in order. */
export class LineHighlighter {
  readonly #language: Language;
  readonly #look: Registers;
  /** The lines that opened what the next line stands in; empty at the outermost level. */
  #opening = "";
  #inside: readonly unknown[] = [];

  constructor(language: Language, look: Registers) {
    this.#language = language;
    this.#look = look;
  }

  /** The next line, without its line feed, in styles. */
  line(text: string): string {
    if (text.length > LINE_CHARS_MAX) return text;
    const before = this.#opening;
    const { value, _top } = core.highlight(`${before}${text}\n`, {
      language: this.#language,
      ignoreIllegals: true,
    });
    const inside = modesOf(_top);
    if (inside.length === 0) this.#opening = "";
    else if (!isSame(inside, this.#inside)) this.#opening = `${before}${text}\n`;
    if (this.#opening.length > OPENING_CHARS_MAX) this.#opening = "";
    this.#inside = inside;
    const shown = painted(value, this.#look)[before.split("\n").length - 1] ?? text;
    // Colour may be wrong, but never what it colours.
    return withoutStyles(shown) === text ? shown : text;
  }
}

/**
 * The modes in which the text ended, innermost first, without the language itself. Each run makes them anew from the
 * same prototypes, which is what tells one from another.
 */
function modesOf(top: unknown): readonly unknown[] {
  const modes: unknown[] = [];
  let mode = top;
  while (isMode(mode) && isMode(mode.parent)) {
    modes.push(Object.getPrototypeOf(mode));
    mode = mode.parent;
  }
  return modes;
}

function isMode(value: unknown): value is { parent?: unknown } {
  return typeof value === "object" && value !== null;
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

const PIECE = /<span class="([^"]*)">|<\/span>|\n|&(?:amp|lt|gt|quot|#x27);|[^<&\n]+/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** The lines of highlight.js's own HTML, in styles. */
function painted(html: string, look: Registers): string[] {
  const scopes: Scope[] = [];
  const lines: string[] = [];
  let line = "";
  let text = "";
  const flush = () => {
    const style = scopes.findLast((scope) => scope !== undefined) ?? "plain";
    line += style === "plain" ? text : look.paint([style], text);
    text = "";
  };
  for (const [piece, classes] of html.matchAll(PIECE)) {
    if (classes !== undefined) {
      flush();
      scopes.push(scopeOf(classes));
    } else if (piece === "</span>") {
      flush();
      scopes.pop();
    } else if (piece === "\n") {
      flush();
      lines.push(line);
      line = "";
    } else text += CHARACTERS[piece] ?? piece;
  }
  flush();
  return [...lines, line];
}

/** How a span looks; undefined like what it stands in. */
type Scope = StyleName | "plain" | undefined;

function scopeOf(classes: string): Scope {
  // Another language inside of this one, and what is computed inside of a string, stand for themselves.
  if (!classes.startsWith("hljs-") || classes === "hljs-subst") return "plain";
  const scope = classes.slice("hljs-".length);
  return LOOKS.find(([start]) => scope.startsWith(start))?.[1];
}
