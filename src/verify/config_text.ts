/**
 * Reading single values out of configuration files of other programs, without a parser for each of their languages. A string
 * or comment that never ends is a token as well: else each quote in it would be looked at to the end of the file again.
 */

/** JSON with comments and commas before a closing bracket, as JSON. Strings stay as they are. */
export function withoutComments(text: string): string {
  const plain = text.replace(
    /("(?:[^"\\]|\\[^])*(?:"|$))|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g,
    (_, string: string | undefined) => string ?? "",
  );
  return plain.replace(
    /("(?:[^"\\]|\\[^])*(?:"|$))|,(?=\s*[\]}])/g,
    (_, string: string | undefined) => string ?? "",
  );
}

/** The lines of one `[section]` of a TOML or INI file; undefined when it has none. */
export function section(text: string, name: string): string | undefined {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^\s*\[+[\w."'-][^\]]*\]+\s*(#.*)?$/.test(line));
  return rest.slice(0, end < 0 ? rest.length : end).join("\n");
}

/** The words of a key in a section: a string, a list of strings (TOML), or words over several lines (INI). */
export function words(sectionText: string, key: string): readonly string[] | undefined {
  const start = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*`, "m").exec(sectionText);
  if (start === null) return undefined;
  const after = sectionText.slice(start.index + start[0].length);
  if (after.startsWith("[")) return strings(after.slice(0, listEnd(after)));
  if (/^["']/.test(after)) return strings(after.split("\n", 1)[0] ?? "").flatMap(splitWords);
  const [first = "", ...others] = after.split("\n");
  const wrapped = others.findIndex((line) => !/^\s+\S/.test(line));
  const more = others.slice(0, wrapped < 0 ? others.length : wrapped);
  return [first, ...more].map((line) => line.replace(/\s[#;].*$/, "")).flatMap(splitWords);
}

/**
 * The strings and regular expressions that stand after `key:` in JavaScript or TypeScript: one, or those of a list. What is
 * computed is not seen. Undefined when the key is not there, or no literal follows.
 */
export function literals(
  code: string,
  key: string,
): readonly { text: string; isRegex: boolean }[] | undefined {
  const start = new RegExp(`(?:^|[\\s{,])["']?${key}["']?\\s*:\\s*`).exec(code);
  if (start === null) return undefined;
  const after = code.slice(start.index + start[0].length);
  const part = after.startsWith("[") ? after.slice(0, listEnd(after)) : after.split("\n", 1)[0];
  const found = [...(part ?? "").matchAll(LITERAL)].map(([, double, single, back, regex]) => ({
    text: regex ?? (double ?? single ?? back ?? "").replace(/\\(.)/g, "$1"),
    isRegex: regex !== undefined,
  }));
  return found.length === 0 ? undefined : found;
}

const LITERAL =
  /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`$]*)`|\/((?:[^/\\\n*]|\\.)(?:[^/\\\n]|\\.)*)\//g;

/** Where a list ends; brackets in strings do not count. */
function listEnd(text: string): number {
  const tokens = /"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)|[[\]]/g;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === "[") depth += 1;
    if (token === "]" && (depth -= 1) === 0) return index;
  }
  return text.length;
}

function strings(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\[^])*)(?:"|$)|'([^']*)(?:'|$)/g)].map((
    [, double, single],
  ) => double ?? single ?? "");
}

function splitWords(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}
