/**
 * Reads calls written as Python: `[f(k="v"), g()]` or `f(k="v")`. Arguments are literals; a variable, an f-string, an
 * expression or a call inside a call is code, and code is not a call.
 */
import type { Source } from "./source.ts";
import { pythonText, stringEnd } from "./strings.ts";

/** One call. A single dictionary or keyword arguments are `named`, everything else stays in order. */
export type PythonCall = { name: string; named: Record<string, unknown>; positional: unknown[] };

export type PythonRead =
  | { state: "read"; calls: PythonCall[]; end: number; isRepaired: boolean }
  | { state: "cut"; end: number; name?: string }
  | { state: "bad"; end: number; name?: string };

export type PythonOptions = { to?: number; closes?(at: number): boolean };

const NAME = /[A-Za-z_][\w.-]*/y;
const KEYWORD = /([A-Za-z_]\w*)\s*=(?!=)/y;
const NUMBER = /[-+]?(?:0[xX][\da-fA-F]+|(?:\d[\d_]*)?\.?\d+(?:[eE][-+]?\d+)?)(?![\w.])/y;
const WORD = /[A-Za-z_]\w*/y;
const STRING_START = /([rRuU]?)("""|'''|"|')/y;
const LITERALS = new Map<string, unknown>([
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
  ["null", null],
]);
const DEPTH_MAX = 100;

/** Whether a list of calls, `[name(`, starts here; undefined when the text ends before that can be said. */
export function startsCallList(source: Source, at: number): boolean | undefined {
  if (source.text.charAt(at) !== "[") return false;
  const name = source.skipBlanks(at + 1);
  NAME.lastIndex = name;
  const length = NAME.exec(source.text)?.[0].length ?? 0;
  const next = source.skipBlanks(name + length);
  if (next >= source.text.length) return undefined;
  return length > 0 && source.text.charAt(next) === "(";
}

/** Read the call or list of calls that starts at `at`. */
export function readPython(source: Source, at: number, options: PythonOptions = {}): PythonRead {
  const parser = new Parser(source, at, options);
  try {
    const calls = parser.calls();
    return { state: "read", calls, end: parser.at, isRepaired: parser.isRepaired };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const name = parser.name === "" ? {} : { name: parser.name };
    return { state: error.state, end: parser.at, ...name };
  } finally {
    source.steps += parser.at - at;
  }
}

/** Read one literal, such as a dictionary in a string; undefined when the text is anything more or less. */
export function readPythonLiteral(source: Source): { value: unknown } | undefined {
  const parser = new Parser(source, 0, {});
  try {
    const value = parser.literal();
    return parser.isAtEnd() ? { value } : undefined;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return undefined;
  }
}

/** Read `name="value"` pairs without brackets around them, up to `to`. */
export function readKeywords(
  source: Source,
  from: number,
  to: number,
): Record<string, unknown> | undefined {
  const parser = new Parser(source, from, { to });
  try {
    return parser.keywords();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return undefined;
  }
}

class Unreadable extends Error {
  constructor(readonly state: "cut" | "bad") {
    super(state);
  }
}

class Parser {
  at: number;
  /** The last function name that was read. */
  name = "";
  isRepaired = false;
  readonly #source: Source;
  readonly #to: number;
  readonly #closes: (at: number) => boolean;
  #depth = 0;

  constructor(source: Source, at: number, { to, closes }: PythonOptions) {
    this.#source = source;
    this.at = at;
    this.#to = to ?? source.text.length;
    this.#closes = closes ?? (() => false);
  }

  calls(): PythonCall[] {
    if (!this.#takes("[")) return [this.#call()];
    const calls: PythonCall[] = [];
    while (!this.#closing("]")) {
      calls.push(this.#call());
      if (this.#closing("]")) break;
      this.#take(",");
    }
    return calls;
  }

  literal(): unknown {
    this.#skip();
    if (this.#depth > DEPTH_MAX) throw new Unreadable("bad");
    this.#depth += 1;
    const value = this.#literal(this.#peek());
    this.#depth -= 1;
    return value;
  }

  keywords(): Record<string, unknown> {
    const named: [string, unknown][] = [];
    while (!this.isAtEnd()) {
      named.push([this.#keyword() ?? this.#refuse(), this.literal()]);
      this.#takes(",");
    }
    return Object.fromEntries(named);
  }

  isAtEnd(): boolean {
    this.#skip();
    return this.at >= this.#to;
  }

  #call(): PythonCall {
    this.#skip();
    this.name = this.#match(NAME)?.[0] ?? this.#refuse();
    this.#take("(");
    if (this.name === "print") {
      this.#depth += 1;
      if (this.#depth > DEPTH_MAX) this.#refuse();
      const inner = this.#call();
      if (!this.#closing(")")) this.#refuse();
      return inner;
    }
    // `get_url.call(…)` is how Llama writes a built-in.
    const name = this.name.replace(/\.call$/, "");
    const named: [string, unknown][] = [];
    const positional: unknown[] = [];
    while (!this.#closing(")")) {
      const keyword = this.#keyword();
      if (keyword !== undefined) named.push([keyword, this.literal()]);
      else positional.push(this.literal());
      if (this.#closing(")")) break;
      this.#take(",");
    }
    return this.#bound(name, named, positional);
  }

  #bound(name: string, named: [string, unknown][], positional: unknown[]): PythonCall {
    const [only] = positional;
    if (named.length === 0 && positional.length === 1 && isRecord(only)) {
      return { name, named: only, positional: [] };
    }
    return { name, named: Object.fromEntries(named), positional };
  }

  #keyword(): string | undefined {
    this.#skip();
    return this.#match(KEYWORD)?.[1];
  }

  #literal(char: string): unknown {
    switch (char) {
      case "[":
        return this.#list("]");
      case "(":
        return this.#list(")");
      case "{":
        return this.#dictionary();
      case "":
        throw new Unreadable("cut");
    }
    if (this.#starts(STRING_START)) return this.#strings();
    const number = this.#match(NUMBER)?.[0];
    if (number !== undefined) return this.#number(number);
    const word = this.#match(WORD)?.[0];
    if (word !== undefined && LITERALS.has(word)) return LITERALS.get(word);
    // A word that the text ends in may be the start of a literal.
    throw new Unreadable(word !== undefined && this.at >= this.#to ? "cut" : "bad");
  }

  #list(closing: string): unknown[] {
    this.at += 1;
    const items: unknown[] = [];
    while (!this.#closing(closing)) {
      items.push(this.literal());
      if (this.#closing(closing)) break;
      this.#take(",");
    }
    return items;
  }

  #dictionary(): Record<string, unknown> {
    this.at += 1;
    const members: [string, unknown][] = [];
    while (!this.#closing("}")) {
      const key = this.literal();
      if (typeof key !== "string") this.#refuse();
      this.#take(":");
      members.push([key, this.literal()]);
      if (this.#closing("}")) break;
      this.#take(",");
    }
    return Object.fromEntries(members);
  }

  /** Adjacent strings are one string, as in Python. */
  #strings(): string {
    let text = "";
    for (;;) {
      const start = this.#match(STRING_START);
      if (start === undefined) return text;
      const [, prefix = "", quote = ""] = start;
      const isThere = this.#source.find(quote, this.at) !== -1;
      const end = isThere ? stringEnd(this.#source.text, this.at, quote, this.#to) : -1;
      if (end === -1) {
        this.at = this.#to;
        throw new Unreadable("cut");
      }
      const inside = this.#source.text.slice(this.at, end);
      text += prefix.toLowerCase() === "r" ? inside : pythonText(inside);
      this.at = end + quote.length;
      this.#skip();
    }
  }

  #number(written: string): number {
    const number = Number(written.replaceAll("_", ""));
    const isExact = !Number.isInteger(number) || Number.isSafeInteger(number);
    return Number.isFinite(number) && isExact ? number : this.#refuse();
  }

  /** Takes a closing bracket. Where something outside closed the payload, a missing one counts as there. */
  #closing(bracket: string): boolean {
    if (this.#takes(bracket)) return true;
    if (this.at < this.#to && this.#closes(this.at)) {
      this.isRepaired = true;
      return true;
    }
    return false;
  }

  #takes(token: string): boolean {
    this.#skip();
    if (!this.#source.text.startsWith(token, this.at) || this.at >= this.#to) return false;
    this.at += token.length;
    return true;
  }

  #take(token: string): void {
    if (!this.#takes(token)) throw new Unreadable(this.at >= this.#to ? "cut" : "bad");
  }

  /** Blanks and comments. */
  #skip(): void {
    const { text } = this.#source;
    this.at = this.#source.skipBlanks(this.at);
    while (text.charAt(this.at) === "#" && this.at < this.#to) {
      this.at = this.#source.skipBlanks(this.#source.lineEnd(this.at));
    }
    this.at = Math.min(this.at, this.#to);
  }

  #peek(): string {
    return this.at < this.#to ? this.#source.text.charAt(this.at) : "";
  }

  #starts(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return this.at < this.#to && pattern.test(this.#source.text);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = this.at < this.#to ? pattern.exec(this.#source.text) : null;
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }

  #refuse(): never {
    throw new Unreadable(this.at >= this.#to ? "cut" : "bad");
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
