/** A terminal in memory (@xterm/headless) as the device of a screen: what is written is drawn, what is typed is read. */
import xterm from "@xterm/headless";
import type { Device } from "@/terminal/full/tty.ts";
import { PATIENCE_MS } from "./until.ts";

export type TestTerminalOptions = { columns?: number; rows?: number; scrollback?: number };

export class TestTerminal {
  readonly device: Device;
  /** Everything that was written. */
  written = "";
  isRaw = false;
  readonly #term: InstanceType<typeof xterm.Terminal>;
  readonly #unread: Uint8Array[] = [];
  #reader: ((bytes: Uint8Array | null) => void) | undefined;
  #isGone = false;
  /** What it has answered and what is still on its way; undefined while nothing is held back. */
  #heldAnswers: string[] | undefined;
  /** The size as the system knows it. */
  #told: { columns: number; rows: number };

  constructor({ columns = 80, rows = 24, scrollback = 5_000 }: TestTerminalOptions = {}) {
    this.#told = { columns, rows };
    this.#term = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback,
      allowProposedApi: true,
    });
    // The terminal answers questions about itself like a real one.
    this.#term.onData((text) => this.#heldAnswers?.push(text) ?? this.send(text));
    this.device = {
      write: (text) => {
        this.written += text;
        this.#term.write(text);
      },
      setRaw: (on) => {
        this.isRaw = on;
      },
      read: (buffer) => this.#read(buffer),
      size: () => this.#told,
      env: () => undefined,
    };
  }

  /** Bytes as a keyboard sends them. */
  send(text: string): void {
    this.#push(new TextEncoder().encode(text));
  }

  /** From now on its answers are on their way until `letThrough`, as over a slow line. */
  hold(): void {
    this.#heldAnswers = [];
  }

  /** What is on its way arrives; the next answers are held back again. */
  letThrough(): void {
    for (const text of this.#heldAnswers?.splice(0) ?? []) this.send(text);
  }

  /** The terminal goes away. */
  hangUp(): void {
    this.#isGone = true;
    this.#reader?.(null);
  }

  resize(columns: number, rows: number): void {
    this.#term.resize(columns, rows);
    this.#told = { columns, rows };
  }

  /** The same, and the system does not know of it yet, as when a window in tmux is dragged; `tell` makes it known. */
  resizeUntold(columns: number, rows: number): void {
    this.#term.resize(columns, rows);
  }

  tell(): void {
    this.#told = { columns: this.#term.cols, rows: this.#term.rows };
  }

  /** Wait until everything is drawn that was written, and the screen has had time for a frame. */
  async settle(ms = 60): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await this.drawn();
  }

  drawn(): Promise<void> {
    return new Promise((resolve) => this.#term.write("", () => resolve()));
  }

  /** The rows in sight, without blanks at their ends, and without empty rows at the bottom. */
  screen(): string {
    const { viewportY } = this.#buffer();
    return this.#rows(viewportY, viewportY + this.#term.rows);
  }

  /** Everything, with what was scrolled out of sight. */
  all(): string {
    return this.#rows(0, this.#buffer().length);
  }

  /** Where the cursor stands, from 0, and what row of text it stands on. */
  cursor(): { column: number; row: number; line: string } {
    const { cursorX, cursorY, baseY } = this.#buffer();
    const line = this.#buffer().getLine(baseY + cursorY)?.translateToString(true) ?? "";
    return { column: cursorX, row: cursorY, line };
  }

  /** The column of the cursor, and what stands in its row in front of it. */
  beforeCursor(): { column: number; before: string } {
    const { cursorX, cursorY, baseY } = this.#buffer();
    const line = this.#buffer().getLine(baseY + cursorY);
    return { column: cursorX, before: line?.translateToString(false, 0, cursorX) ?? "" };
  }

  get isAlternate(): boolean {
    return this.#buffer().type === "alternate";
  }

  get modes(): { bracketedPasteMode: boolean; sendFocusMode: boolean } {
    return this.#term.modes;
  }

  /** Wait until the screen matches. */
  async until(pattern: RegExp): Promise<string> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      await this.settle(10);
      const seen = this.screen();
      if (pattern.test(seen)) return seen;
      if (performance.now() > end) {
        throw new Error(`${pattern} did not appear within ${PATIENCE_MS} ms:\n${seen}`);
      }
    }
  }

  #buffer() {
    return this.#term.buffer.active;
  }

  #rows(from: number, to: number): string {
    const rows: string[] = [];
    for (let at = from; at < to; at++) {
      rows.push(this.#buffer().getLine(at)?.translateToString(true).trimEnd() ?? "");
    }
    return rows.join("\n").replace(/\n+$/, "");
  }

  #push(bytes: Uint8Array): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) this.#unread.push(bytes);
    else reader(bytes);
  }

  async #read(buffer: Uint8Array): Promise<number | null> {
    if (this.#isGone) return null;
    const bytes = this.#unread.shift() ??
      await new Promise<Uint8Array | null>((resolve) => {
        this.#reader = resolve;
      });
    if (bytes === null) return null;
    const taken = bytes.subarray(0, buffer.length);
    buffer.set(taken);
    if (taken.length < bytes.length) this.#unread.unshift(bytes.subarray(taken.length));
    return taken.length;
  }
}
