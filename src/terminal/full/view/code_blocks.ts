/** The code in a reply, as it was written. */
import type { Token } from "marked";
import { lexed } from "@/lib/markdown.ts";

/** The text of each block of code, in order, without its fence. */
export function codeBlocks(markdown: string): string[] {
  return within(lexed(markdown.replaceAll(/(?<!\r)\r+\n/g, "\n")));
}

function within(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === "code") {
      return "text" in token ? [String(token.text).replace(/\n$/, "")] : [];
    }
    const inside = "tokens" in token && Array.isArray(token.tokens) ? within(token.tokens) : [];
    const items = "items" in token && Array.isArray(token.items) ? within(token.items) : [];
    return [...inside, ...items];
  });
}
