/** The terminal as it is drawn on: the tail, the viewer over it, and the times at which the terminal is somebody else's. */
import { Flow } from "./flow.ts";
import { Frame, type Size, type Tail } from "./frame.ts";
import { isSame, Painter, type Resizing } from "./painter.ts";
import type { Tty } from "./tty.ts";
import type { Viewer } from "./viewer.ts";

export type StageOptions = {
  tty: Tty;
  /** The tail as it is to be now. */
  compose(size: Size): Tail;
  /** Text for the scrollback since the last call. */
  finished(columns: number): string;
  /** In how many milliseconds something changes by itself. */
  moves(): number | undefined;
  /** Stop this program as Ctrl+Z does; resolves when it goes on. */
  stop(): Promise<void>;
  now(): number;
};

/** Down and to the first cell, wherever the cursor is: the rows of the old size say nothing any more. */
const TO_FRESH_ROW = "\x1b[999;1H\r\n";

export class Stage {
  readonly #options: StageOptions;
  readonly #flow: Flow;
  readonly #frame: Frame;
  readonly #painter: Painter;
  #viewer: Viewer | undefined;
  #isAway = false;
  /** Whether the cursor is being asked for, which a frame would move. */
  #isTurning = false;
  #wasResized = false;
  #isClosed = false;

  constructor(options: StageOptions) {
    this.#options = options;
    const { tty, now } = options;
    this.#flow = new Flow({
      write: (text, drawn) => tty.write(text, drawn),
      answerMs: () => tty.answerMs,
      ready: () => this.#painter.request(),
      now,
    });
    this.#frame = new Frame((text) => this.#flow.write(text));
    this.#painter = new Painter({
      size: () => tty.size(),
      mayDraw: () => this.#flow.mayDraw(),
      draw: (size) => this.#draw(size),
      resized: (size, how) => this.#resized(size, how),
      agrees: (size) => this.#agrees(size),
      moves: () => this.#viewer !== undefined || this.#isAway ? undefined : options.moves(),
      now,
    });
  }

  get size(): Size {
    return this.#painter.size;
  }

  get viewer(): Viewer | undefined {
    return this.#viewer;
  }

  /** Whether the terminal is somebody else's: an editor's, or the shell's while we are stopped. */
  get isAway(): boolean {
    return this.#isAway;
  }

  open(): void {
    this.#options.tty.enter();
    this.#painter.flush();
  }

  /** Something changed; or a piece of a reply has arrived. */
  request(isArriving = false): void {
    this.#painter.request(isArriving);
  }

  /** Whole lines for the scrollback, below everything that is finished so far. */
  commit(text: string): void {
    this.#takeFinished();
    this.#frame.commit(text);
    this.#painter.request();
  }

  /** Begin on an empty screen: what stands there is scrolled out of sight, and not a line of it is cleared. */
  async turnPage(): Promise<void> {
    const { tty } = this.#options;
    this.closeViewer();
    this.#takeFinished();
    this.#frame.clear();
    this.#isTurning = true;
    const cursor = await tty.cursor();
    this.#isTurning = false;
    const { rows } = this.#painter.size;
    const above = Math.min(rows - 1, cursor?.row ?? rows - 1);
    if (!this.#isAway) tty.write(`\x1b[${rows};1H${"\n".repeat(above)}\x1b[H`);
    this.#frame.forget();
    this.#painter.request();
  }

  /** Draw the tail anew, over whatever stands there. */
  redraw(): void {
    this.#frame.redraw();
    this.#painter.request();
  }

  /** The window was resized. */
  resize(): void {
    if (this.#viewer !== undefined || this.#isAway) this.#wasResized = true;
    this.#painter.resize();
  }

  /** Put the viewer over everything. What is finished meanwhile is written when it is closed. */
  openViewer(viewer: Viewer): void {
    if (this.#viewer === undefined) {
      this.#frame.clear();
      this.#options.tty.alternate(true);
    }
    this.#viewer = viewer;
    this.#painter.request();
  }

  closeViewer(): void {
    if (this.#viewer === undefined) return;
    this.#viewer = undefined;
    this.#options.tty.alternate(false);
    this.#comeBack();
  }

  /** Lend the terminal to another program. */
  async lend<T>(body: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await this.#options.tty.lend(body);
    } finally {
      this.#isAway = false;
      this.#comeBack();
    }
  }

  /** Give the terminal back to the shell until the program goes on. */
  async suspend(): Promise<void> {
    if (this.#isAway) return;
    this.closeViewer();
    this.#leave();
    await this.#options.tty.settled();
    this.#options.tty.restore();
    try {
      await this.#options.stop();
    } finally {
      this.#isAway = false;
      this.#options.tty.enter();
      this.#comeBack();
    }
  }

  /** The program was stopped and goes on, and not by us: the terminal may be in any mode. */
  resume(): void {
    if (this.#isAway || this.#isClosed) return;
    this.#options.tty.restore();
    this.#options.tty.enter();
    this.#comeBack();
  }

  /** Take the tail off the screen and give the terminal back. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#painter.stop();
    this.#flow.close();
    this.#options.tty.alternate(false);
    this.#takeFinished();
    if (!this.#isAway) this.#frame.clear();
    this.#options.tty.close();
  }

  #leave(): void {
    this.#takeFinished();
    this.#frame.clear();
    this.#isAway = true;
  }

  /** The cursor stands on a fresh row; if the window has another size now, nobody knows where. */
  #comeBack(): void {
    if (this.#wasResized) this.#options.tty.write(TO_FRESH_ROW);
    this.#wasResized = false;
    this.#flow.forget();
    this.#frame.forget();
    this.#painter.request();
  }

  #draw(size: Size): void {
    if (this.#isAway || this.#isTurning) return;
    if (this.#viewer !== undefined) {
      this.#flow.write(this.#viewer.draw(size));
      return;
    }
    this.#takeFinished();
    this.#frame.draw(this.#options.compose(size), this.#flow.room);
    if (this.#frame.hasFinished) this.#painter.request();
  }

  async #resized(size: Size, { isCut, mayWait }: Resizing): Promise<boolean> {
    const { tty } = this.#options;
    const isHere = this.#viewer === undefined && !this.#isAway;
    const seen = isHere ? await tty.place() : {};
    if (mayWait && seen.size !== undefined && !isSame(seen.size, size)) return false;
    this.#frame.resized(size, {
      cursor: seen.cursor,
      isCut,
      shiftsCursor: tty.shiftsCursor,
    });
    return true;
  }

  async #agrees(size: Size): Promise<boolean> {
    const { tty } = this.#options;
    if (tty.answerMs === undefined || this.#viewer !== undefined || this.#isAway) return false;
    const seen = await tty.place();
    return seen.size !== undefined && isSame(seen.size, size);
  }

  #takeFinished(): void {
    const text = this.#options.finished(this.#painter.size.columns);
    if (text !== "") this.#frame.commit(text);
  }
}
