/** What stands inside a paragraph, as styled text. Line breaks of the source stay; nothing that was said is left out. */
import type { Token } from "marked";
import { hrefOf, named, textOf, tokensOf } from "@/lib/markdown.ts";
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
      return plain(`${named(textOf(token))} (${hrefOf(token)})`, look, styles);
    case "checkbox":
      return plain(token.raw, look, styles);
    case "escape":
      return plain(textOf(token), look, styles);
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? "\n" : plain(token.raw, look, styles);
    default:
      if (tokensOf(token).length > 0) return inside();
      return plain(named(textOf(token)), look, styles);
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

/** The one way out. The lexer turns character references into characters: one may name a control. */
function plain(text: string, look: Registers, styles: readonly StyleName[]): string {
  const shown = (line: string) => look.paint(styles, visible(line, { oneLine: true }));
  return text.includes("\n") ? text.split("\n").map(shown).join("\n") : shown(text);
}
