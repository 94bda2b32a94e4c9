/**
 * What is searched for. A regular expression is read by us and written out twice, for JavaScript and for ripgrep, in terms
 * that mean the same to both: which engine runs must not change what is found.
 */

/** What to search for; `problem` is a sentence. */
export type Pattern =
  | { kind: "literal"; text: string }
  | {
    kind: "regex";
    source: string;
    flags: string; /** Absent: ripgrep has no such thing. */
    rust?: string;
  };

/** Why a regular expression cannot be used; `at` counts UTF-16 units from 0. */
export class PatternError extends Error {
  override readonly name = "PatternError";
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const PATTERN_CHARS_MAX = 4_000;
const REPEAT_MAX = 1_000;

/** Line ends are never part of a match, whatever a class or `\s` would include. */
const SPACE = "\\t\\x0b\\x0c ";
const SPACES_JS = `${SPACE}\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff`;
const SPACES_RUST =
  `${SPACE}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}`;

/** A piece in both dialects; `rust` is undefined when ripgrep has no such thing. */
type Piece = { js: string; rust: string | undefined };

/** A return before the line feed is not part of the line. (`rg --crlf` says the same, but 13.0 panics on a lone "\r".) */
const LINE_END: Piece = { js: "$", rust: "(?:\\r??$)" };

const same = (text: string): Piece => ({ js: text, rust: text });

/** Read a query. Throws PatternError, with the place, for a regular expression that cannot be used. */
export function parsePattern(query: string, isRegex: boolean): Pattern {
  if (!isRegex) return { kind: "literal", text: query };
  if (query.length > PATTERN_CHARS_MAX) {
    throw new PatternError(PATTERN_CHARS_MAX, `it is longer than ${PATTERN_CHARS_MAX} characters`);
  }
  const { js, rust, ignoreCase } = new Reader(query).read();
  // With "v" classes nest, as they do in ripgrep.
  const flags = ignoreCase ? "iv" : "v";
  try {
    new RegExp(js, flags);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = error.message.replace(/^Invalid regular expression: .*: /s, "");
    throw new PatternError(0, reason.charAt(0).toLowerCase() + reason.slice(1));
  }
  const prefix = ignoreCase ? "(?i)" : "";
  return {
    kind: "regex",
    source: js,
    flags,
    ...(rust === undefined ? {} : { rust: prefix + rust }),
  };
}

class Reader {
  readonly #text: string;
  #at = 0;
  #js = "";
  #rust: string | undefined = "";
  /** Places of the groups that are open. */
  readonly #open: number[] = [];
  /** Whether what stands before can be repeated. */
  #isAtom = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Piece & { ignoreCase: boolean } {
    const flags = /^\(\?([ims]+)\)/.exec(this.#text);
    if (flags !== null) this.#at = flags[0].length;
    while (this.#at < this.#text.length) this.#step();
    const open = this.#open.at(-1);
    if (open !== undefined) throw new PatternError(open, "this group is not closed");
    return { js: this.#js, rust: this.#rust, ignoreCase: flags?.[1]?.includes("i") ?? false };
  }

  #step(): void {
    const char = this.#text[this.#at] ?? "";
    switch (char) {
      case "(":
        return this.#group();
      case ")":
        if (this.#open.pop() === undefined) this.#fail("there is no group to close here");
        this.#at += 1;
        return this.#emit(same(")"), true);
      case "|":
        this.#at += 1;
        return this.#emit(same("|"), false);
      case "^":
        this.#at += 1;
        return this.#emit(same("^"), false);
      case "$":
        this.#at += 1;
        return this.#emit(LINE_END, false);
      case ".":
        this.#at += 1;
        return this.#emit({ js: "[^\\n\\r]", rust: "[^\\n\\r]" }, true);
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
        return this.#repeat(char, 1);
      case "{":
        return this.#braces();
      default:
        return this.#literal();
    }
  }

  #emit({ js, rust }: Piece, isAtom: boolean): void {
    this.#js += js;
    this.#rust = this.#rust === undefined || rust === undefined ? undefined : this.#rust + rust;
    this.#isAtom = isAtom;
  }

  #fail(reason: string, at = this.#at): never {
    throw new PatternError(at, reason);
  }

  #literal(): void {
    const code = this.#text.codePointAt(this.#at) ?? 0;
    if (code === 0x0a) this.#fail("a match lies within one line");
    this.#at += code > 0xffff ? 2 : 1;
    this.#emit(character(code), true);
  }

  /** `(`, `(?:`, `(?i:`, `(?<name>`, `(?P<name>`, and what ripgrep does not have: looking around. */
  #group(): void {
    const rest = this.#text.slice(this.#at);
    const [opening, js, rust] = groupOpening(rest) ??
      this.#fail("this kind of group is not supported");
    this.#open.push(this.#at);
    this.#at += opening.length;
    this.#emit({ js, rust }, false);
  }

  #braces(): void {
    const found = /^\{(\d*)(,?)(\d*)\}/.exec(this.#text.slice(this.#at));
    const [whole = "", from = "", comma = "", to = ""] = found ?? [];
    // `{` that counts nothing is a character like any other: `interface {`.
    if (found === null || (from === "" && to === "")) return this.#literal();
    const [min, max] = [Number(from || "0"), Number(to || from)];
    if (max < min && to !== "") this.#fail("the numbers are backwards");
    if (Math.max(min, max) > REPEAT_MAX) this.#fail(`a repetition counts to ${REPEAT_MAX} at most`);
    this.#repeat(`{${min}${comma}${to}}`, whole.length);
  }

  #repeat(quantifier: string, length: number): void {
    if (!this.#isAtom) this.#fail(`there is nothing to repeat before "${quantifier}"`);
    this.#at += length;
    const next = this.#text[this.#at];
    if (next === "+") this.#fail("possessive repetition is not supported");
    const lazy = next === "?" ? "?" : "";
    this.#at += lazy.length;
    this.#emit(same(quantifier + lazy), false);
  }

  #escape(): void {
    const [length, piece, isAtom] = escapeAt(this.#text, this.#at, false);
    this.#at += length;
    this.#emit(piece, isAtom);
  }

  #class(): void {
    const start = this.#at;
    const isNegated = this.#text[start + 1] === "^";
    this.#at += isNegated ? 2 : 1;
    const [js, rust]: [string[], string[]] = [[], []];
    let isRustable = true;
    for (let isFirst = true;; isFirst = false) {
      if (this.#at >= this.#text.length) this.#fail("this class is not closed", start);
      // As in grep, Python and ripgrep, a bracket that comes first closes nothing.
      if (this.#text[this.#at] === "]" && !isFirst) break;
      const item = this.#classItem(start);
      js.push(item.js);
      rust.push(item.rust ?? "");
      isRustable &&= item.rust !== undefined;
    }
    this.#at += 1;
    const ends = isNegated ? "\\n\\r" : "";
    const open = isNegated ? "[^" : "[";
    this.#emit({
      js: `${open}${js.join("")}${ends}]`,
      rust: isRustable ? `${open}${rust.join("")}${ends}]` : undefined,
    }, true);
  }

  /** One member: a character, a range, an escape, or `[:alpha:]`. */
  #classItem(start: number): Piece {
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.#text.slice(this.#at));
    if (posix !== null) {
      const members = POSIX[posix[2] ?? ""];
      if (members === undefined || posix[1] === "^") this.#fail(`"${posix[0]}" is not known`);
      this.#at += posix[0].length;
      return same(members);
    }
    const low = this.#classCharacter(start);
    if (typeof low !== "number") return low;
    const isRange = this.#text[this.#at] === "-" && this.#text[this.#at + 1] !== "]" &&
      this.#at + 1 < this.#text.length;
    if (!isRange) return character(low);
    const dash = this.#at;
    this.#at += 1;
    const high = this.#classCharacter(start);
    if (typeof high !== "number") this.#fail("a range ends in one character", dash);
    if (high < low) this.#fail("this range is backwards", dash - 1);
    const [from, to] = [character(low), character(high)];
    return { js: `${from.js}-${to.js}`, rust: `${from.rust}-${to.rust}` };
  }

  /** A code point, or a set such as `\d`. */
  #classCharacter(start: number): number | Piece {
    if (this.#text[this.#at] !== "\\") {
      const code = this.#text.codePointAt(this.#at);
      if (code === undefined) this.#fail("this class is not closed", start);
      this.#at += code > 0xffff ? 2 : 1;
      return code;
    }
    const [length, piece, , code] = escapeAt(this.#text, this.#at, true);
    this.#at += length;
    return code ?? piece;
  }
}

const POSIX: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "0-9A-Za-z",
  upper: "A-Z",
  lower: "a-z",
  xdigit: "0-9A-Fa-f",
  space: SPACE,
  blank: "\\t ",
  punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
  word: "0-9A-Za-z_",
  cntrl: "\\x00-\\x1f\\x7f",
  print: "\\x20-\\x7e",
  graph: "\\x21-\\x7e",
};

/** How a group begins, in both dialects; undefined for one that neither or only others have. */
function groupOpening(
  rest: string,
): [opening: string, js: string, rust: string | undefined] | undefined {
  const plain = /^\((?!\?)/.exec(rest) ?? /^\(\?:/.exec(rest);
  if (plain !== null) return [plain[0], plain[0], plain[0]];
  const flags = /^\(\?(-?i):/.exec(rest);
  if (flags !== null) return [flags[0], flags[0], flags[0]];
  const named = /^\(\?P?<([A-Za-z_]\w*)>/.exec(rest);
  if (named !== null) return [named[0], `(?<${named[1]}>`, `(?P<${named[1]}>`];
  const around = /^\(\?<?[=!]/.exec(rest);
  if (around !== null) return [around[0], around[0], undefined];
  return undefined;
}

/** A character that means itself. */
function character(code: number): Piece {
  const char = String.fromCodePoint(code);
  if (/^[A-Za-z0-9_ ]$/.test(char) || code > 0x7f) return same(char);
  const hex = code.toString(16).padStart(2, "0");
  return same(`\\x${hex}`);
}

const CONTROL: Readonly<Record<string, number>> = {
  ...{ t: 0x09, r: 0x0d, f: 0x0c, v: 0x0b, a: 0x07, e: 0x1b, "0": 0x00 },
};

type Escape = [length: number, piece: Piece, isAtom: boolean, code?: number];

/** The escape that begins at `at`. `code` is there when it stands for one character. */
function escapeAt(text: string, at: number, inClass: boolean): Escape {
  const letter = text[at + 1];
  if (letter === undefined) throw new PatternError(at, "nothing follows the backslash");
  const coded = codeEscape(text.slice(at), at);
  if (coded !== undefined) return coded;
  const control = CONTROL[letter];
  if (control !== undefined && !/^\\0\d/.test(text.slice(at))) {
    return [2, character(control), true, control];
  }
  const set = SETS[letter];
  if (set !== undefined) return [2, inClass ? set.inside : set.outside, true];
  if (letter === "p" || letter === "P") return propertyEscape(text.slice(at), at);
  if (inClass && letter === "b") return [2, character(0x08), true, 0x08];
  const edge = inClass ? undefined : EDGES[letter];
  if (edge !== undefined) return [2, edge, false];
  const back = inClass ? null : /^\\([1-9]\d?|k<\w+>)/.exec(text.slice(at));
  if (back !== null) return [back[0].length, { js: back[0], rust: undefined }, true];
  if (letter === "n") throw new PatternError(at, "a match lies within one line");
  if (/[A-Za-z0-9]/.test(letter)) throw new PatternError(at, `"\\${letter}" is not known`);
  const code = text.codePointAt(at + 1) ?? 0;
  return [code > 0xffff ? 3 : 2, character(code), true, code];
}

/** `\x41`, `\x{41}`, `\u0041`, `\u{41}`. */
function codeEscape(rest: string, at: number): Escape | undefined {
  if (rest[1] !== "x" && rest[1] !== "u") return undefined;
  const found = /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|[xu]\{([0-9a-f]{1,6})\})/i.exec(rest);
  const code = parseInt(found?.[1] ?? found?.[2] ?? found?.[3] ?? "", 16);
  if (found === null || !(code <= 0x10ffff)) {
    throw new PatternError(at, `"${rest.slice(0, 2)}" needs a code after it`);
  }
  return [found[0].length, character(code), true, code];
}

/** `\p{L}`, `\pL`, `\p{Hangul}`. */
function propertyEscape(rest: string, at: number): Escape {
  const found = /^\\([pP])(?:\{(\^?[\w=: -]+)\}|([A-Z]))/.exec(rest);
  if (found === null) throw new PatternError(at, `"${rest.slice(0, 2)}" needs a property after it`);
  const [whole, letter, long, short] = found;
  const name = (long ?? short ?? "").replace(":", "=");
  const js = [name, `Script=${name}`].find((candidate) => isProperty(candidate));
  if (js === undefined) throw new PatternError(at, `there is no Unicode property "${name}"`);
  return [whole.length, { js: `\\${letter}{${js}}`, rust: `\\${letter}{${name}}` }, true];
}

function isProperty(name: string): boolean {
  try {
    new RegExp(`\\p{${name}}`, "v");
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Sets of ASCII, as in JavaScript; ripgrep's own `\d` would take every digit of Unicode. */
const SETS: Readonly<Record<string, { outside: Piece; inside: Piece }>> = {
  d: set("0-9"),
  w: set("0-9A-Za-z_"),
  s: set(SPACES_JS, SPACES_RUST),
  h: set("\\t "),
  D: negated("0-9"),
  W: negated("0-9A-Za-z_"),
  S: negated(SPACES_JS, SPACES_RUST),
};

function set(js: string, rust = js): { outside: Piece; inside: Piece } {
  return { outside: { js: `[${js}]`, rust: `[${rust}]` }, inside: { js, rust } };
}

function negated(js: string, rust = js): { outside: Piece; inside: Piece } {
  const piece = { js: `[^${js}\\n\\r]`, rust: `[^${rust}\\n\\r]` };
  return { outside: piece, inside: piece };
}

const EDGES: Readonly<Record<string, Piece>> = {
  b: { js: "\\b", rust: "(?-u:\\b)" },
  // Ripgrep would see one beside the return at the end of a Windows line.
  B: { js: "\\B", rust: undefined },
  "<": { js: "\\b", rust: "(?-u:\\b)" },
  ">": { js: "\\b", rust: "(?-u:\\b)" },
  A: same("^"),
  z: LINE_END,
  Z: LINE_END,
};
