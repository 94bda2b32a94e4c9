/**
 * The transcript with everything open, on the alternate screen and only while it is open. Items are laid out when they come
 * into sight, from the one that was asked for, so that opening costs the same in a long session as in a short one.
 */
import { cutToWidth } from "@/lib/width.ts";
import { wrapText } from "@/lib/wrap.ts";
import type { Size } from "./frame.ts";
import { guarded } from "./guard.ts";
import type { Inks } from "./ink.ts";
import type { PanelKey } from "./panel.ts";
import { findWords, marked, type Spot } from "./viewer_search.ts";

/** What can be looked at, oldest first. */
export type ViewerSource = {
  count: number;
  /** The lines of an item; undefined when it is gone. */
  open(index: number): readonly string[] | undefined;
  /** How a line becomes rows, where not at its words alone. */
  wrap?(line: string, width: number): readonly string[];
};

export type ViewerOptions = {
  source: ViewerSource;
  /** The item that is in sight first. */
  at: number;
  ink: Inks;
  /** What else the bar at the bottom says. */
  note(): string;
};

export class Viewer {
  readonly #options: ViewerOptions;
  readonly #laidOut = new Map<number, readonly string[]>();
  #columns = 80;
  #page = 20;
  #top: Spot;
  #search: { text: string; isTyping: boolean } | undefined;
  /** What was found last, from where the search goes on; none once the person has moved by another key. */
  #match: Spot | undefined;
  #said = "";

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#top = { item: Math.max(0, Math.min(options.at, options.source.count - 1)), row: 0 };
  }

  /** The whole screen: every row from its first cell, each erased to its end, so that nothing has to be cleared. */
  draw({ columns, rows }: Size): string {
    if (columns !== this.#columns) {
      this.#laidOut.clear();
      this.#columns = columns;
      this.#top = { item: this.#top.item, row: 0 };
    }
    this.#page = Math.max(1, rows - 1);
    this.#keepFull();
    const words = this.#search?.text ?? "";
    const lines: string[] = [];
    let spot: Spot | undefined = this.#top;
    while (lines.length < this.#page && spot !== undefined) {
      lines.push(marked(this.#rowsOf(spot.item)[spot.row] ?? "", words, this.#options.ink.chosen));
      spot = this.#next(spot);
    }
    while (lines.length < this.#page) lines.push("");
    const body = [...lines, this.#bar(columns)].map((line) => `${guarded(line)}\x1b[K`).join(
      "\r\n",
    );
    return `\x1b[?2026h\x1b[?25l\x1b[?7l\x1b[H${body}\x1b[?7h\x1b[?2026l`;
  }

  /** Takes a key; "close" when the person is done. */
  press(key: PanelKey): "close" | "stay" {
    this.#said = "";
    if (this.#search?.isTyping === true) {
      this.#typeSearch(this.#search, key);
      return "stay";
    }
    if (key.action !== "nextItem" && key.action !== "previousItem") this.#match = undefined;
    switch (key.action) {
      case "back":
        return "close";
      case "up":
        this.#scroll(-1);
        break;
      case "down":
        this.#scroll(1);
        break;
      case "pageUp":
        this.#scroll(-this.#page + 1);
        break;
      case "pageDown":
        this.#scroll(this.#page - 1);
        break;
      case "first":
        this.#top = { item: 0, row: 0 };
        break;
      case "last":
        this.#top = this.#end();
        break;
      case "find":
        this.#search = { text: "", isTyping: true };
        break;
      case "nextItem":
        this.#step(1);
        break;
      case "previousItem":
        this.#step(-1);
        break;
      default:
        break;
    }
    return "stay";
  }

  #typeSearch(search: { text: string; isTyping: boolean }, key: PanelKey): void {
    if (key.name === "enter") {
      search.isTyping = false;
      if (search.text === "") this.#search = undefined;
      else this.#find(search.text, 1);
    } else if (key.name === "escape" || key.name === "ctrl+c") this.#search = undefined;
    else if (key.name === "backspace") search.text = [...search.text].slice(0, -1).join("");
    else search.text += key.text;
  }

  /** To the next match, or to the next item when nothing is searched for. */
  #step(direction: 1 | -1): void {
    if (this.#search !== undefined) return this.#find(this.#search.text, direction);
    const item = this.#top.item + direction;
    const isInside = direction === -1 && this.#top.row > 0;
    if (isInside) this.#top = { item: this.#top.item, row: 0 };
    else if (item >= 0 && item < this.#options.source.count) this.#top = { item, row: 0 };
  }

  #find(text: string, direction: 1 | -1): void {
    const { source } = this.#options;
    const found = findWords(text, {
      count: source.count,
      lines: (item) => source.open(item) ?? [],
      rows: (item) => this.#rowsOf(item),
    }, { from: this.#match ?? this.#top, direction, isFirst: this.#match === undefined });
    if (found === undefined) {
      this.#said = `"${text}" is nowhere here`;
      return;
    }
    this.#match = found.spot;
    this.#top = found.spot;
    if (found.isAround) {
      this.#said = direction === 1 ? "on from the beginning" : "on from the end";
    }
  }

  #scroll(rows: number): void {
    for (let left = Math.abs(rows); left > 0; left--) {
      const spot = rows > 0 ? this.#next(this.#top) : this.#previous(this.#top);
      if (spot === undefined) return;
      this.#top = spot;
    }
  }

  /** The end of the document stays at the bottom of the screen: scroll back while there is room below it. */
  #keepFull(): void {
    let below = 0;
    let spot: Spot | undefined = this.#top;
    while (spot !== undefined && below < this.#page) {
      below += 1;
      spot = this.#next(spot);
    }
    for (; below < this.#page; below++) {
      const before = this.#previous(this.#top);
      if (before === undefined) return;
      this.#top = before;
    }
  }

  #end(): Spot {
    const item = Math.max(0, this.#options.source.count - 1);
    return { item, row: Math.max(0, this.#rowsOf(item).length - 1) };
  }

  #next({ item, row }: Spot): Spot | undefined {
    if (row + 1 < this.#rowsOf(item).length) return { item, row: row + 1 };
    return item + 1 < this.#options.source.count ? { item: item + 1, row: 0 } : undefined;
  }

  #previous({ item, row }: Spot): Spot | undefined {
    if (row > 0) return { item, row: row - 1 };
    if (item === 0) return undefined;
    return { item: item - 1, row: this.#rowsOf(item - 1).length - 1 };
  }

  #rowsOf(item: number): readonly string[] {
    const before = this.#laidOut.get(item);
    if (before !== undefined) return before;
    const { source } = this.#options;
    const { wrap = wrapText } = source;
    const rows = (source.open(item) ?? []).flatMap((line) => wrap(line, this.#columns - 1));
    const own = rows.length === 0 ? [""] : rows;
    this.#laidOut.set(item, own);
    return own;
  }

  #bar(columns: number): string {
    const { ink, source, note } = this.#options;
    if (this.#search?.isTyping === true) return cutToWidth(`/${this.#search.text}`, columns - 1);
    const place = `${this.#top.item + 1} of ${source.count}`;
    const keys = "↑ ↓ Space b · n N item · / search · q back";
    const said = [this.#said, note(), place, keys].filter((part) => part !== "").join(" · ");
    return ink.dim(cutToWidth(said, columns - 1));
  }
}
