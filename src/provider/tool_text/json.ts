/**
 * Reads one JSON value out of a reply. Strict first. Else its strings, its structure and whether it is complete are
 * decided here, and only a payload that ended where it should goes on to `jsonrepair` (which by itself closes cut
 * strings, drops unknown escapes and turns code into text).
 */
import { jsonrepair } from "jsonrepair";
import type { Source } from "./source.ts";
import { closingQuote, jsonText, pythonText, stringEnd } from "./strings.ts";

/** What came of reading. `cut`: the text ended inside; `bad`: something stands at `end` that no rule reads. */
export type JsonRead =
  | { state: "read"; value: unknown; end: number; isRepaired: boolean }
  | { state: "cut"; end: number }
  | { state: "bad"; end: number };

export type JsonOptions = {
  /** Nothing from here on belongs to the payload. */
  to?: number;
  /** Whether something at this place closes the payload from outside (a closing tag, a fence). */
  closes?(at: number): boolean;
};

const STRUCTURE: Readonly<Record<string, string>> = {
  "{": "{",
  "}": "}",
  "[": "[",
  "]": "]",
  ":": ":",
  ",": ",",
  "｛": "{",
  "｝": "}",
  "［": "[",
  "］": "]",
  "：": ":",
  "，": ",",
};
const WORD = /[A-Za-z0-9_$.+-]+/y;
const KEY = /^[A-Za-z_$][\w$-]*$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS = ["true", "false", "null", "True", "False", "None"];
const DEPTH_MAX = 200;

/** Whether a JSON value, strict or damaged, may start with this character. */
export function startsJson(char: string): boolean {
  return char === "{" || char === "[" || char === "｛" || char === "［";
}

/** Read the object or list that starts at `at`. */
export function readJson(source: Source, at: number, options: JsonOptions = {}): JsonRead {
  const to = options.to ?? source.text.length;
  const strict = readStrict(source, at, to);
  if (strict !== undefined) return strict;
  const lexer = new Lexer(source, to, options.closes ?? (() => false));
  const read = lexer.run(at);
  source.steps += read.end - at;
  return read;
}

/** Read a whole text as one JSON value, strictly or with repairs. */
export function readWholeJson(source: Source, from: number, to: number): JsonRead {
  const at = source.skipBlanks(from);
  const read = readJson(source, at, { to });
  if (read.state !== "read") return read;
  const end = source.skipBlanks(read.end);
  return end >= to ? read : { state: "bad", end };
}

function readStrict(source: Source, at: number, to: number): JsonRead | undefined {
  const { text } = source;
  const bracket = /["{}[\]]/g;
  bracket.lastIndex = at;
  let depth = 0;
  for (let match = bracket.exec(text); match !== null; match = bracket.exec(text)) {
    if (match.index >= to) break;
    if (match[0] === '"') {
      const end = stringEnd(text, match.index + 1, '"', to);
      if (end === -1) break;
      bracket.lastIndex = end + 1;
      continue;
    }
    depth += match[0] === "{" || match[0] === "[" ? 1 : -1;
    if (depth > DEPTH_MAX) break;
    if (depth > 0) continue;
    const end = match.index + 1;
    source.steps += end - at;
    const value = parsed(text.slice(at, end));
    return value === undefined ? undefined : { state: "read", value, end, isRepaired: false };
  }
  source.steps += to - at;
  return undefined;
}

type Token = "{" | "}" | "[" | "]" | ":" | "," | "key" | "value" | "start";

/** Copies a damaged payload token by token: strings become strict JSON strings, structure becomes ASCII. */
class Lexer {
  readonly #source: Source;
  readonly #to: number;
  readonly #closes: (at: number) => boolean;
  readonly #out: string[] = [];
  /** Open brackets; `unwrapped` is an object directly inside an object's braces. */
  readonly #open: ("{" | "[" | "unwrapped")[] = [];
  #last: Token = "start";

  constructor(source: Source, to: number, closes: (at: number) => boolean) {
    this.#source = source;
    this.#to = to;
    this.#closes = closes;
  }

  run(from: number): JsonRead {
    const { text } = this.#source;
    let at = from;
    for (;;) {
      at = this.#skipToToken(at);
      if (at >= this.#to) return { state: "cut", end: this.#to };
      if (at > from && this.#closes(at)) return this.#finish(at);
      const end = this.#token(text.charAt(at), at);
      if (end === "cut") return { state: "cut", end: this.#to };
      if (end === "bad") return { state: "bad", end: at };
      at = end;
      if (this.#open.length === 0) return this.#finish(at);
    }
  }

  /** All brackets are closed, or something outside closed the payload. */
  #finish(end: number): JsonRead {
    if (this.#open.length > 0 && !this.#endsValue()) return { state: "bad", end };
    const value = repaired(this.#out.join(""));
    return value === undefined
      ? { state: "bad", end }
      : { state: "read", value, end, isRepaired: true };
  }

  /** Blanks and comments. */
  #skipToToken(from: number): number {
    const { text } = this.#source;
    let at = from;
    for (;;) {
      at = this.#source.skipBlanks(at);
      if (text.startsWith("/*", at)) {
        const end = this.#source.find("*/", at + 2);
        at = end === -1 ? this.#to : end + 2;
      } else if (text.startsWith("//", at) || text.charAt(at) === "#") {
        at = this.#source.lineEnd(at);
      } else return Math.min(at, this.#to);
    }
  }

  #token(char: string, at: number): number | "cut" | "bad" {
    const structure = STRUCTURE[char];
    if (structure !== undefined) return this.#structure(structure) ? at + 1 : "bad";
    const quote = closingQuote(char);
    if (quote !== undefined) return this.#string(quote, at);
    WORD.lastIndex = at;
    const word = WORD.exec(this.#source.text)?.[0];
    return word !== undefined && this.#word(word) ? at + word.length : "bad";
  }

  #structure(token: string): boolean {
    switch (token) {
      case "{":
      case "[":
        return this.#openBracket(token);
      case "}":
      case "]":
        return this.#closeBracket(token);
      case ":":
        return this.#last === "key" && this.#put(":", ":");
      case ",":
        return this.#endsValue() && this.#put(",", ",");
      default:
        return false;
    }
  }

  #openBracket(token: "{" | "["): boolean {
    if (this.#open.length >= DEPTH_MAX) return false;
    if (token === "{" && this.#last === "{") {
      this.#open.push("unwrapped");
      return true;
    }
    const isNextOfList = token === "{" && this.#last === "}" && !this.#isInObject();
    if (!isNextOfList && this.#last !== "start" && !this.#mayBeValue()) return false;
    this.#open.push(token);
    return this.#put(token, token);
  }

  #closeBracket(token: "}" | "]"): boolean {
    if (this.#last === ":" || this.#last === "key") return false;
    // A brace too many after an object of a list closes nothing.
    if (token === "}" && this.#last === "}" && this.#open.at(-1) === "[") return true;
    const open = this.#open.pop();
    if ((open === "[") !== (token === "]")) return false;
    return open === "unwrapped" || this.#put(token, token);
  }

  #string(quote: string, at: number): number | "cut" | "bad" {
    const { text } = this.#source;
    const place = this.#place();
    if (place === undefined) return "bad";
    const isTriple = text.startsWith(quote.repeat(3), at) && (quote === '"' || quote === "'");
    const from = at + (isTriple ? 3 : 1);
    const closing = isTriple ? quote.repeat(3) : quote;
    const isThere = this.#source.find(closing, from) !== -1;
    const end = isThere ? stringEnd(text, from, closing, this.#to) : -1;
    if (end === -1) return "cut";
    const inside = text.slice(from, end);
    // Between three quotes it cannot be known whether a backslash was meant as an escape.
    if (isTriple && inside.includes("\\")) return "bad";
    this.#put(place, JSON.stringify(quote === "'" ? pythonText(inside) : jsonText(inside)));
    return end + closing.length;
  }

  #word(word: string): boolean {
    const place = this.#place();
    if (place === undefined) return false;
    // Code where a literal is expected is never turned into text.
    const isRight = place === "key" ? KEY.test(word) : LITERALS.includes(word) || NUMBER.test(word);
    return isRight && this.#put(place, word);
  }

  /**
   * What a string or word would be here. Two of them side by side are neither: most likely a quote inside a text was
   * not escaped.
   */
  #place(): "key" | "value" | undefined {
    if (this.#mayBeValue()) return "value";
    const isAfterMember = this.#last === "," || this.#last === "}" || this.#last === "]";
    return this.#isInObject() && (this.#last === "{" || isAfterMember) ? "key" : undefined;
  }

  #mayBeValue(): boolean {
    if (this.#isInObject()) return this.#last === ":";
    return this.#open.length > 0 && (this.#last === "[" || this.#last === ",");
  }

  #isInObject(): boolean {
    const open = this.#open.at(-1);
    return open === "{" || open === "unwrapped";
  }

  #endsValue(): boolean {
    return this.#last === "value" || this.#last === "}" || this.#last === "]" ||
      this.#last === "{" && this.#open.at(-1) === "unwrapped";
  }

  #put(token: Token, text: string): true {
    this.#last = token;
    this.#out.push(text);
    return true;
  }
}

function repaired(text: string): unknown {
  const plain = parsed(text);
  if (plain !== undefined) return plain;
  try {
    return parsed(jsonrepair(text));
  } catch {
    return undefined; // jsonrepair throws what it cannot repair; to us that is one more unreadable payload.
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
