/**
 * A choice that the program asks for (a model, a session, a setting): a card above the input that takes the keyboard while
 * it is up and leaves nothing behind. Whoever asked is answered whichever way it ends.
 */
import { cutToWidth } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import { wrapText } from "@/lib/wrap.ts";
import { ChoiceList, type ChoiceRow } from "./choice_list.ts";
import type { Inks } from "./ink.ts";
import type { Panel, PanelKey } from "./panel.ts";

/** One value beside the rows, turned by the left and right arrows. */
export type Dial = { label: string; options: readonly string[]; current: number };

/** A key and what it does with the chosen row. The first one is Enter's. */
export type PickAction = { key: string; label: string };

/** What is asked. */
export type Picking = {
  title: string;
  /** One sentence below it. */
  text?: string;
  rows: readonly ChoiceRow[];
  /** The row that is chosen at first. */
  current?: number;
  dial?: Dial;
  actions?: readonly PickAction[];
};

/** The answer: indexes into what was asked. */
export type Picked =
  | { isCancelled: true }
  | { isCancelled: false; row: number; dial: number; action: number };

const ENTER: PickAction = { key: "enter", label: "take it" };

export class Picker implements Panel {
  readonly field = undefined;
  readonly #pick: Picking;
  readonly #ink: Inks;
  readonly #settle: (picked: Picked) => void;
  readonly #list: ChoiceList;
  readonly #actions: readonly PickAction[];
  #dial: number;

  constructor(pick: Picking, { ink, settle }: { ink: Inks; settle(picked: Picked): void }) {
    this.#pick = pick;
    this.#ink = ink;
    this.#settle = settle;
    this.#list = new ChoiceList(pick.rows, { chosen: pick.current ?? 0, ink });
    this.#actions = pick.actions?.length ? pick.actions : [ENTER];
    this.#dial = pick.dial?.current ?? 0;
  }

  rows(columns: number, rowsMax: number): readonly string[] {
    const { title, text = "" } = this.#pick;
    const head = cutToWidth(`${this.#ink.ask("◆")} ${this.#ink.bold(visible(title))}`, columns - 1);
    const dial = this.#dialRow(columns);
    const keys = cutToWidth(this.#ink.dim(`  ${this.#keys()}`), columns - 1);
    const room = rowsMax - 2 - dial.length;
    // The sentence is the first to give way when the window is short.
    const sentence = text === ""
      ? []
      : wrapText(visible(text), columns - 3).map((row) => this.#ink.dim(`  ${row}`));
    const fits = room - sentence.length >= Math.min(3, this.#pick.rows.length);
    const list = this.#list.rows(columns, Math.max(1, room - (fits ? sentence.length : 0)));
    return [head, ...(fits ? sentence : []), ...list, ...dial, keys];
  }

  press(key: PanelKey): boolean {
    const action = key.action === "send"
      ? 0
      : this.#actions.findIndex((one) => one.key === key.name);
    if (action >= 0) {
      this.#act(action);
      return true;
    }
    if (this.#list.press(key) !== "other") return true;
    const count = this.#pick.dial?.options.length ?? 0;
    const step = key.action === "dialLeft" ? count - 1 : key.action === "dialRight" ? 1 : 0;
    if (count > 0) this.#dial = (this.#dial + step) % count;
    return step > 0;
  }

  submit(): void {
    this.#act(0);
  }

  back(): void {
    this.#settle({ isCancelled: true });
  }

  cancel(): void {
    this.#settle({ isCancelled: true });
  }

  whole(): readonly string[] {
    return [
      this.#pick.title,
      ...(this.#pick.text === undefined ? [] : [this.#pick.text]),
      ...this.#pick.rows.map(({ label, detail = "" }, at) => `${at + 1}. ${label}  ${detail}`),
    ].map((line) => visible(line));
  }

  #act(action: number): void {
    if (action < 0 || this.#pick.rows.length === 0) return;
    this.#settle({ isCancelled: false, row: this.#list.chosen, dial: this.#dial, action });
  }

  #dialRow(columns: number): readonly string[] {
    const { dial } = this.#pick;
    if (dial === undefined || dial.options.length === 0) return [];
    const value = visible(`${dial.label}: ${dial.options[this.#dial] ?? ""}`, { oneLine: true });
    return [
      cutToWidth(`  ● ${this.#ink.chosen(value)}   ${this.#ink.dim("←/→ to change")}`, columns - 1),
    ];
  }

  #keys(): string {
    const [first = ENTER, ...more] = this.#actions;
    return [
      `Enter ${first.label}`,
      ...more.map(({ key, label }) => `${key} ${label}`),
      "Esc cancel",
    ].join(" · ");
  }
}
