/**
 * Wildcards of paths with forward slashes. Matching is a walk over the set of reachable positions of the pattern, so that
 * no pattern makes it slow, whoever has written it: at most path times pattern.
 */

type Token =
  | { kind: "char"; char: string }
  /** One character, a slash only if `each`. */
  | { kind: "one"; each: boolean }
  /** Any run of characters, slashes only if `each`. */
  | { kind: "run"; each: boolean }
  /** Any number of whole directories with their slashes, also none; "within" one of them always stands behind it. */
  | { kind: "dirs" }
  | { kind: "within" }
  | { kind: "class"; negated: boolean; has(char: string): boolean };

/** A compiled pattern. */
export type PathGlob = readonly Token[];

/** What a place of a pattern is read as, and how many of its characters that takes. */
type Read = { tokens: readonly Token[]; length: number };

const DIRS: readonly Token[] = [{ kind: "dirs" }, { kind: "within" }];
const STAR: Token = { kind: "run", each: false };
const ALL: Token = { kind: "run", each: true };

/** A pattern of an ignore file, as git understands it; undefined for one that matches nothing. */
export function gitGlob(pattern: string): PathGlob | undefined {
  return compile([...pattern], (chars, at) => {
    if (chars[at] === "\\") return escaped(chars, at);
    if (chars[at] !== "*") return classAt(chars, at, true);
    let end = at;
    while (chars[end] === "*") end += 1;
    const isAtStart = at === 0 || chars[at - 1] === "/";
    if (end - at !== 2 || !isAtStart) return { tokens: [STAR], length: end - at };
    if (chars[end] === "/") return { tokens: DIRS, length: 3 };
    if (end < chars.length) return { tokens: [STAR], length: 2 };
    // All that is in a directory, but not the directory.
    return { tokens: at === 0 ? [ALL] : [{ kind: "one", each: true }, ALL], length: 2 };
  });
}

/** A section head of `.editorconfig` without braces; undefined for one that matches nothing. */
export function configGlob(pattern: string): PathGlob | undefined {
  return compile([...pattern], (chars, at) => {
    if (chars[at] === "\\") return escaped(chars, at);
    if (chars[at] !== "*") return classAt(chars, at, false) ?? literal(chars[at] ?? "");
    if (chars[at + 1] !== "*") return { tokens: [STAR], length: 1 };
    const isDirs = chars[at + 2] === "/" && (at === 0 || chars[at - 1] === "/");
    return isDirs ? { tokens: DIRS, length: 3 } : { tokens: [ALL], length: 2 };
  });
}

function compile(
  chars: readonly string[],
  special: (chars: readonly string[], at: number) => Read | undefined,
): PathGlob | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length;) {
    const char = chars[at] ?? "";
    const read = char === "?"
      ? { tokens: [{ kind: "one", each: false }] as const, length: 1 }
      : "*[\\".includes(char)
      ? special(chars, at)
      : literal(char);
    if (read === undefined) return undefined;
    tokens.push(...read.tokens);
    at += read.length;
  }
  return tokens;
}

function literal(char: string): Read {
  return { tokens: [{ kind: "char", char }], length: 1 };
}

function escaped(chars: readonly string[], at: number): Read | undefined {
  const char = chars[at + 1];
  return char === undefined ? undefined : { ...literal(char), length: 2 };
}

const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
};

/** The class that begins here; undefined where none does, or one that is not understood. */
function classAt(chars: readonly string[], start: number, isGit: boolean): Read | undefined {
  let at = start + 1;
  const negated = chars[at] === "!" || chars[at] === "^";
  if (negated) at += 1;
  const members: ((char: string) => boolean)[] = [];
  for (const first = at; at < chars.length && (chars[at] !== "]" || (isGit && at === first));) {
    const name = /^\[:(\w+):\]/.exec(chars.slice(at, at + 12).join(""));
    const named = name === null ? undefined : NAMED[name[1] ?? ""];
    if (isGit && name !== null) {
      if (named === undefined) return undefined;
      members.push((char) => named.test(char));
      at += name[0].length;
      continue;
    }
    const from = member(chars, at);
    const to = chars[from.end] === "-" && chars[from.end + 1] !== "]"
      ? member(chars, from.end + 1)
      : from;
    members.push((char) => from.char <= char && char <= to.char);
    at = to.end;
  }
  if (chars[at] !== "]") return undefined;
  const has = (char: string) => members.some((one) => one(char));
  return { tokens: [{ kind: "class", negated, has }], length: at + 1 - start };
}

/** One character of a class, escaped or not. */
function member(chars: readonly string[], at: number): { char: string; end: number } {
  const end = chars[at] === "\\" ? at + 1 : at;
  return { char: chars[end] ?? "", end: end + 1 };
}

/** Whether a pattern matches a whole path. */
export function matchesPath(glob: PathGlob, path: string): boolean {
  const end = glob.length;
  // Whether a place of the pattern is reached; two rows, so that nothing is made for a character.
  let now = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  now[0] = 1;
  for (const char of path) {
    next.fill(0);
    for (let at = 0; at < end; at += 1) {
      if (now[at] === 1) step(glob, { at, char, now, next });
    }
    [now, next] = [next, now];
  }
  for (let at = 0; at < end; at += 1) if (now[at] === 1) skip(glob[at], at, now);
  return now[end] === 1;
}

type Step = { at: number; char: string; now: Uint8Array; next: Uint8Array };

/** From a place that is reached: what a character leads to, and what it takes no character to reach. */
function step(glob: PathGlob, { at, char, now, next }: Step): void {
  const token = glob[at];
  const isSlash = char === "/";
  skip(token, at, now);
  switch (token?.kind) {
    case undefined:
      return;
    case "char":
      if (token.char === char) next[at + 1] = 1;
      return;
    case "one":
      if (token.each || !isSlash) next[at + 1] = 1;
      return;
    case "run":
      if (token.each || !isSlash) next[at] = 1;
      return;
    case "dirs":
      if (!isSlash) next[at + 1] = 1;
      return;
    case "within":
      next[isSlash ? at - 1 : at] = 1;
      return;
    case "class":
      if (!isSlash && token.has(char) !== token.negated) next[at + 1] = 1;
      return;
    default:
      token satisfies never;
  }
}

/** What may be nothing: being before it is being behind it. */
function skip(token: Token | undefined, at: number, row: Uint8Array): void {
  if (token?.kind === "run") row[at + 1] = 1;
  if (token?.kind === "dirs") row[at + 2] = 1;
}
