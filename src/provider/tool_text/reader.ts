/** One reply under the recognisers: which marker stands where, which payload starts where, what closes it. */
import type { Family, Form, Starts, Wrapper } from "./grammar.ts";
import type { KnownTools } from "./known_tools.ts";
import { canonical, type Source, type Tag } from "./source.ts";
import {
  END_TOKENS,
  HARMONY,
  NOISE,
  REASONING,
  REASONING_CLOSERS,
  RESULT_MARKERS,
} from "./markers.ts";

/** What a marker is for. */
export type Role =
  | { kind: "open"; wrapper: Wrapper }
  | { kind: "form"; form: Form }
  | { kind: "close" | "end" | "result" | "unthink" | "harmony" | "noise" | "part" }
  | { kind: "think"; closers: readonly string[] };

export type Token = Tag & { role: Role };

const STEPS_PER_CHAR_MAX = 12;
const STEPS_MIN = 20_000;
/** How many markers may stand one after the other before a payload. */
const NESTING_MAX = 3;
/** How many blanks, and lines of fences, may stand between a marker and its payload. */
const GAP_CHARS_MAX = 2_000;
const FENCE_LINE = /(?:`{3,}|~{3,})[\w-]*[ \t]*(?:\r?\n|$|(?=<))/y;
const OPEN_FENCE_LINE = /^(?:`+|~+)[\w-]*[ \t]*\r?$/;
const FENCE_CHARS_MAX = 80;
const TAG_CHARS_MAX = 203;
const CLOSING_FENCE_LINE = /(?:`{3,}|~{3,})[ \t]*(?:\r?\n|$|(?=<))/y;

/** Closing tags and other parts that stand inside calls. */
const PARTS: readonly string[] = [
  "parameter",
  "param",
  "antml:parameter",
  "atem:parameter",
  "steptml:parameter",
  "minimax:parameter",
  "|dsml|parameter",
  "arg_key",
  "/arg_key",
  "arg_value",
  "/arg_value",
  "|tool_call_argument_begin|",
  "|tool_sep|",
  "tool_sep:opensource",
  "[args]",
  "[call_id]",
];

/** The markers and forms of all families, in their order. */
export class Grammar {
  readonly forms: readonly Form[];
  readonly #roles = new Map<string, Role>();
  readonly #words: readonly string[];
  readonly #candidates: string;

  constructor(families: readonly Family[]) {
    this.forms = families.flatMap(({ forms }) => forms ?? []);
    this.#words = this.forms.flatMap(({ words }) => words ?? []);
    this.#candidates = ["[<[`~>]", ...this.#words.filter((word) => /^\w/.test(word))].join("|");
    for (const wrapper of families.flatMap(({ wrappers }) => wrappers ?? [])) {
      this.#add(wrapper.open, { kind: "open", wrapper });
      for (const name of wrapper.close) this.#add(name, { kind: "close" });
    }
    for (const form of this.forms) {
      for (const name of form.tags ?? []) {
        this.#add(name, { kind: "form", form });
        this.#add(`/${name}`, { kind: "close" });
      }
    }
    for (const [name, closers] of Object.entries(REASONING)) {
      this.#add(name, { kind: "think", closers });
    }
    for (const name of REASONING_CLOSERS) this.#add(name, { kind: "unthink" });
    for (const name of END_TOKENS) this.#add(name, { kind: "end" });
    for (const name of RESULT_MARKERS) this.#add(name, { kind: "result" });
    for (const name of NOISE) this.#add(name, { kind: "noise" });
    for (const name of HARMONY) this.#add(name, { kind: "harmony" });
    for (const name of PARTS) this.#add(name, { kind: "part" });
  }

  role(name: string): Role | undefined {
    return this.#roles.get(name);
  }

  /** Finds the places where something other than text may start. */
  candidates(): RegExp {
    return new RegExp(this.#candidates, "g");
  }

  /** Where a word begins that `text` ends in and that may become one of those that open a call. */
  wordTail(text: string, from: number): number {
    for (const word of this.#words) {
      for (let length = Math.min(word.length - 1, text.length - from); length > 0; length -= 1) {
        if (!text.endsWith(word.slice(0, length))) continue;
        const at = text.length - length;
        if (!/\w/.test(text.charAt(at - 1)) || !/^\w/.test(word)) return at;
      }
    }
    return text.length;
  }

  /** Whether any marker's name starts with this text. */
  hasNameThatStarts(text: string): boolean {
    for (const name of this.#roles.keys()) if (name.startsWith(text)) return true;
    return false;
  }

  #add(name: string, role: Role): void {
    // The first stands: families are listed in the order in which they are tried.
    if (!this.#roles.has(name)) this.#roles.set(name, role);
  }
}

export type ReaderOptions = { grammar: Grammar; tools: KnownTools; isFinal: boolean };

export class Reader {
  readonly source: Source;
  readonly grammar: Grammar;
  readonly tools: KnownTools;
  /** Whether the text is all there is; otherwise more may come. */
  readonly isFinal: boolean;
  #tokens: Token[] | undefined;
  #endOfReply: number | undefined;
  readonly #payloadStarts = new Map<number, Starts>();

  constructor(source: Source, { grammar, tools, isFinal }: ReaderOptions) {
    this.source = source;
    this.grammar = grammar;
    this.tools = tools;
    this.isFinal = isFinal;
  }

  get text(): string {
    return this.source.text;
  }

  /** Whether so much was read twice that from now on nothing is looked at further than its first end. */
  get isTired(): boolean {
    return this.source.steps > STEPS_PER_CHAR_MAX * this.text.length + STEPS_MIN;
  }

  /** Where the tokens of the chat template that end the reply begin. */
  get endOfReply(): number {
    return this.#endOfReply ??= this.#findEndOfReply();
  }

  token(at: number): Token | undefined {
    const tag = this.source.tagAt(at);
    const role = tag === undefined ? undefined : this.grammar.role(tag.name);
    return tag === undefined || role === undefined ? undefined : { ...tag, role };
  }

  /** The place after a fence's opening line that stands here; `at` itself when none does. */
  skipFence(at: number): number {
    return this.#skipLine(at, FENCE_LINE);
  }

  /** The place after a fence's closing line that stands here; `at` itself when none does. */
  skipClosingFence(at: number): number {
    return this.#skipLine(at, CLOSING_FENCE_LINE);
  }

  /** Known markers that start at or after `from`, in order. */
  *tokensFrom(from: number): Generator<Token> {
    const tokens = this.#tokens ??= this.#allTokens();
    let low = 0;
    for (let high = tokens.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((tokens[middle]?.start ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    for (let i = low; i < tokens.length; i += 1) {
      const token = tokens[i];
      if (token === undefined) return;
      this.source.steps += 1;
      yield token;
    }
  }

  /** The form of the payload that starts here, if one does. */
  form(at: number): Form | undefined {
    return this.grammar.forms.find((form) => form.starts(this, at) === true);
  }

  /** Whether a payload follows a marker that ends at `at`: blanks, then any form or another marker. */
  startsPayload(at: number): Starts {
    const known = this.#payloadStarts.get(at);
    if (known !== undefined) return known;
    const starts = this.#startsPayload(at, NESTING_MAX);
    this.#payloadStarts.set(at, starts);
    return starts;
  }

  #startsPayload(at: number, nestingLeft: number): Starts {
    const start = this.skipFence(this.source.skipBlanks(at));
    if (start - at > GAP_CHARS_MAX) return false;
    if (!this.isFinal && OPEN_FENCE_LINE.test(this.text.slice(start, start + FENCE_CHARS_MAX))) {
      return "more";
    }
    if (start >= this.text.length) return this.more();
    let answer: Starts = false;
    for (const form of this.grammar.forms) {
      const starts = form.starts(this, start);
      if (starts === true) return true;
      if (starts === "more") answer = "more";
    }
    const token = this.token(start);
    if (token === undefined) return answer === false ? this.mayBecomeTag(start) : answer;
    if (token.role.kind !== "open" || nestingLeft === 0) return answer;
    return this.#startsPayload(token.end, nestingLeft - 1);
  }

  /** Whether from here on nothing but tokens of the chat template comes; "more" while that may change. */
  isEndFrom(at: number): Starts {
    let next = this.source.skipBlanks(at);
    if (next - at > GAP_CHARS_MAX) return false;
    while (next < this.text.length) {
      const token = this.token(next);
      if (token?.role.kind !== "end") return this.mayBecomeTag(next);
      next = this.source.skipBlanks(token.end);
    }
    return this.isFinal ? true : "more";
  }

  /** "more" while more text may come, else no. */
  more(): Starts {
    return this.isFinal ? false : "more";
  }

  /** Whether a tag that is not complete yet may turn out to be a marker. */
  mayBecomeTag(at: number): Starts {
    if (this.isFinal) return false;
    const tail = this.text.slice(at, at + TAG_CHARS_MAX);
    if (/^\[[^\]\n]*$/.test(tail)) {
      const isUpper = tail === tail.toUpperCase();
      return isUpper && this.grammar.hasNameThatStarts(tail.toLowerCase()) ? "more" : false;
    }
    if (!/^<[^<>\n]*$/.test(tail) || tail.length === TAG_CHARS_MAX) return false;
    const name = canonical(tail.slice(1)).replace(/\\$/, "");
    return this.grammar.hasNameThatStarts(name) || this.grammar.role(name.split(/[\s=]/)[0] ?? "")
      ? "more"
      : false;
  }

  #skipLine(at: number, pattern: RegExp): number {
    pattern.lastIndex = at;
    return pattern.test(this.text) ? this.source.skipBlanks(pattern.lastIndex) : at;
  }

  #findEndOfReply(): number {
    let end = this.text.length;
    for (;;) {
      const to = this.source.skipBlanksBack(end);
      const start = this.text.charAt(to - 1) === ">" ? this.text.lastIndexOf("<", to - 1) : -1;
      const token = start === -1 ? undefined : this.token(start);
      if (token?.role.kind !== "end" || token.end !== to) return end;
      end = token.start;
    }
  }

  #allTokens(): Token[] {
    const tokens: Token[] = [];
    const start = /[<[]/g;
    for (let match = start.exec(this.text); match !== null; match = start.exec(this.text)) {
      const token = this.token(match.index);
      if (token === undefined) continue;
      tokens.push(token);
      start.lastIndex = token.end;
    }
    return tokens;
  }
}
