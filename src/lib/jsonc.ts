/** JSON as people write it into files by hand: with comments and with commas at the end of lists. */
import { parsedJson } from "./json.ts";

/**
 * Strings, comments, and commas that nothing but a bracket follows (comments between them are allowed). What never ends is
 * one as well: else each quote in it would be looked at to its end again.
 */
const TOKENS =
  /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|,(?=(?:\s|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*[}\]])/g;

/** The value of a text; undefined for one that is not JSON without these either. */
export function parsedJsonc(text: string): unknown {
  const strict = parsedJson(text);
  if (strict !== undefined) return strict;
  return parsedJson(
    text.replace(/^\ufeff/, "").replace(
      TOKENS,
      (token) => token.startsWith('"') || isOpen(token) ? token : token === "," ? "" : " ",
    ),
  );
}

/** A comment that never ends makes the text no JSON. */
function isOpen(token: string): boolean {
  return token.startsWith("/*") && !(token.length >= 4 && token.endsWith("*/"));
}
