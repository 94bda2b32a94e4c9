/**
 * A reply as HTML: its Markdown as the elements that it means, and every letter of it escaped. No address of it becomes an
 * attribute: a link is its text and where it leads, an image is described.
 */
import type { Token, Tokens } from "marked";
import { hrefOf, lexed, named, textOf, tokensOf } from "@/lib/markdown.ts";
import { escaped } from "@/session/escaped_html.ts";

/** The blocks of a text, one below the other. */
export function proseHtml(text: string): string {
  return blocks(lexed(text.replaceAll(/(?<!\r)\r+\n/g, "\n")));
}

/** Code as it stands. A parser drops the first line feed of a block. */
export function preHtml(text: string): string {
  return `<pre>\n${escaped(text)}</pre>`;
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map(block).filter((html) => html !== "").join("\n");
}

function block(token: Token): string {
  switch (token.type) {
    case "space":
    case "def":
      return token.raw.trim() === "" ? "" : paragraph(token.raw.trim());
    case "heading":
      return `<h4>${inline(tokensOf(token))}</h4>`;
    case "code":
      return preHtml(textOf(token));
    case "hr":
      return "<hr>";
    case "blockquote":
      return `<blockquote>\n${blocks(tokensOf(token))}\n</blockquote>`;
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "html":
      return paragraph(token.raw.replace(/(?<!\n)\n+$/, ""));
    case "text":
    case "paragraph":
      return `<p>${
        tokensOf(token).length > 0 ? inline(tokensOf(token)) : words(textOf(token))
      }</p>`;
    default:
      return paragraph(token.raw);
  }
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

/** The number that a list begins with is all of a text that becomes an attribute. */
function list({ items, ordered, start }: Tokens.List): string {
  const rows = items.map(({ tokens }) => `<li>${blocks(ticked(tokens))}</li>`).join("\n");
  if (!ordered) return `<ul>\n${rows}\n</ul>`;
  const first = Number.isSafeInteger(start) && start !== 1 ? ` start="${Number(start)}"` : "";
  return `<ol${first}>\n${rows}\n</ol>`;
}

/** A box to tick belongs to the words after it. */
function ticked([box, first, ...rest]: readonly Token[]): readonly Token[] {
  const isBox = box?.type === "checkbox" && first !== undefined && tokensOf(first).length > 0;
  if (isBox) return [{ ...first, tokens: [box, ...tokensOf(first)] } as Token, ...rest];
  return [box, first, ...rest].filter((token) => token !== undefined);
}

function table({ header, rows }: Tokens.Table): string {
  const row = (name: "th" | "td", cells: readonly Tokens.TableCell[]) =>
    `<tr>${cells.map(({ tokens }) => `<${name}>${inline(tokens)}</${name}>`).join("")}</tr>`;
  return [
    "<table>",
    `<thead>${row("th", header)}</thead>`,
    `<tbody>${rows.map((cells) => row("td", cells)).join("\n")}</tbody>`,
    "</table>",
  ].join("\n");
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(piece).join("");
}

function piece(token: Token): string {
  const inside = () => inline(tokensOf(token));
  switch (token.type) {
    case "strong":
      return `<strong>${inside()}</strong>`;
    case "em":
      return `<em>${inside()}</em>`;
    case "del":
      return `<del>${inside()}</del>`;
    case "codespan":
      return `<code>${escaped(textOf(token))}</code>`;
    case "br":
      return "<br>";
    case "link": {
      const [href, text] = [hrefOf(token), textOf(token)];
      const isItself = href === "" || text === href || `mailto:${text}` === href;
      return isItself ? inside() : `${inside()} (${escaped(href)})`;
    }
    case "image":
      return `${words(textOf(token))} (${escaped(hrefOf(token))})`;
    case "checkbox":
    case "html":
      return escaped(token.raw);
    case "escape":
      return escaped(textOf(token));
    default:
      return tokensOf(token).length > 0 ? inside() : words(textOf(token));
  }
}

function words(text: string): string {
  return escaped(named(text));
}
