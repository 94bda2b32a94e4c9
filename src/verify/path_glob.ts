/**
 * Globs of test runners against relative paths: `**`, `*`, `?`, `{a,b}`, `[abc]`, and `@(a|b)`, `?(a|b)`. What says "several
 * times" (`+(a|b)`) is read as once, and what says "not" as if it did not: that is what is written in practice.
 */

/** Longer ones are not read, in characters. */
const GLOB_CHARS_MAX = 300;

/** The source of a regular expression for a glob, without anchors; undefined for one that is not understood. */
export function globSource(glob: string): string | undefined {
  if (glob.length > GLOB_CHARS_MAX) return undefined;
  let source = "";
  const closers: string[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    const rest = glob.slice(at);
    const token = /^(\*\*\/|\*\*|[@?+*!]\(|\[!?[^\]/]+\]|\\.|.)/su.exec(rest)?.[0] ?? "";
    at += token.length - 1;
    source += translated(token, closers);
  }
  return closers.length > 0 || !isRegex(source) ? undefined : source;
}

/** Whether a text is a regular expression. */
export function isRegex(source: string): boolean {
  try {
    return new RegExp(source) !== undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const GROUPS: Readonly<Record<string, string>> = {
  "@(": ")",
  "?(": ")?",
  "+(": ")",
  "*(": ")?",
  "!(": ")",
};

function translated(token: string, closers: string[]): string {
  const group = GROUPS[token];
  if (group !== undefined) {
    closers.push(group);
    return "(?:";
  }
  const open = closers.at(-1);
  switch (token) {
    case "**/":
      return "(?:[^/]+/)*";
    case "**":
      return ".*";
    case "*":
      return "[^/]*";
    case "?":
      return "[^/]";
    case "{":
      closers.push("}");
      return "(?:";
    case "}":
      if (open !== "}") return "\\}";
      closers.pop();
      return ")";
    case ")":
      if (open === undefined || open === "}") return "\\)";
      closers.pop();
      return open;
    case ",":
      return open === "}" ? "|" : ",";
    case "|":
      return open === undefined || open === "}" ? "\\|" : "|";
  }
  if (/^\[!?[^\]]+\]$/.test(token)) {
    return `[${token.startsWith("[!") ? "^" : ""}${classBody(token)}]`;
  }
  return token.replace(/^\\/, "").replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

function classBody(token: string): string {
  return token.slice(token.startsWith("[!") ? 2 : 1, -1).replace(/[\\\]^]/g, "\\$&");
}
