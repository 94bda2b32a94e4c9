/** JSON as people write it into files by hand: with comments and with commas at the end of lists. */
import { parsedJson } from "./json.ts";

/** Strings, comments, and commas that nothing but a bracket follows (comments between them are allowed). */
const TOKENS =
  /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*[}\]])/g;

/** The value of a text; undefined for one that is not JSON without these either. */
export function parsedJsonc(text: string): unknown {
  const strict = parsedJson(text);
  if (strict !== undefined) return strict;
  return parsedJson(
    text.replace(/^\ufeff/, "").replace(
      TOKENS,
      (token) => token.startsWith('"') ? token : token === "," ? "" : " ",
    ),
  );
}
