/** What stands inside a paragraph, as styled text. Line breaks of the source stay; nothing that was said is left out. */
import type { Token } from "marked";
import { visible } from "@/lib/visible.ts";
import type { Registers, StyleName } from "./registers.ts";

/** A styled text of one or more lines; each line's styles end with it. */
export function inlineText(
  tokens: readonly Token[],
  look: Registers,
  styles: readonly StyleName[] = [],
): string {
  return tokens.map((token) => one(token, look, styles)).join("");
}

function one(token: Token, look: Registers, styles: readonly StyleName[]): string {
  const inside = (...more: StyleName[]) => inlineText(tokensOf(token), look, [...styles, ...more]);
  switch (token.type) {
    case "strong":
      return inside("bold");
    case "em":
      return inside("emphasis");
    case "del":
      return `~~${inside()}~~`;
    case "codespan":
      return code(textOf(token), look, styles);
    case "br":
      return "\n";
    case "link":
      return link(token, look, styles);
    case "image":
      return plain(`${decoded(textOf(token))} (${hrefOf(token)})`, look, styles);
    case "checkbox":
      return plain(token.raw, look, styles);
    case "escape":
      return plain(textOf(token), look, styles);
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? "\n" : plain(token.raw, look, styles);
    default:
      if (tokensOf(token).length > 0) return inside();
      return plain(decoded(textOf(token)), look, styles);
  }
}

/** Without colour the backquotes stay: they tell code from words. */
function code(text: string, look: Registers, styles: readonly StyleName[]): string {
  const marked = look.isColored ? text : `\`${text}\``;
  return plain(marked, look, [...styles, "code"]);
}

/** Where a link leads is always said, unless its text says it. */
function link(token: Token, look: Registers, styles: readonly StyleName[]): string {
  const href = hrefOf(token);
  const text = inlineText(tokensOf(token), look, [...styles, "link"]);
  const isItself = textOf(token) === href || `mailto:${textOf(token)}` === href;
  return isItself || href === "" ? text : `${text}${plain(` (${href})`, look, [...styles, "dim"])}`;
}

function plain(text: string, look: Registers, styles: readonly StyleName[]): string {
  return text.split("\n").map((line) => look.paint(styles, line)).join("\n");
}

function tokensOf(token: Token): readonly Token[] {
  return "tokens" in token && Array.isArray(token.tokens) ? token.tokens : [];
}

function textOf(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

function hrefOf(token: Token): string {
  return "href" in token && typeof token.href === "string"
    ? visible(token.href, { oneLine: true })
    : "";
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rarr: "→",
  larr: "←",
  times: "×",
  copy: "©",
};

/** Character references as characters. One may name a control character, so what comes of it is made visible again. */
function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g,
    (whole, ...found) => {
      const [decimal, hex, name] = found;
      if (typeof name === "string") return NAMED[name] ?? whole;
      const point = typeof decimal === "string" ? Number(decimal) : parseInt(String(hex), 16);
      return point > 0x10ffff ? whole : visible(String.fromCodePoint(point), { oneLine: true });
    },
  );
}
