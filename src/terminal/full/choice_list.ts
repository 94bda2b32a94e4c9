/** A list of numbered rows with one chosen: pickers, reaches of an "always" and the options of a question. */
import { cutToWidth, textWidth } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import type { Inks } from "./ink.ts";
import type { PanelKey } from "./panel.ts";

/** A row. `isCurrent` marks what is in force now. */
export type ChoiceRow = { label: string; detail?: string; isCurrent?: boolean };

/** A move that was made, or the row that a number chose. */
export type ListStep = "moved" | "taken" | "other";

export class ChoiceList {
  readonly #rows: readonly ChoiceRow[];
  readonly #ink: Inks;
  chosen: number;
  #top = 0;
  #page = 1;

  constructor(rows: readonly ChoiceRow[], { chosen = 0, ink }: { chosen?: number; ink: Inks }) {
    this.#rows = rows;
    this.#ink = ink;
    this.chosen = Math.max(0, Math.min(rows.length - 1, chosen));
  }

  /** Arrows and pages move; a number that names a row chooses it. */
  press({ action, text }: PanelKey): ListStep {
    const last = this.#rows.length - 1;
    const number = /^[1-9]$/.test(text) ? Number(text) : 0;
    if (number > 0 && number <= this.#rows.length) {
      this.chosen = number - 1;
      return "taken";
    }
    const to = (row: number): ListStep => {
      this.chosen = Math.max(0, Math.min(last, row));
      return "moved";
    };
    switch (action) {
      case "up":
        return to(this.chosen === 0 ? last : this.chosen - 1);
      case "down":
        return to(this.chosen === last ? 0 : this.chosen + 1);
      case "pageUp":
        return to(this.chosen - this.#page);
      case "pageDown":
        return to(this.chosen + this.#page);
      case "first":
        return to(0);
      case "last":
        return to(last);
      default:
        return "other";
    }
  }

  /** The rows around the chosen one. */
  rows(columns: number, rowsMax: number): readonly string[] {
    const count = this.#rows.length;
    const room = Math.max(1, rowsMax);
    const shown = count > room ? Math.max(1, room - 1) : count;
    this.#page = shown;
    this.#top = Math.min(Math.max(this.#top, this.chosen - shown + 1), this.chosen, count - shown);
    const labelWidth = Math.max(0, ...this.#rows.map((row) => textWidth(labelOf(row))));
    const rows = this.#rows.slice(this.#top, this.#top + shown).map((row, at) =>
      this.#row(row, this.#top + at, { columns, labelWidth })
    );
    if (shown === count || room === 1) return rows;
    return [...rows, this.#ink.dim(`    … ${this.#top + 1} to ${this.#top + shown} of ${count}`)];
  }

  #row(
    row: ChoiceRow,
    index: number,
    { columns, labelWidth }: { columns: number; labelWidth: number },
  ): string {
    const isChosen = index === this.chosen;
    const number = `${index + 1}.`.padStart(`${this.#rows.length}.`.length);
    const label = labelOf(row);
    const detail = visible(row.detail ?? "", { oneLine: true });
    const gap = detail === "" ? "" : " ".repeat(Math.max(2, labelWidth - textWidth(label) + 2));
    const text = `${isChosen ? "›" : " "} ${number} ${label}`;
    const line = `${isChosen ? this.#ink.chosen(text) : text}${gap}${this.#ink.dim(detail)}`;
    return cutToWidth(`  ${line}`, columns - 1);
  }
}

function labelOf({ label, isCurrent }: ChoiceRow): string {
  return `${visible(label, { oneLine: true })}${isCurrent === true ? " ✓" : ""}`;
}
