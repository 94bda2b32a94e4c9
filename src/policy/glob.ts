/**
 * Wildcards of permission rules: `*` any run (across `/` too), `?` one character, `[...]` one of a class. Matching is a
 * walk over the set of reachable pattern positions, so no pattern makes it slow: at most text times pattern.
 */

type Token =
  | { kind: "char"; char: string }
  | { kind: "one" }
  | { kind: "any" }
  | { kind: "class"; negated: boolean; ranges: readonly (readonly [string, string])[] };

/** A compiled pattern. */
export type Glob = readonly Token[];

/** A stretch of text whose value is not known: any text, also none. */
export const UNKNOWN = Symbol("any text");

/** What a glob is matched against: characters, and stretches that are not known. */
export type Unit = string | typeof UNKNOWN;

const ANY: Token = { kind: "any" };

/** How `[` is read: as a class, or as itself (only the escapes `[*]`, `[?]`, `[[]` stay escapes). */
export type Brackets = "class" | "literal";

/** Compile a pattern. A `[` that is never closed is an ordinary character. */
export function compileGlob(pattern: string, brackets: Brackets = "class"): Glob {
  const chars = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "any") tokens.push(ANY);
    } else if (char === "?") tokens.push({ kind: "one" });
    else {
      const end = char === "[" ? classEnd(chars, at) : -1;
      const body = chars.slice(at + 1, end);
      if (end < 0 || (brackets === "literal" && !isEscape(body))) {
        tokens.push({ kind: "char", char });
      } else {
        tokens.push(classToken(body));
        at = end;
      }
    }
  }
  return tokens;
}

/** The pattern followed by anything. */
export function thenAny(glob: Glob): Glob {
  return [...glob, ANY];
}

/** Two patterns, one after the other. */
export function joinGlobs(globs: readonly Glob[], separator: string): Glob {
  return globs.flatMap((glob, index) =>
    index === 0 ? glob : [...compileLiteral(separator), ...glob]
  );
}

/** A pattern that is only itself. */
function compileLiteral(text: string): Glob {
  return [...text].map((char) => ({ kind: "char", char }));
}

/** Whether a pattern has a wildcard; an escaped one is none. */
export function hasWildcard(glob: Glob): boolean {
  return glob.some((token) => token.kind !== "char" && !isSingle(token));
}

/** A text as a pattern that matches only it. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[]/g, "[$&]");
}

/** How a match is to be understood. */
export type MatchOptions = {
  /** Characters that only the same character in the pattern may match, by their index. */
  locked?: ReadonlySet<number>;
  /** true: whether some value of what is unknown would match; else only what matches whatever the value. */
  possibly?: boolean;
};

/** Whether a pattern matches a whole text. */
export function matchGlob(
  glob: Glob,
  text: string | readonly Unit[],
  { locked, possibly = false }: MatchOptions = {},
): boolean {
  // Nearly all rules are about other programs and fall at their first letter.
  const [head] = glob;
  const first = text[0] ?? "";
  if (head?.kind === "char" && first !== UNKNOWN && head.char[0] !== first[0]) return false;
  const units: readonly Unit[] = typeof text === "string" ? [...text] : text;
  const end = glob.length;
  let active = withSkips(glob, new Set([0]));
  for (let at = 0; at < units.length; at += 1) {
    if (active.size === 0) return false;
    // A last "*" that is reached takes all the rest.
    if (!locked?.size && active.has(end) && glob[end - 1]?.kind === "any") return true;
    const unit = units[at] ?? "";
    active = unit === UNKNOWN
      ? stepUnknown(glob, active, possibly)
      : step(glob, active, unit, locked?.has(at) === true);
  }
  return active.has(end);
}

function step(glob: Glob, active: Set<number>, char: string, isLocked: boolean): Set<number> {
  const next = new Set<number>();
  for (const at of active) {
    const token = glob[at];
    if (token === undefined) continue;
    if (token.kind === "any") {
      if (!isLocked) next.add(at);
    } else if (token.kind === "char") {
      if (token.char === char) next.add(at + 1);
    } else if (isSingle(token) ? inClass(token, char) : !isLocked && takes(token, char)) {
      next.add(at + 1);
    }
  }
  return withSkips(glob, next);
}

function stepUnknown(glob: Glob, active: Set<number>, possibly: boolean): Set<number> {
  if (!possibly) {
    return withSkips(glob, new Set([...active].filter((at) => glob[at]?.kind === "any")));
  }
  const reachable = new Set<number>();
  for (let at = Math.min(...active); at <= glob.length; at += 1) reachable.add(at);
  return reachable;
}

/** A `*` may take nothing: being before it is being after it. */
function withSkips(glob: Glob, active: Set<number>): Set<number> {
  for (const at of active) if (glob[at]?.kind === "any") active.add(at + 1);
  return active;
}

function takes(token: Token, char: string): boolean {
  return token.kind === "one" || (token.kind === "class" && inClass(token, char));
}

function inClass(token: Token, char: string): boolean {
  if (token.kind !== "class") return false;
  const isIn = token.ranges.some(([from, to]) => from <= char && char <= to);
  return isIn !== token.negated;
}

/** `[*]` is the character itself, written so that it is no wildcard. */
function isSingle(token: Token): boolean {
  if (token.kind !== "class" || token.negated || token.ranges.length !== 1) return false;
  const [range] = token.ranges;
  return range !== undefined && range[0] === range[1];
}

function isEscape(body: readonly string[]): boolean {
  return body.length === 1 && "*?[".includes(body[0] ?? "");
}

/** Index of the `]` that closes the class opened at `start`, or -1. A `]` that comes first is a member. */
function classEnd(chars: readonly string[], start: number): number {
  let from = start + 1;
  if (chars[from] === "!" || chars[from] === "^") from += 1;
  return chars.indexOf("]", from + 1);
}

function classToken(body: readonly string[]): Token {
  const negated = body.length > 1 && (body[0] === "!" || body[0] === "^");
  const members = negated ? body.slice(1) : body;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = members[at] ?? "";
    const to = members[at + 2];
    if (members[at + 1] === "-" && to !== undefined) {
      ranges.push([from, to]);
      at += 2;
    } else ranges.push([from, from]);
  }
  return { kind: "class", negated, ranges };
}
