/** The tail as it is to be at this moment, put together from everything that has a part in it. */
import type { Driver } from "./driver.ts";
import type { Size, Tail } from "./frame.ts";
import type { Hint } from "./hint.ts";
import type { Inks } from "./ink.ts";
import type { InputArea } from "./input_area.ts";
import { TICK_MS } from "./painter.ts";
import type { Panels } from "./panels.ts";
import type { Progress } from "./progress.ts";
import type { Queue } from "./queue.ts";
import { RAIL_COLUMNS_MIN, railCount, railRows } from "./rail.ts";
import { cacheLeft, type StatusFold, statusLine } from "./status.ts";
import { activityRow, composeTail, sentRow } from "./tail.ts";
import type { TranscriptView } from "./transcript_face.ts";

export type SceneParts = {
  view(): TranscriptView | undefined;
  driver(): Driver;
  panels: Panels;
  area: InputArea;
  queue: Queue;
  progress: Progress;
  hint: Hint;
  status: StatusFold;
  ink: Inks;
};

/** How often a countdown is drawn. */
const COUNTDOWN_MS = 1_000;

export class Scene {
  readonly #parts: SceneParts;
  #isRailOpen = false;

  constructor(parts: SceneParts) {
    this.#parts = parts;
  }

  toggleRail(): void {
    this.#isRailOpen = !this.#isRailOpen;
  }

  /** In how many milliseconds something changes by itself; at rest never. */
  moves(): number | undefined {
    const { progress, view, driver, status } = this.#parts;
    if (progress.busyMs !== undefined || view()?.isAnimated() === true) return TICK_MS;
    const facts = driver().status(status.counts.contextTokens);
    return cacheLeft(facts, status.counts, Date.now()) > 0 ? COUNTDOWN_MS : undefined;
  }

  compose(size: Size): Tail {
    const { view, driver, panels, area, queue, progress, hint, ink } = this.#parts;
    const { columns } = size;
    const panel = panels.current;
    const { unseen } = progress;
    const sent = unseen === undefined ? [] : [sentRow(unseen, columns, ink)];
    const parts = {
      live: (rowsMax: number) => [...view()?.tail(columns, rowsMax - sent.length) ?? [], ...sent],
      panel: (rowsMax: number) => panel?.rows(columns, rowsMax) ?? [],
      notes: [
        ...queue.rows(columns, ink),
        ...railRows(driver().alive(), { columns, isOpen: this.#isRailOpen, ink }),
        ...area.rows(columns, ink),
      ],
      activity: this.#activity(),
      field: panel?.field === undefined
        ? { editor: area.editor, prompt: `${ink.you("❯")} ` }
        : { ...panel.field, prompt: `${panel.field.prompt}${ink.ask("❯")} ` },
      status: hint.text === "" ? this.#status(columns) : ink.ask(` ${hint.text}`),
    };
    return composeTail(parts, size, ink);
  }

  #status(columns: number): string {
    const { driver, status, ink } = this.#parts;
    const facts = driver().status(status.counts.contextTokens);
    // The rail of a narrow window is closed: that something waits is said here.
    const isClosed = columns < RAIL_COLUMNS_MIN && !this.#isRailOpen;
    const alive = isClosed ? railCount(driver().alive()) : "";
    const right = [alive, facts.right ?? ""].filter((text) => text !== "").join(" · ");
    return statusLine({ ...facts, right }, status.counts, { columns, ink, now: Date.now() });
  }

  #activity(): string {
    const { progress, panels, driver, ink } = this.#parts;
    const ms = progress.busyMs;
    if (ms === undefined) return "";
    const isWaiting = panels.current !== undefined;
    const canStop = !isWaiting && driver().isRunning();
    return activityRow({
      label: isWaiting ? "waiting for you" : workText(progress.retryMs),
      ms,
      hint: canStop ? "Esc interrupts" : "",
    }, ink);
  }
}

/** What is done; a request that is tried again counts down to it. */
function workText(retryMs: number | undefined): string {
  return retryMs === undefined ? "working" : `trying again in ${Math.ceil(retryMs / 1_000)} s`;
}
