/** Reads a whole reply: the calls that may run, what has to be told about the rest, and the text that is shown. */
import type { StopReason } from "@/protocol/message.ts";
import type { ToolDefinition } from "@/protocol/tool.ts";
import { FAMILIES } from "./families/mod.ts";
import type { FoundCall, Item, Problem } from "./grammar.ts";
import { KnownTools } from "./known_tools.ts";
import { Grammar, Reader } from "./reader.ts";
import {
  afterResult,
  type CallReport,
  inReasoning,
  notSure,
  type ReportContext,
  reportOf,
} from "./report.ts";
import { type Piece, scan } from "./scan.ts";
import { Source } from "./source.ts";
import { firstName, readWholeReply } from "./whole_reply.ts";

export type ReadOptions = {
  tools: readonly ToolDefinition[] | KnownTools;
  /** Why the reply ended. After "length" only calls that are complete without any repair run. */
  stop?: StopReason;
  /** Take certain calls only: those with a marker, or in a fence that is labelled as a call. */
  isCertainOnly?: boolean;
  /** Whether the model has an interface for calls, so that it is sent there. */
  isNative?: boolean;
  /** Whether the reply's reasoning came apart from its text. */
  hasOwnReasoning?: boolean;
};

/** A call that may run. `raw` names the parameters that were written as raw text. */
export type ReadCall = { name: string; input: Record<string, unknown>; raw: readonly string[] };

export type ReadReply = {
  /** Calls and reports in the order in which they were written. */
  outcomes: readonly ({ call: ReadCall } | { report: CallReport })[];
  calls: readonly ReadCall[];
  reports: readonly CallReport[];
  /** What is shown: the text before the first call, without reasoning. */
  prose: string;
  reasoning: string;
  /** What a history keeps of the reply: everything but reasoning and tokens that say nothing. */
  stored: string;
  /** Whether something was recognised as a call, also one that cannot run. */
  sawCall: boolean;
};

const GRAMMAR = new Grammar(FAMILIES);
/** Where no tools are offered nothing is a call: a text about calls stays a text. */
const NO_CALLS = new Grammar([]);
const REPEATS_MAX = 2;
const REST_CHARS_MAX = 200;

/** The reader of one text with all families. */
export function readerOf(
  text: string,
  tools: KnownTools,
  { isFinal, isLineStart = true }: { isFinal: boolean; isLineStart?: boolean },
): Reader {
  const grammar = tools.names.length === 0 ? NO_CALLS : GRAMMAR;
  return new Reader(new Source(text, isLineStart), { grammar, tools, isFinal });
}

/** What there is to read where nothing was written: of most replies that call over the interface for it. */
const NOTHING: ReadReply = {
  outcomes: [],
  calls: [],
  reports: [],
  prose: "",
  reasoning: "",
  stored: "",
  sawCall: false,
};

/** Read a reply. Pure; never throws, whatever the text. */
export function readCalls(text: string, options: ReadOptions): ReadReply {
  if (text === "") return NOTHING;
  const tools = options.tools instanceof KnownTools ? options.tools : KnownTools.of(options.tools);
  const reader = readerOf(text, tools, { isFinal: true });
  const reply = new ReplyReader(reader, scan(reader, options), options);
  return reply.read();
}

/** `isUnsure`: it may be a sample, if the reply was cut off. */
type Taken = {
  start: number;
  items: readonly Item[];
  isUnsure?: boolean;
  inCode?: "no" | "maybe" | "yes";
};
type Outcome = { call: ReadCall } | { report: CallReport };

class ReplyReader {
  readonly #reader: Reader;
  readonly #pieces: readonly Piece[];
  readonly #options: ReadOptions;
  readonly #context: ReportContext;
  #openCall: number | undefined;

  constructor(reader: Reader, pieces: readonly Piece[], options: ReadOptions) {
    this.#reader = reader;
    this.#pieces = pieces;
    this.#options = options;
    this.#context = {
      tools: reader.tools,
      reply: reader.text,
      isLength: options.stop === "length",
      isNative: options.isNative ?? false,
    };
  }

  read(): ReadReply {
    const taken = this.#taken();
    const shownTo = taken[0]?.start ?? this.#reader.text.length;
    let outcomes = taken.flatMap((unit) => this.#outcomes(unit));
    let prose = this.#visible(shownTo);
    // Functionary's first arrow may be in the prompt: then the text before the next one is a call as a whole.
    const mayBeWhole = taken.length === 0 || this.#reader.text.startsWith(">>>", shownTo);
    const whole = mayBeWhole && !this.#options.isCertainOnly ? this.#whole(prose) : undefined;
    if (whole !== undefined) {
      outcomes = [...whole, ...outcomes];
      prose = "";
    }
    outcomes = withoutRepeats(outcomes);
    const late = outcomes.length === 0 ? this.#unusedCalls(prose) : undefined;
    if (late !== undefined) outcomes = [{ report: late }];
    return {
      outcomes,
      calls: outcomes.flatMap((outcome) => "call" in outcome ? [outcome.call] : []),
      reports: outcomes.flatMap((outcome) => "report" in outcome ? [outcome.report] : []),
      prose,
      reasoning: this.#reasoning(),
      stored: this.#stored(),
      sawCall:
        outcomes.some((outcome) => "call" in outcome || outcome.report.kind !== "in_reasoning") ||
        this.#openReasoningCall() !== undefined,
    };
  }

  /** R14: markers beat fences. Fences with a call label count wherever they stand, others only at the end. */
  #taken(): Taken[] {
    const units = this.#pieces.flatMap((piece) =>
      piece.kind === "unit" && !piece.isLate ? [piece] : []
    );
    if (units.some(({ items }) => items.some(({ calls }) => calls.length > 0))) return units;
    const fences = this.#pieces.flatMap((piece) => piece.kind === "fence" ? [piece] : []);
    const labelled = fences.filter(({ label, isLate }) => label === "call" && !isLate);
    const last = this.#options.isCertainOnly ?? false ? [] : this.#lastFences();
    return [...units, ...labelled, ...last].sort((a, b) => a.start - b.start);
  }

  /** Fences at the end of the reply that hold nothing but complete calls of known tools. */
  #lastFences(): Taken[] {
    const taken: Taken[] = [];
    for (const piece of this.#pieces.toReversed()) {
      if (piece.kind === "noise") continue;
      if (piece.kind === "text") {
        if (this.#reader.text.slice(piece.start, piece.end).trim() === "") continue;
        break;
      }
      if (piece.kind !== "fence" || piece.label !== "maybe" || piece.isLate) break;
      if (!isAllCalls(piece.items) && !this.#isCutCall(piece)) break;
      taken.push({ ...piece, isUnsure: true });
    }
    return taken.reverse();
  }

  /** Whether a fence that the reply ends in was going to be a call: it names a tool before anything else. */
  #isCutCall({ start, end, items }: Piece & { items: readonly Item[] }): boolean {
    if (items.at(-1)?.problem?.kind !== "cut" || end < this.#reader.text.length) return false;
    const text = this.#reader.text.slice(start, end);
    return firstName(this.#reader, text.slice(text.indexOf("\n") + 1)) !== undefined;
  }

  #outcomes({ start, items, inCode = "no", isUnsure = inCode !== "no" }: Taken): Outcome[] {
    const isSample = inCode === "yes" || this.#context.isLength && isUnsure;
    return items.flatMap((item): Outcome[] => {
      const { problem } = item;
      if (problem !== undefined) return [{ report: reportOf(problem, { start }, this.#context) }];
      return item.calls.map((call) => this.#outcome(call, item.end, isSample));
    });
  }

  /** R5: after a length stop nothing runs that needed a repair; and nothing whose raw block may have been cut off. */
  #outcome(call: FoundCall, end: number, isSample = false): Outcome {
    const { tool, input, raw, isRepaired } = call;
    if (isSample || this.#context.isLength && isRepaired || this.#mayGoOn(call, end)) {
      const text = notSure(tool, this.#context);
      return { report: { kind: "cut", name: tool, input, text } };
    }
    return { call: { name: tool, input, raw } };
  }

  /** Whether the reply ended where a raw block of this call was to come, or was not certain to be over. */
  #mayGoOn({ tool, input, raw }: FoundCall, end: number): boolean {
    const after = this.#reader.text.slice(end, end + REST_CHARS_MAX);
    const rest = after.replace(/^[\s}\]]*(?:`+[ \t]*(?:\r?\n\s*)?)?/, "");
    const isOpenTag = /^<[\w-]*$/.test(rest);
    if (!isOpenTag && !(this.#context.isLength && rest === "")) return false;
    const names = this.#reader.tools.rawParameters(tool);
    return names.some((name) => raw.includes(name) || !Object.hasOwn(input, name));
  }

  #whole(prose: string): Outcome[] | undefined {
    if (this.#isTextBroken()) return undefined;
    const text = prose + this.#endTokens();
    const reader = readerOf(text, this.#reader.tools, { isFinal: true });
    const whole = readWholeReply(reader);
    switch (whole.kind) {
      case "answer":
        return undefined;
      case "calls":
        return whole.calls.map((call) => this.#outcome(call, this.#reader.text.length));
      case "problem": {
        const problem: Problem = { ...whole.problem, name: whole.name };
        const context = { ...this.#context, reply: text };
        return [{ report: reportOf(problem, { start: 0 }, context) }];
      }
    }
  }

  #endTokens(): string {
    const { text, endOfReply } = this.#reader;
    return this.#pieces.at(-1)?.kind === "noise" ? text.slice(endOfReply) : "";
  }

  /** Whether something stands between two parts of the text, so that they are not one payload. */
  #isTextBroken(): boolean {
    let parts = 0;
    let isOpen = false;
    for (const { kind, start, end } of this.#pieces) {
      const isText = kind === "text" || kind === "fence";
      if (isText && this.#reader.text.slice(start, end).trim() === "") continue;
      if (isText && !isOpen) parts += 1;
      isOpen = isText;
    }
    return parts > 1;
  }

  /** A call that was meant and that nothing else was said beside, in reasoning or after a made-up result. */
  #unusedCalls(prose: string): CallReport | undefined {
    for (const piece of this.#pieces) {
      if (piece.kind !== "unit" && piece.kind !== "fence" || !piece.isLate) continue;
      const call = piece.items.flatMap(({ calls }) => calls)[0];
      if (call !== undefined) return afterResult(call.tool);
    }
    if (prose.trim() !== "") return undefined;
    for (const piece of this.#pieces) {
      const call = piece.kind === "reasoning" ? this.#callIn(piece) : undefined;
      if (call !== undefined) return inReasoning(call.name);
    }
    return undefined;
  }

  /** The first certain call in reasoning: where it starts, and the tool's name if there is one. */
  #callIn(
    { from, to }: { from: number; to: number },
  ): { start: number; name?: string } | undefined {
    const text = this.#reader.text.slice(from, to);
    for (const piece of scan(readerOf(text, this.#reader.tools, { isFinal: true }))) {
      if (piece.kind !== "unit" && !isCallFence(piece)) continue;
      const start = from + piece.start;
      const [name] = piece.items.flatMap(({ calls }) => calls.map(({ tool }) => tool));
      return name === undefined ? { start } : { start, name };
    }
    return undefined;
  }

  /** The text up to the first thing that was meant as a call. */
  #visible(firstTaken: number): string {
    const first = this.#pieces.find(({ kind, start }, i) =>
      start >= firstTaken || kind === "unit" || isCallFence(this.#pieces[i])
    );
    const to = first?.start ?? this.#reader.text.length;
    return this.#joined(({ kind, start }) => start < to && (kind === "text" || kind === "fence"));
  }

  #reasoning(): string {
    return this.#pieces.flatMap((piece) =>
      piece.kind === "reasoning"
        ? [this.#reader.text.slice(piece.from, this.#reasoningEnd(piece))]
        : []
    ).join("");
  }

  /** A call after reasoning that was never closed ends it. */
  #reasoningEnd(piece: Piece & { kind: "reasoning" }): number {
    return piece.isOpen ? this.#openReasoningCall() ?? piece.to : piece.to;
  }

  /** Where a call starts in reasoning that was never closed. It does not run, but it is kept. */
  #openReasoningCall(): number | undefined {
    return this.#openCall ??= this.#findOpenCall();
  }

  #findOpenCall(): number | undefined {
    const last = this.#pieces.at(-1);
    return last?.kind === "reasoning" && last.isOpen ? this.#callIn(last)?.start : undefined;
  }

  #stored(): string {
    const kept = this.#joined(({ kind }) => kind !== "reasoning" && kind !== "noise");
    const call = this.#openReasoningCall();
    return `${kept}${call === undefined ? "" : this.#reader.text.slice(call)}`.trim();
  }

  #joined(isKept: (piece: Piece) => boolean): string {
    return this.#pieces.filter(isKept).map(({ start, end }) => this.#reader.text.slice(start, end))
      .join("");
  }
}

function isCallFence(piece: Piece | undefined): piece is Piece & { kind: "fence" } {
  return piece?.kind === "fence" && piece.label === "call" && piece.items.length > 0;
}

function isAllCalls(items: readonly Item[]): boolean {
  return items.length > 0 &&
    items.every(({ calls, problem }) =>
      problem === undefined && calls.every(({ hasArguments }) => hasArguments)
    );
}

/** R13: a model that repeats itself means the call once. */
function withoutRepeats(outcomes: readonly Outcome[]): Outcome[] {
  const kept: Outcome[] = [];
  let repeats: { key: string; count: number } = { key: "", count: 0 };
  for (const outcome of outcomes) {
    const key = "call" in outcome ? JSON.stringify([outcome.call.name, outcome.call.input]) : "";
    repeats = key !== "" && key === repeats.key
      ? { key, count: repeats.count + 1 }
      : { key, count: 1 };
    if (repeats.count === REPEATS_MAX + 1) kept.pop();
    if (repeats.count <= REPEATS_MAX) kept.push(outcome);
  }
  return kept;
}
