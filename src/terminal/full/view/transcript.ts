/**
 * The transcript of the full screen: events in, text for the scrollback out. What was given out is never touched again,
 * so that a token costs the same in a long session as in a short one.
 */
import type { DurableEvent, Event, Sink } from "@/protocol/event.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { wrapText } from "@/lib/wrap.ts";
import type { ShownRegister, TranscriptView } from "../transcript_face.ts";
import { liveCard } from "./card.ts";
import { count } from "./gutter.ts";
import type { Item, ReplyItem } from "./item.ts";
import { ItemFold } from "./item_fold.ts";
import { itemLines, type ItemOptions } from "./item_lines.ts";
import { Parts, type PartsOptions } from "./parts.ts";
import { MARK, type Registers } from "./registers.ts";
import { LiveReply } from "./reply.ts";
import { unbroken } from "./shown.ts";
import { openLines } from "./viewer_content.ts";

export type TranscriptOptions = {
  look: Registers;
  showsThinking(): boolean;
  /** Something can be shown now that could not before: draw again. */
  changed(): void;
  /** A clock that only goes forward, in milliseconds. */
  now?(): number;
  /** What time it is. */
  clock?(): Date;
  load?: PartsOptions["load"];
};

/** What is not given out yet, in order. */
type Waiting = { kind: "item"; item: Item } | { kind: "reply"; reply: LiveReply } | {
  kind: "earlier";
  count: number;
};

export class Transcript implements TranscriptView {
  readonly #options: TranscriptOptions;
  readonly #now: () => number;
  readonly #clock: () => Date;
  readonly #parts: Parts;
  #fold: ItemFold;
  #items: Item[] = [];
  #waiting: Waiting[] = [];
  #reply: LiveReply | undefined;
  #isOpen = false;
  /** Whether nothing stands above what comes next. */
  #isFirst = true;
  #columns = 80;

  constructor(options: TranscriptOptions) {
    const { look, changed, load, now, clock } = options;
    this.#options = options;
    this.#now = now ?? (() => performance.now());
    this.#clock = clock ?? (() => new Date());
    this.#parts = new Parts({
      look,
      changed: (problem) => {
        if (problem !== undefined) this.print(problem, "event");
        changed();
      },
      ...(load === undefined ? {} : { load }),
    });
    this.#fold = this.#newFold();
  }

  readonly sink: Sink = (event: Event): void => {
    // While the model is asked there is time for it; a start has none.
    if (event.type === "turn_start") void this.preload();
    this.#fold.take(event, this.#clock());
  };

  /** Load what replies are drawn with, so that the first one does not wait for it. */
  preload(): Promise<void> {
    return this.#parts.preload();
  }

  takeFinished(columns: number): string {
    this.#columns = columns;
    const lines: string[] = [];
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting;
      if (first === undefined || !this.#give(first, lines)) break;
      this.#waiting.shift();
    }
    if (lines.length > 0) this.#isFirst = false;
    return asText(lines);
  }

  tail(columns: number, rowsMax: number): readonly string[] {
    this.#columns = columns;
    if (rowsMax <= 0) return [];
    const rows = this.#waiting.flatMap((one) => this.#waitingRows(one, columns));
    for (const { call, startedAt } of this.#fold.live) {
      const ms = this.#now() - startedAt;
      const { look } = this.#options;
      rows.push(...liveCard(call, { columns, look, ms, isOpen: this.#isOpen, rowsMax }));
    }
    return rows.slice(-rowsMax);
  }

  isAnimated(): boolean {
    return this.#fold.isRunning;
  }

  replay(events: Iterable<DurableEvent | SessionRecord>, last: number): void {
    const items: Item[] = [];
    const fold = new ItemFold({
      add: (item) => void items.push(item),
      delta: () => {},
      endReply: () => false,
      discardReply: () => {},
      rewind: (toTurn) => keepTurns(items, toTurn),
    }, this.#now);
    for (const one of events) {
      if ("event" in one) fold.take(one.event, new Date(one.at));
      else fold.take(one);
    }
    fold.endCalls();
    this.#items = [...items, ...this.#items];
    const shown = last <= 0 ? [] : items.slice(-last);
    const earlier = items.length - shown.length;
    this.#waiting = [
      ...(earlier > 0 ? [{ kind: "earlier" as const, count: earlier }] : []),
      ...shown.map((item) => ({ kind: "item" as const, item })),
      ...this.#waiting,
    ];
  }

  open(item: "last" | number): readonly string[] | undefined {
    const found = item === "last" ? this.#items.at(-1) : this.#items[item];
    if (found === undefined) return undefined;
    const isFirst = found === this.#items[0];
    return openLines(found, { ...this.#itemOptions(), isFirst }) ??
      [this.#options.look.dim("this is not there yet")];
  }

  items(): number {
    return this.#items.length;
  }

  toggleLive(): boolean {
    if (!this.#fold.isRunning) return false;
    this.#isOpen = !this.#isOpen;
    return true;
  }

  again(last: number, columns: number): string {
    this.#columns = columns;
    const waiting = new Set(this.#waiting.flatMap((one) => one.kind === "item" ? [one.item] : []));
    const items = this.#items.filter((item) => item !== this.#reply?.item && !waiting.has(item))
      .slice(-last);
    return asText(items.flatMap((item) => itemLines(item, this.#itemOptions()) ?? []));
  }

  print(text: string, register: ShownRegister): void {
    const { turn } = this.#fold;
    switch (register) {
      case "result":
        return this.#add({ kind: "printed", text, isClipped: false, turn });
      case "source":
        return this.#add({ kind: "source", text, turn });
      case "event":
        return this.#add({ kind: "event", text: unbroken(text.trim()), isWhole: true, turn });
      case "error":
        return this.#add({ kind: "error", text, turn });
      default:
        register satisfies never;
    }
  }

  begin(): void {
    this.#fold = this.#newFold();
    this.#items = [];
    this.#waiting = [];
    this.#reply = undefined;
    this.#isFirst = true;
  }

  #newFold(): ItemFold {
    return new ItemFold({
      add: (item) => this.#add(item),
      delta: (channel, text) => this.#delta(channel, text),
      endReply: () => this.#endReply(),
      discardReply: () => this.#discardReply(),
      rewind: (toTurn) => this.#rewind(toTurn),
    }, this.#now);
  }

  /** It opens an exchange like everything that the person says. */
  typed(text: string): void {
    this.#add({ kind: "you", text, attached: [], at: this.#clock(), turn: this.#fold.turn });
  }

  /** Put what is final of the first one that waits into `lines`; whether it is done with. */
  #give(one: Waiting, lines: string[]): boolean {
    switch (one.kind) {
      case "item": {
        const isFirst = this.#isFirst && lines.length === 0;
        const own = itemLines(one.item, { ...this.#itemOptions(), isFirst });
        if (own === undefined) return false;
        lines.push(...own);
        return true;
      }
      case "reply":
        lines.push(...one.reply.take(this.#columns - 1));
        if (!one.reply.isDone && !one.reply.isInside) this.#giveBehind(lines);
        return one.reply.isDone;
      case "earlier": {
        const items = `${count(one.count)} earlier ${one.count === 1 ? "item" : "items"}`;
        lines.push(this.#options.look.dim(`    ${MARK.event} ${items} · Ctrl+O shows them`));
        return true;
      }
    }
  }

  /** Between two blocks of a reply, what happened meanwhile may stand. */
  #giveBehind(lines: string[]): void {
    while (this.#waiting.length > 1) {
      const next = this.#waiting[1];
      if (next?.kind !== "item") return;
      const own = itemLines(next.item, { ...this.#itemOptions(), isFirst: false });
      if (own === undefined) return;
      lines.push(...own);
      this.#waiting.splice(1, 1);
    }
  }

  #waitingRows(one: Waiting, columns: number): readonly string[] {
    switch (one.kind) {
      case "reply":
        return one.reply.tail(columns - 1);
      case "item": {
        const lines = itemLines(one.item, { ...this.#itemOptions(), isFirst: true }) ?? [];
        return lines.flatMap((line) => wrapText(line, columns - 1));
      }
      case "earlier":
        return [];
    }
  }

  #itemOptions(): ItemOptions {
    const { look, showsThinking } = this.#options;
    return {
      columns: this.#columns,
      look,
      parts: this.#parts,
      showsThinking: showsThinking(),
      today: this.#clock(),
      isFirst: false,
    };
  }

  #add(item: Item): void {
    this.#items.push(item);
    this.#waiting.push({ kind: "item", item });
  }

  #delta(channel: "text" | "thinking", text: string): void {
    if (channel === "thinking" && !this.#options.showsThinking()) return;
    if (this.#reply === undefined) {
      const item: ReplyItem & { turn: number } = {
        kind: "reply",
        text: "",
        thinking: "",
        turn: this.#fold.turn,
      };
      this.#reply = new LiveReply(item, this.#parts);
      this.#items.push(item);
      this.#waiting.push({ kind: "reply", reply: this.#reply });
    }
    this.#reply.push(channel, text);
  }

  #endReply(): boolean {
    const reply = this.#reply;
    this.#reply = undefined;
    if (reply === undefined) return false;
    reply.end();
    // Nothing but blanks before a call is no item.
    if (reply.isBlank) this.#items = this.#items.filter((item) => item !== reply.item);
    return true;
  }

  #discardReply(): void {
    this.#reply?.discard();
    this.#reply = undefined;
  }

  #rewind(toTurn: number): void {
    this.#endReply();
    keepTurns(this.#items, toTurn);
    const text = `back to the end of turn ${toTurn}: what came after it is forgotten`;
    this.#add({ kind: "event", text, turn: toTurn });
  }
}

function keepTurns(items: Item[], toTurn: number): void {
  const kept = items.filter(({ turn }) => turn <= toTurn);
  items.splice(0, items.length, ...kept);
}

function asText(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
