/**
 * Where an element ends. Its closing tag may also stand inside a body (a file about this very format), and a body may
 * hold whole samples; so it ends at its last closer before its next sibling, and samples inside are counted off.
 */
import type { Region } from "./grammar.ts";
import type { Reader, Token } from "./reader.ts";

export type Edges = {
  opens(token: Token): boolean;
  closes(token: Token): boolean;
  /** Whether what is before a closer is how the inside of the element ends. */
  mayClose(at: number): boolean;
  /** Whether what is before an opener is the end of this element, although its own closer is missing. */
  mayOpen(at: number): boolean;
};

/** The region of an element whose inside starts at `from`. Open to the end of the text when nothing closes it. */
export function elementRegion(reader: Reader, from: number, edges: Edges): Region {
  let depth = 0;
  let last: number | undefined;
  let lastProper: number | undefined;
  /** The last closer before a sibling, kept while it is not sure that it was one. */
  let beforeSibling: number | undefined;
  for (const token of reader.tokensFrom(from)) {
    if (edges.closes(token)) {
      if (depth > 0) depth -= 1;
      else {
        last = token.start;
        if (edges.mayClose(token.start)) lastProper = token.start;
      }
    } else if (edges.opens(token)) {
      if (depth === 0) {
        if (lastProper !== undefined) break;
        beforeSibling ??= last;
        const isOwnEnd = last === undefined && (reader.isTired || edges.mayOpen(token.start));
        if (isOwnEnd) return { end: token.start, isClosed: false };
        if (reader.isTired) break;
      }
      depth += 1;
    } else if (token.role.kind === "result" && depth === 0 && last !== undefined) break;
  }
  const end = lastProper ?? beforeSibling ?? last;
  return end === undefined ? openEnd(reader) : { end, isClosed: true };
}

/** Nothing closed the element, unless the reply ends in a token of the chat template. */
function openEnd(reader: Reader): Region {
  const end = reader.endOfReply;
  return { end, isClosed: end < reader.source.skipBlanksBack(reader.text.length) };
}
