/** The menus that open while one types: `/` lists the commands, `@` the real directory. */
import { cutToWidth, textWidth } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import type { Inks } from "./ink.ts";

/** One item: what is shown, what is said about it, and what it puts in the place of what was typed. */
export type Choice = {
  label: string;
  detail: string;
  /** Without the character that opened the menu. */
  insert: string;
  /** There is more behind it (a directory): the menu stays open. */
  goesOn?: boolean;
};

/** Where the items come from. */
export type Sources = {
  /** All commands, in the order of `/help`. */
  commands(): readonly Choice[];
  /** Entries of the directory that a path prefix stands in, sorted, which the tools may see. */
  paths(prefix: string, signal: AbortSignal): Promise<readonly Choice[]>;
};

/** What to put where in the text. */
export type Edit = { start: number; end: number; text: string; goesOn: boolean };

type Menu = {
  kind: "/" | "@";
  start: number;
  end: number;
  typed: string;
  items: readonly Choice[];
};

const ITEMS_MAX = 200;
const ROWS_MAX = 8;
const LABEL_CELLS_MAX = 40;

/** A menu below the text that is typed, and what is chosen in it. */
export class Completion {
  readonly #sources: Sources;
  readonly #changed: () => void;
  #menu: Menu | undefined;
  #chosen = 0;
  #top = 0;
  /** Whether the person has moved in the menu since it opened. */
  #wasMoved = false;
  /** The text for which the person closed the menu: it stays closed until the text is another one. */
  #closedFor: string | undefined;
  #loading: AbortController | undefined;

  /** `changed` is told when items have arrived later. */
  constructor(sources: Sources, changed: () => void) {
    this.#sources = sources;
    this.#changed = changed;
  }

  get isOpen(): boolean {
    return this.#menu !== undefined;
  }

  /** The text or the caret changed. */
  update(text: string, caret: number): void {
    this.#loading?.abort();
    const word = wordAt(text, caret);
    if (word === undefined || this.#closedFor === text) {
      this.#menu = undefined;
      return;
    }
    this.#closedFor = undefined;
    if (word.kind === "/") {
      const typed = word.typed.toLowerCase();
      const items = this.#sources.commands().filter(({ insert }) =>
        insert.toLowerCase().startsWith(typed)
      );
      this.#open({ ...word, items });
    } else {
      void this.#load(word);
    }
  }

  /** Open the menu although nothing says so (Tab): whether there is one to open. */
  reopen(text: string, caret: number): boolean {
    this.#closedFor = undefined;
    this.update(text, caret);
    return this.isOpen || this.#loading?.signal.aborted === false;
  }

  move(step: number): void {
    const count = this.#menu?.items.length ?? 0;
    if (count > 0) this.#chosen = (this.#chosen + step + count) % count;
    this.#wasMoved = true;
  }

  /** Close it for this text. */
  close(text: string): void {
    this.#loading?.abort();
    this.#menu = undefined;
    this.#closedFor = text;
  }

  /** What the chosen item puts in; undefined when the text says it already. */
  accept(): Edit | undefined {
    const menu = this.#menu;
    const item = menu?.items[this.#chosen];
    if (menu === undefined || item === undefined || item.insert === menu.typed) return undefined;
    return { ...editOf(menu, item), goesOn: item.goesOn === true };
  }

  /**
   * What a `/` does in the menu of a directory: it goes down into the one that is chosen, which the edit says, or does
   * nothing ("there") where it stands already. Undefined when it is to be typed like any other character.
   */
  descend(text: string, caret: number): Edit | "there" | undefined {
    const menu = this.#menu;
    if (menu?.kind !== "@" || wordAt(text, caret)?.typed !== menu.typed) return undefined;
    const isBehindOne = menu.typed.endsWith("/");
    if (isBehindOne && !this.#wasMoved) return "there";
    if (!isBehindOne && menu.items.some(({ insert }) => insert === `${menu.typed}/`)) {
      return undefined;
    }
    return menu.items[this.#chosen]?.goesOn === true ? this.accept() : undefined;
  }

  /** Rows of the menu, each shorter than `columns`. */
  rows(columns: number, ink: Inks): readonly string[] {
    const { items = [], kind = "/" } = this.#menu ?? {};
    const shown = Math.min(items.length, ROWS_MAX);
    this.#top = Math.min(
      Math.max(this.#top, this.#chosen - shown + 1),
      this.#chosen,
      items.length - shown,
    );
    const visibleItems = items.slice(this.#top, this.#top + shown);
    const labels = visibleItems.map(({ label }) =>
      cutToWidth(kind + visible(label), LABEL_CELLS_MAX)
    );
    const width = Math.max(0, ...labels.map(textWidth));
    const rows = visibleItems.map(({ detail }, at) => {
      const label = labels[at] ?? "";
      const gap = " ".repeat(width - textWidth(label) + 2);
      const isChosen = this.#top + at === this.#chosen;
      const name = isChosen ? ink.chosen(label) : label;
      return cutToWidth(
        `${isChosen ? "❯" : " "} ${name}${gap}${ink.dim(visible(detail, { oneLine: true }))}`,
        columns - 1,
      );
    });
    const left = items.length - shown;
    return left > 0 ? [...rows, ink.dim(`  … ${left} more`)] : rows;
  }

  async #load(word: Omit<Menu, "items">): Promise<void> {
    const loading = new AbortController();
    this.#loading = loading;
    const items = await this.#sources.paths(word.typed, loading.signal);
    if (loading.signal.aborted) return;
    this.#loading = undefined;
    this.#open({ ...word, items });
    this.#changed();
  }

  #open(menu: Menu): void {
    const isOnlyWhatIsTyped = menu.items.length === 1 && menu.items[0]?.insert === menu.typed &&
      menu.items[0].goesOn !== true;
    if (menu.items.length === 0 || (menu.kind === "@" && isOnlyWhatIsTyped)) {
      this.#menu = undefined;
      return;
    }
    this.#menu = { ...menu, items: menu.items.slice(0, ITEMS_MAX) };
    const exact = menu.items.findIndex(({ insert }) => insert === menu.typed);
    this.#chosen = Math.max(0, exact);
    this.#wasMoved = false;
    this.#top = 0;
  }
}

/** The command or path that the caret stands at the end of. */
function wordAt(text: string, caret: number): Omit<Menu, "items"> | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([\w-]*)$/.exec(before);
  if (command !== null && /^(?:\s|$)/.test(text.slice(caret))) {
    return { kind: "/", start: 0, end: caret, typed: command[1] ?? "" };
  }
  const path = /(?<!\S)@(?:"([^"\n]*)|([^\s"]*))$/u.exec(before);
  if (path === null) return undefined;
  return { kind: "@", start: path.index, end: caret, typed: path[1] ?? path[2] ?? "" };
}

function editOf({ kind, start, end }: Menu, { insert, goesOn }: Choice): Omit<Edit, "goesOn"> {
  if (kind === "/") return { start, end, text: `/${insert} ` };
  // A name with a blank ends at its closing quote; while there is more behind it, the quote stays open.
  const needsQuotes = /[\s"]/.test(insert);
  const text = needsQuotes ? `@"${insert}${goesOn === true ? "" : '" '}` : `@${insert}`;
  return { start, end, text: needsQuotes || goesOn === true ? text : `${text} ` };
}
