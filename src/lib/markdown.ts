/** Markdown as tokens, within bounds: whatever a text holds, reading it takes no longer than a frame, and nothing is left out. */
import { Lexer, type Token, type TokensList } from "marked";

/** With more of them in one text, pairing them takes longer than a frame (18 KB of `**a*b ` took 6 s). */
const EMPHASIS_MARKS_MAX = 400;

/** What is nested deeper is shown as it stands: a hundred lists inside each other took half a second. */
const DEPTH_MAX = 16;

/** The lexer, which calls itself for what stands inside of a quote or an item. */
class BoundedLexer extends Lexer {
  #depth = 0;

  override blockTokens(source: string, tokens: Token[] = [], clipped?: boolean): TokensList {
    const list = Object.assign(tokens, { links: {} });
    if (this.#depth >= DEPTH_MAX) {
      list.push({ type: "paragraph", raw: source, text: source, tokens: [asText(source)] });
      return list;
    }
    this.#depth += 1;
    try {
      super.blockTokens(source, list, clipped);
    } finally {
      this.#depth -= 1;
    }
    return list;
  }
}

/**
 * The blocks of a text, with what stands inside them. Their `raw` texts put together are the text. What cannot be read
 * is a paragraph as it stands.
 */
export function lexed(source: string): Token[] {
  const lexer = new BoundedLexer({ gfm: true });
  try {
    const tokens = lexer.blockTokens(source, []);
    // What a reference leads to may stand anywhere, or come later: the text is shown as it was written, always.
    lexer.tokens.links = {};
    for (const { src, tokens: inside } of lexer.inlineQueue) {
      if (marksIn(src) > EMPHASIS_MARKS_MAX) inside.push(asText(src));
      else lexer.inlineTokens(src, inside);
    }
    return tokens;
  } catch (error) {
    // The lexer throws plain errors.
    if (!(error instanceof Error)) throw error;
    return [{ type: "paragraph", raw: source, text: source, tokens: [asText(source)] }];
  }
}

function asText(text: string): Token {
  return { type: "escape", raw: text, text };
}

function marksIn(text: string): number {
  return text.length <= EMPHASIS_MARKS_MAX ? 0 : text.replaceAll(/[^*_~]/g, "").length;
}

/** What stands inside a token. */
export function tokensOf(token: Token): readonly Token[] {
  return "tokens" in token && Array.isArray(token.tokens) ? token.tokens : [];
}

/** The text of a token, as it was written where it has none. */
export function textOf(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

/** Where a link or an image leads; "" for any other token. */
export function hrefOf(token: Token): string {
  return "href" in token && typeof token.href === "string" ? token.href : "";
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

/** Named character references as characters; the lexer has done the numbered ones. */
export function named(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&([a-z]{2,6});/g, (whole: string, name: string) => NAMED[name] ?? whole);
}
