/**
 * The line at the bottom: the facts of the conversation on the left, the program's own side on the right. When the window
 * is too narrow the right side goes first, then the facts one after the other; the cost is the last.
 */
import type { Event, Sink } from "@/protocol/event.ts";
import { lasts } from "@/lib/lasts.ts";
import { cutToWidth, textWidth } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import type { Inks } from "./ink.ts";

/** What may happen without a question. */
export type Mode = "ask" | "auto" | "plan";

/** What the program knows; absent is unknown and not shown. */
export type StatusFacts = {
  /** `PROVIDER/MODEL`. */
  model?: string;
  protocol?: "native" | "text";
  windowTokens?: number;
  /** In US dollars. */
  cost?: number;
  /** How long the provider keeps a prompt it has cached, after a request that touched it. */
  cacheMs?: number;
  mode?: Mode;
  sandbox?: string;
  /** What the program says of itself. */
  right?: string;
};

/** What is read off the events. */
export type Counts = {
  /** What the next request will at least hold, in tokens. */
  contextTokens: number | undefined;
  /** While a reply arrives: what it brings now. Afterwards: what the last one brought. */
  tokensPerSecond: number | undefined;
  /** When a request touched the cached prompt last, in milliseconds of `Date.now()`; undefined while none is known of. */
  cachedAt: number | undefined;
};

/** Characters of a token where only the text is known. */
const CHARS_A_TOKEN = 4;
const METER_CELLS = 8;
/** A rate over less than this is noise. */
const RATE_MS_MIN = 500;

/** Folds usage and deltas into what the line shows. */
export class StatusFold {
  readonly #now: () => number;
  readonly #clock: () => number;
  #model = "";
  #cachedAt: number | undefined;
  #context: number | undefined;
  #rate: number | undefined;
  #replyAt: number | undefined;
  #lastDeltaAt = 0;
  #chars = 0;

  constructor(now: () => number = () => performance.now(), clock: () => number = Date.now) {
    this.#now = now;
    this.#clock = clock;
  }

  /** Another conversation begins. */
  reset(): void {
    this.#end(undefined);
    this.#model = "";
    this.#cachedAt = this.#context = this.#rate = undefined;
  }

  get counts(): Counts {
    return {
      contextTokens: this.#context,
      tokensPerSecond: this.#live() ?? this.#rate,
      cachedAt: this.#cachedAt,
    };
  }

  readonly sink: Sink = (event: Event): void => this.take(event, this.#clock());

  /** Take an event that happened at `at`, in milliseconds of `Date.now()`. */
  take(event: Event, at: number): void {
    switch (event.type) {
      case "delta":
        this.#lastDeltaAt = this.#now();
        this.#replyAt ??= this.#lastDeltaAt;
        this.#chars += event.text.length;
        break;
      case "usage":
        if (event.purpose !== "turn") break;
        this.#context = event.usage.input + event.usage.cacheRead + event.usage.cacheWrite +
          event.usage.output;
        this.#cached(event, at);
        this.#end(event.usage.output);
        break;
      case "reply_discarded":
      case "turn_end":
        this.#end(undefined);
        break;
      case "compaction":
      case "rewind":
        this.#context = undefined;
        break;
      default:
        break; // Nothing of the others is counted here.
    }
  }

  /**
   * No provider tells what it has cached: it is inferred. One that reports writes keeps the prompt for a lifetime that was
   * asked for, from the last request that read or wrote it; the cache of another model is another one.
   */
  #cached({ usage, model }: Extract<Event, { type: "usage" }>, at: number): void {
    if (model !== this.#model) this.#cachedAt = undefined;
    this.#model = model;
    const isRead = usage.cacheRead > 0 && this.#cachedAt !== undefined;
    this.#cachedAt = usage.cacheWrite > 0 || isRead ? at : undefined;
  }

  #live(): number | undefined {
    const ms = this.#replyAt === undefined ? 0 : this.#now() - this.#replyAt;
    return ms < RATE_MS_MIN ? undefined : this.#chars / CHARS_A_TOKEN / (ms / 1000);
  }

  #end(tokens: number | undefined): void {
    const ms = this.#replyAt === undefined ? 0 : this.#lastDeltaAt - this.#replyAt;
    if (tokens !== undefined && ms >= RATE_MS_MIN) this.#rate = tokens / (ms / 1000);
    this.#replyAt = undefined;
    this.#chars = 0;
  }
}

type Part = "model" | "protocol" | "context" | "rate" | "cost" | "cache" | "mode" | "sandbox";

/** Each part's forms from long to short; the last may be nothing. */
type Forms = Readonly<Partial<Record<Part, readonly string[]>>>;

const ORDER: readonly Part[] = [
  "model",
  "protocol",
  "context",
  "rate",
  "cost",
  "cache",
  "mode",
  "sandbox",
];

const SEPARATOR = " · ";
/** Between the facts and the program's own side, and less of it than this says nothing. */
const RIGHT_GAP = 2;
const RIGHT_CELLS_MIN = 6;

/** What gives way, one step after the other, once the right side is gone. */
const GIVES_WAY: readonly Part[] = [
  "context",
  "protocol",
  "sandbox",
  "model",
  "context",
  "mode",
  "cache",
  "rate",
  "model",
  "context",
  "mode",
];

/** The line, shorter than `columns`; empty when nothing is known. */
export function statusLine(
  facts: StatusFacts,
  counts: Counts,
  { columns, ink, now }: { columns: number; ink: Inks; now: number },
): string {
  const forms = formsOf(facts, counts, now);
  const right = visible(facts.right ?? "", { oneLine: true });
  const shown = Object.fromEntries(ORDER.map((part) => [part, 0])) as Record<Part, number>;
  const textOf = (part: Part) => forms[part]?.[shown[part]] ?? "";
  const left = () => ORDER.map(textOf).filter((text) => text !== "").join(SEPARATOR);
  // That nothing is asked stands out; everything else is there for whoever looks.
  const painted = () =>
    ORDER.filter((part) => textOf(part) !== "").map((part) =>
      (part === "mode" && facts.mode === "auto" ? ink.bold : ink.dim)(textOf(part))
    ).join(ink.dim(SEPARATOR));
  const room = columns - 2;
  let line = left();
  const free = room - textWidth(line) - RIGHT_GAP;
  const side = free >= RIGHT_CELLS_MIN ? cutToWidth(right, free) : "";
  if (side !== "") {
    const gap = " ".repeat(room - textWidth(line) - textWidth(side));
    return ` ${painted()}${ink.dim(`${gap}${side}`)}`;
  }
  for (const part of GIVES_WAY) {
    if (textWidth(line) <= room) break;
    shown[part] += 1;
    line = left();
  }
  if (textWidth(line) <= room) return line === "" ? "" : ` ${painted()}`;
  const cost = forms.cost?.[0] ?? "";
  return cost === "" ? "" : ink.dim(cutToWidth(` ${cost}`, columns - 1));
}

function formsOf(facts: StatusFacts, counts: Counts, now: number): Forms {
  const { model, protocol, cost, mode, sandbox } = facts;
  const name = visible(model ?? "", { oneLine: true });
  return {
    model: [name, name.slice(name.indexOf("/") + 1), ""],
    protocol: [protocol === "text" ? "text protocol" : protocol ?? "", ""],
    context: contextForms(counts.contextTokens, facts.windowTokens),
    rate: [
      counts.tokensPerSecond === undefined ? "" : `${Math.round(counts.tokensPerSecond)} tok/s`,
      "",
    ],
    cost: [cost === undefined ? "" : dollars(cost)],
    cache: [countdown(cacheLeft(facts, counts, now)), ""],
    // That nothing is asked is shown longer than that everything is.
    mode: mode === "auto" || mode === "plan" ? [mode, mode, ""] : [mode ?? "", "", ""],
    sandbox: [visible(sandbox ?? "", { oneLine: true }), ""],
  };
}

/** In how many milliseconds the provider forgets the cached prompt; 0 where it has, or nothing is known of one. */
export function cacheLeft({ cacheMs: ms = 0 }: StatusFacts, counts: Counts, now: number): number {
  const { cachedAt: at } = counts;
  return at !== undefined && lasts(at, { ms, now }) ? at + ms - now : 0;
}

function contextForms(tokens: number | undefined, window: number | undefined): readonly string[] {
  if (tokens === undefined) return ["", "", "", ""];
  if (window === undefined || window <= 0) {
    return [`ctx ${short(tokens)}`, `ctx ${short(tokens)}`, ""];
  }
  const part = Math.min(1, tokens / window);
  const percent = `ctx ${Math.round(part * 100)}%`;
  const full = Math.round(part * METER_CELLS);
  const meter = "▰".repeat(full) + "▱".repeat(METER_CELLS - full);
  // Windows are powers of two more often than not: 65,536 is what people know as 64k.
  const whole = window % 1_024 === 0 ? `${window / 1_024}k` : short(window);
  return [`${percent} ${meter} ${short(tokens)}/${whole}`, percent, percent, ""];
}

function short(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)}k`;
}

function dollars(cost: number): string {
  return cost > 0 && cost < 0.01 ? "<$0.01" : `$${cost.toFixed(2)}`;
}

function countdown(ms: number): string {
  if (ms <= 0) return "";
  const seconds = Math.ceil(ms / 1000);
  return `cache ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
