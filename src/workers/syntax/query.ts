/** Runs a query of tree-sitter, an S-expression, over a tree. */
import { type Language, type Node, Query, type QueryMatch, type Tree } from "web-tree-sitter";
import type { Capture, SyntaxAnswer } from "./answer.ts";

const PATTERN_CHARS_MAX = 4_000;
/** Matches under way; with more, the oldest are given up. */
const UNDER_WAY_MAX = 4_096;
/** Steps between two looks are few; matches that nobody will read must not fill the memory. */
const MATCHING_MS_MAX = 2_000;
const CAPTURES_MAX = 12;
const TEXT_CHARS_MAX = 200;

/** The name of what a pattern without captures matches. */
const WHOLE = "match";

/** Run it. */
export function query(
  tree: Tree,
  grammar: Language,
  { pattern, matchesMax }: { pattern: string; matchesMax: number },
): SyntaxAnswer {
  if (pattern.length > PATTERN_CHARS_MAX) {
    const sentence = `it has ${pattern.length} characters; at most ${PATTERN_CHARS_MAX} are read`;
    return { kind: "bad-query", sentence };
  }
  let made: Query;
  try {
    made = new Query(grammar, captured(pattern));
    if (made.captureNames.length === 0) {
      made.delete();
      made = new Query(grammar, `${captured(pattern)} @${WHOLE}`);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { kind: "bad-query", sentence: sentenceOf(error, grammar) };
  }
  try {
    return { kind: "query", found: run(made, tree.rootNode, matchesMax) };
  } finally {
    made.delete();
  }
}

/** A bare type of node is meant as a pattern. */
function captured(pattern: string): string {
  const text = pattern.trim();
  return /^[A-Za-z_]\w*$/.test(text) ? `(${text})` : text;
}

function run(made: Query, root: Node, matchesMax: number) {
  const until = performance.now() + MATCHING_MS_MAX;
  let isStopped = false;
  // Its type says that nothing is returned; true stops it (web-tree-sitter 0.27.2).
  const progressCallback = () => isStopped ||= performance.now() > until;
  const matches = made.matches(root, { matchLimit: UNDER_WAY_MAX, progressCallback });
  return {
    matches: matches.slice(0, matchesMax).map(capturesOf),
    total: matches.length,
    more: isStopped || made.didExceedMatchLimit(),
  };
}

function capturesOf({ captures }: QueryMatch): Capture[] {
  return captures.slice(0, CAPTURES_MAX).map(({ name, node }) => {
    const { row, column } = node.startPosition;
    const end = node.endPosition;
    const endLine = Math.max(row, end.column === 0 ? end.row - 1 : end.row) + 1;
    const text = node.text.slice(0, TEXT_CHARS_MAX);
    return { name, type: node.type, text, line: row + 1, column: column + 1, endLine };
  });
}

/** What is wrong with it, and what the grammar has instead of a name that it does not know. */
function sentenceOf({ message }: Error, grammar: Language): string {
  const [, kind, bad] = /^Bad (node|field) name '([^']*)'/.exec(message) ?? [];
  if (kind === undefined || bad === undefined) return placeOf(message);
  // Both lists have gaps, whatever their types say.
  const known: readonly unknown[] = kind === "node" ? grammar.types : grammar.fields;
  const near = [...new Set(known)].filter((name) =>
    typeof name === "string" && /^[a-z]/.test(name) && isNear(name, bad)
  ).slice(0, 8);
  const like = near.length === 0 ? "" : `; like it are ${near.join(", ")}`;
  return `the grammar of ${grammar.name ?? "this language"} has no ${kind} named "${bad}"${like}`;
}

/** They have a word in common. */
function isNear(name: string, bad: string): boolean {
  const words = name.split("_");
  return bad.split("_").some((word) => word.length > 2 && words.includes(word));
}

/** Where it is wrong: the library names the place by what follows there (web-tree-sitter 0.27). */
function placeOf(message: string): string {
  const [, at, rest = ""] = /^Bad (?:syntax|pattern structure) at offset (\d+): '(.*)'\.\.\.$/s
    .exec(message) ?? [];
  if (at === undefined) return message;
  return rest === ""
    ? "it ends before it is whole"
    : `it is wrong at character ${at}, from "${rest}"`;
}
