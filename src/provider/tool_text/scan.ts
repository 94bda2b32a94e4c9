/** One walk over a whole reply: text, reasoning, and everything that may be a call, in order. */
import { closesPayload, readItems, readUnit } from "./envelope.ts";
import { closingOf, type Fence, readFence } from "./fence.ts";
import { type Envelope, type Form, type Item, unusable } from "./grammar.ts";
import { headlessAt, MESSAGE_END, strippedAt } from "./harmony.ts";
import type { Header } from "./harmony.ts";
import { foundCalls, readObject } from "./payload.ts";
import { type Mark, nextMark, type ProseState } from "./prose.ts";
import type { Reader } from "./reader.ts";
import { elementRegion } from "./region.ts";

export type Piece =
  & { start: number; end: number }
  & (
    | { kind: "text" }
    /** Tokens that say nothing. */
    | { kind: "noise" }
    /** `from` and `to`: the text between its markers. `isOpen`: nothing closed it. */
    | { kind: "reasoning"; from: number; to: number; isOpen: boolean }
    /**
     * What a marker opened. `isLate`: after a made-up result, so that it rests on invented data. `inCode`: behind a
     * backtick that nothing closes, somewhere in the paragraph or right at the marker.
     */
    | { kind: "unit"; items: readonly Item[]; isLate: boolean; inCode: "no" | "maybe" | "yes" }
    | { kind: "fence"; label: "call" | "maybe"; items: readonly Item[]; isLate: boolean }
  );

/** `hasOwnReasoning`: reasoning came by itself, so that a closer without an opener says nothing about the text. */
export type ScanOptions = { hasOwnReasoning?: boolean };

/** Cut a reply into pieces. Every character is in exactly one. */
export function scan(reader: Reader, options: ScanOptions = {}): readonly Piece[] {
  const scanner = new Scanner(reader, options);
  scanner.run();
  return scanner.pieces;
}

class Scanner {
  pieces: Piece[] = [];
  readonly #reader: Reader;
  readonly #options: ScanOptions;
  #at = 0;
  #isLate = false;
  readonly #state: ProseState = { inHarmony: false };

  constructor(reader: Reader, options: ScanOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  run(): void {
    const headless = headlessAt(this.#reader);
    if (headless !== undefined) {
      this.#header({ at: 0, end: headless.end, header: headless });
    }
    const stripped = strippedAt(this.#reader.text);
    if (stripped !== undefined) {
      this.#put(0, { kind: "reasoning", start: 0, isOpen: false, ...stripped });
    }
    let from = this.#at;
    for (;;) {
      const mark = nextMark(this.#reader, from, this.#state);
      if (mark.kind === "end" || mark.kind === "more") break;
      from = this.#take(mark);
    }
    this.#text(this.#reader.text.length);
  }

  /** Act on a mark; the place from which to look for the next one. */
  #take(mark: Exclude<Mark, { kind: "end" | "more" }>): number {
    switch (mark.kind) {
      case "code":
        return mark.end;
      case "result":
        this.#isLate = true;
        return mark.end;
      case "noise":
        return this.#put(mark.at, { kind: "noise", start: mark.at, end: mark.end });
      case "think":
        return this.#reasoning(mark);
      case "unthink":
        return this.#allIsReasoning(mark);
      case "fence":
        return this.#fence(mark.fence);
      case "header":
        return this.#header(mark);
      case "cut_header":
        return this.#cutHeader(mark);
      case "envelope": {
        const unit = readUnit(this.#reader, mark.token);
        const isNoCall = (item: Item) => isNoKnownCall(this.#reader, item);
        const isWeak = mark.token.role.wrapper.isWeak && unit?.items.every(isNoCall);
        return unit === undefined || isWeak ? mark.end : this.#unit(unit);
      }
      case "bare":
        return this.#unit(this.#bare(mark.at, mark.form));
      case "lost":
        return this.#unit({
          start: mark.at,
          end: mark.end,
          items: [lost(mark.end, mark.end >= this.#reader.endOfReply)],
        });
      default:
        return mark satisfies never;
    }
  }

  #unit({ start, end, items }: { start: number; end: number; items: readonly Item[] }): number {
    let stop = end;
    // Reasoning that ends inside a call that could not be read was not a part of the call.
    if (items.some(({ problem }) => problem !== undefined)) {
      for (const token of this.#reader.tokensFrom(start)) {
        if (token.start >= stop) break;
        if (token.role.kind === "unthink") stop = token.start;
      }
    }
    stop = Math.max(this.#afterClosers(stop), start + 1);
    const inCode = this.#inCode(start);
    const isLate = this.#isLate;
    return this.#put(start, { kind: "unit", start, end: stop, items, isLate, inCode });
  }

  #inCode(at: number): "no" | "maybe" | "yes" {
    const { openCode } = this.#state;
    if (openCode === undefined) return "no";
    if (openCode === at) return "yes";
    return /\n[ \t]*\r?\n/.test(this.#reader.text.slice(openCode, at)) ? "no" : "maybe";
  }

  /** Closing markers that nothing opened, behind a call. */
  #afterClosers(from: number): number {
    let end = from;
    for (;;) {
      const token = this.#reader.token(this.#reader.source.skipBlanks(end));
      if (token?.role.kind !== "close") return end;
      end = token.end;
    }
  }

  /** A call without a marker around it, and those that follow it at once. */
  #bare(start: number, form: Form): { start: number; end: number; items: readonly Item[] } {
    const envelope = bareEnvelope(this.#reader);
    const first = form.read(this.#reader, start, envelope);
    const rest = readItems(this.#reader, first.end, envelope);
    const end = rest.items.length > 0 ? rest.end : first.end;
    return { start, end, items: [first, ...rest.items] };
  }

  #fence(fence: Fence): number {
    const { at, end } = closingOf(this.#reader, fence, fence.bodyStart);
    if (fence.kind === "result") this.#isLate = true;
    if (fence.kind === "result" || fence.kind === "sample") return Math.max(end, at);
    const body = readFence(this.#reader, fence);
    const inside = this.#reader.text.slice(fence.bodyStart, at);
    if (fence.kind === "call" && body.items.length === 0 && inside.trim() !== "") {
      const isCut = end === at;
      body.items = [lost(fence.bodyStart, isCut)];
    }
    if (fence.kind === "maybe" && body.items.length === 0) return end;
    const isLate = this.#isLate;
    return this.#put(fence.start, {
      kind: "fence",
      label: fence.kind,
      start: fence.start,
      end: body.end,
      items: body.items,
      isLate,
    });
  }

  #reasoning(mark: { at: number; end: number; closers: readonly string[] }): number {
    const close = this.#first(mark.end, mark.closers);
    const to = close?.start ?? this.#reader.text.length;
    const end = close?.end ?? to;
    return this.#put(mark.at, {
      kind: "reasoning",
      start: mark.at,
      end,
      from: afterLabel(this.#reader.text, mark.end),
      to,
      isOpen: close === undefined,
    });
  }

  /** Prompts may end inside reasoning, so that only its closer is in the reply. */
  #allIsReasoning({ at, end }: { at: number; end: number }): number {
    if (this.#options.hasOwnReasoning) return this.#put(at, { kind: "noise", start: at, end });
    this.pieces = [{ kind: "reasoning", start: 0, end, from: 0, to: at, isOpen: false }];
    this.#isLate = false;
    this.#at = end;
    return end;
  }

  #header({ at, end, header }: { at: number; end: number; header: Header }): number {
    this.#state.inHarmony = true;
    const { role, channel, recipient } = header;
    if (channel === "analysis") {
      if (recipient === undefined) return this.#analysis(at, end);
      const items = this.#message(end, recipient);
      const problem = { kind: "in_reasoning", at: end, name: recipient } as const;
      return this.#unit({ start: at, end: items.end, items: [unusable(items.end, problem)] });
    }
    if (role !== "" && role !== "assistant") this.#isLate = true;
    if (recipient === undefined || role !== "" && role !== "assistant") {
      return this.#put(at, { kind: "noise", start: at, end });
    }
    return this.#unit({ start: at, ...this.#message(end, recipient) });
  }

  #analysis(at: number, from: number): number {
    const close = this.#first(from, MESSAGE_END);
    const to = close?.start ?? this.#reader.text.length;
    const isNext = close?.name === "|start|" || close?.name === "|channel|";
    const end = isNext ? to : close?.end ?? to;
    const isOpen = close === undefined;
    return this.#put(at, { kind: "reasoning", start: at, end, from, to, isOpen });
  }

  #message(from: number, name: string): { end: number; items: readonly Item[] } {
    const reader = this.#reader;
    const envelope = messageEnvelope(reader);
    const next = reader.token(reader.source.skipBlanks(from));
    const written = { name, input: {}, hasArguments: true };
    if (next !== undefined && MESSAGE_END.includes(next.name)) {
      const end = next.end;
      return { end, items: [foundCalls(reader, [written], { at: from, end, isRepaired: false })] };
    }
    const read = readObject(reader, from, envelope);
    const token = reader.token(reader.source.skipBlanks(read.end));
    const end = token?.role.kind === "end" ? token.end : read.end;
    if ("kind" in read) return { end, items: [{ end, calls: [], problem: { ...read, name } }] };
    const { input, isRepaired } = read;
    return {
      end,
      items: [foundCalls(reader, [{ ...written, input }], { at: from, end, isRepaired })],
    };
  }

  /** A header that the reply ends in: a call that was cut, or nothing. */
  #cutHeader({ at, end }: { at: number; end: number }): number {
    const name = /\bto=\s*([\w.:-]+)/.exec(this.#reader.text.slice(at, end))?.[1];
    if (name === undefined) return this.#put(at, { kind: "noise", start: at, end });
    return this.#unit({
      start: at,
      end,
      items: [{ end, calls: [], problem: { kind: "cut", at: end, name } }],
    });
  }

  #first(from: number, names: readonly string[]) {
    for (const token of this.#reader.tokensFrom(from)) if (names.includes(token.name)) return token;
    return undefined;
  }

  #put(from: number, piece: Piece): number {
    this.#text(from);
    this.pieces.push(piece);
    this.#at = piece.end;
    return piece.end;
  }

  #text(to: number): void {
    if (to > this.#at) this.pieces.push({ kind: "text", start: this.#at, end: to });
    this.#at = Math.max(this.#at, to);
  }
}

function bareEnvelope(reader: Reader): Envelope {
  return {
    kind: "marker",
    closes: (at) => closesPayload(reader, at),
    region: (at) =>
      elementRegion(reader, at, {
        opens: () => false,
        closes: ({ role }) => role.kind === "close",
        mayClose: () => true,
        mayOpen: () => false,
      }),
  };
}

function messageEnvelope(reader: Reader): Envelope {
  return {
    kind: "marker",
    closes: (at) => closesPayload(reader, at),
    region(at) {
      for (const { name, start } of reader.tokensFrom(at)) {
        if (MESSAGE_END.includes(name)) return { end: start, isClosed: true };
      }
      return { end: reader.text.length, isClosed: false };
    },
  };
}

function isNoKnownCall(reader: Reader, { calls, problem }: Item): boolean {
  if (calls.length > 0) return false;
  return problem?.kind !== "cut" || reader.tools.resolve(problem.name ?? "") === undefined;
}

function lost(end: number, isCut: boolean): Item {
  return {
    end,
    calls: [],
    problem: { kind: isCut ? "cut" : "unreadable", at: end, expected: "a call" },
  };
}

/** Gemma names the channel on the first line. */
function afterLabel(text: string, from: number): number {
  return text.startsWith("thought\n", from) ? from + "thought\n".length : from;
}
