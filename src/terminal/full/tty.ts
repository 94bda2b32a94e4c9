/**
 * The terminal as a device: raw mode, its input, its size, and giving it back as it was found. `restore` is one
 * synchronous step that every way out of the program goes through.
 */
import type { Place, Size } from "./frame.ts";
import type { Input } from "./keys.ts";
import { KeyReader } from "./keys.ts";

/** What of the process is used; tests bring their own. */
export type Device = {
  write(text: string): void;
  setRaw(on: boolean): void;
  /** The next bytes; null at the end of input. */
  read(buffer: Uint8Array): Promise<number | null>;
  /** Throws where it cannot be told. */
  size(): Size;
  env(name: string): string | undefined;
};

/** What the letters stand on. */
export type Ground = "dark" | "light";

const FALLBACK: Size = { columns: 80, rows: 24 };
const SMALLEST: Size = { columns: 10, rows: 3 };

/** Bracketed paste and focus. */
const ENTER = "\x1b[?2004h\x1b[?1004h";
/** Asked without waiting: kitty's keyboard flags, which terminal it is, and last what every terminal answers. */
const ASK = "\x1b[?u\x1b[>c\x1b[c";
/** The colour of the ground, where there are enough colours for the answer to matter. */
const ASK_GROUND = "\x1b]11;?\x1b\\";
const GROUND = /^\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i;
const MANY_COLOURS = /256color|direct|kitty|ghostty|alacritty/;
/** What xterm.js says of itself (VS Code and others). */
const XTERM_JS = "[>0;276;0c";
const KITTY_ON = "\x1b[>1u";
const KITTY_OFF = "\x1b[<u";
/** Level 1 of xterm's own way to tell Shift+Enter from Enter. */
const MODIFIED_ON = "\x1b[>4;1m";
const MODIFIED_OFF = "\x1b[>4m";
/** Ends a synchronised update, wraps again, ends styles, bracketed paste and focus reports, shows the cursor. */
const LEAVE = "\x1b[?2026l\x1b[?7h\x1b[0m\x1b[?2004l\x1b[?1004l\x1b[?25h";
const ALTERNATE_ON = "\x1b[?1049h\x1b[H";
const ALTERNATE_OFF = "\x1b[?1049l";
/** Asks for a sign of life, which ends a read that is under way. */
const PING = "\x1b[5n";
const ASK_CURSOR = "\x1b[6n";
/** The cursor in the last cell, to ask where that is, and back again. */
const ASK_CORNER = "\x1b7\x1b[999;999H\x1b[6n\x1b8";
const CURSOR = /^\[\d+;\d+R$/;
const ALIVE = /^\[0n$/;
/** How long an answer is waited for: so much, or so many times as long as the first one took. */
const ANSWER_MS = 200;
const ANSWER_MS_MAX = 2_000;
const ANSWER_TIMES = 3;
/** Answers that are not there yet; a terminal that owes more gives none. */
const EXPECTED_MAX = 256;

/** One terminal. */
export class Tty {
  onInput: (input: Input) => void = () => {};
  /** The end of input: the terminal is gone. */
  onEnd: () => void = () => {};
  readonly #device: Device;
  readonly #keys: KeyReader;
  #isIn = false;
  /** It is about to be given back: nothing is asked any more, until it is taken again. */
  #settling: Promise<void> | undefined;
  #isClosed = false;
  #isReading = false;
  /** Whether a read is under way in the system: whatever is typed goes to it. */
  #isReadPending = false;
  #keyboard: "asked" | "kitty" | "modified" | "plain" = "plain";
  #isAlternate = false;
  #isXtermJs = false;
  #ground: Ground | undefined;
  /** Resolves when reading may go on; undefined while it may. */
  #pause: PromiseWithResolvers<void> | undefined;
  /**
   * The answers that are still to come. They come in the order of the questions, over a slow line long after nobody waits for
   * them any more: none of them is the answer to a later question.
   */
  #expected: { answer: RegExp; take(text: string): void }[] = [];
  #enteredAt = 0;
  #answerMs: number | undefined;
  /** The terminal is gone: it gives no answer any more. */
  readonly #over = Promise.withResolvers<void>();
  #unread: Input[] = [];
  #isListening = false;

  constructor(device: Device) {
    this.#device = device;
    this.#keys = new KeyReader((input) => this.#take(input));
  }

  /** Take the terminal. Never throws for one that is gone: its end is told. */
  enter(): void {
    if (this.#isIn || this.#isClosed) return;
    try {
      this.#device.setRaw(true);
    } catch (error) {
      // A hang-up comes with SIGCONT, at which the terminal is taken anew.
      if (!(error instanceof Error)) throw error;
      return this.onEnd();
    }
    this.#isIn = true;
    this.#settling = undefined;
    this.#keyboard = "asked";
    this.#enteredAt = performance.now();
    this.#device.write(ENTER + (this.#hasManyColours() ? ASK_GROUND : "") + ASK);
    if (!this.#isReading) void this.#read();
  }

  /** Give it back. Does nothing a second time; never throws for a terminal that is gone. */
  restore(): void {
    if (!this.#isIn) return;
    this.#isIn = false;
    this.#expected = [];
    const keyboard = { kitty: KITTY_OFF, modified: MODIFIED_OFF, asked: "", plain: "" };
    const alternate = this.#isAlternate ? ALTERNATE_OFF : "";
    this.#isAlternate = false;
    this.#device.write(alternate + keyboard[this.#keyboard] + LEAVE);
    this.#keyboard = "plain";
    try {
      this.#device.setRaw(false);
    } catch (error) {
      // After a hang-up there is no mode to set any more.
      if (!(error instanceof Error)) throw error;
    }
  }

  /** Give it back for good. */
  close(): void {
    this.restore();
    this.#isClosed = true;
    this.#keys.close();
    this.#pause?.resolve();
  }

  /** Hand over what was typed so far, and everything from now on as it comes. */
  listen(take: (input: Input) => void): void {
    this.onInput = take;
    this.#isListening = true;
    for (const input of this.#unread.splice(0)) take(input);
  }

  /**
   * Write a frame. Nothing is written to a terminal that was given back. With `drawn`, the terminal is asked for a sign of
   * life behind it, and `drawn` is called when it answers; not any more once it is being given back.
   */
  write(text: string, drawn?: () => void): void {
    if (!this.#isIn) return;
    const isAsked = drawn !== undefined && this.#settling === undefined;
    if (isAsked) this.#expect(ALIVE, drawn);
    this.#device.write(isAsked ? text + PING : text);
  }

  /** How long the terminal took for its first answer, in ms; undefined while it has given none. */
  get answerMs(): number | undefined {
    return this.#answerMs;
  }

  /**
   * Resolves when no answer is on its way any more: what came later would be typed into whatever reads next. What is written
   * from now on asks for none, until the terminal is taken again.
   */
  settled(): Promise<void> {
    // Whoever else waits asks no second time: that answer would come when the first has given the terminal back.
    this.#settling ??= this.#lastAnswer();
    return this.#settling;
  }

  async #lastAnswer(): Promise<void> {
    const isFresh = performance.now() - this.#enteredAt < ANSWER_MS_MAX;
    const mayAnswer = (this.#keyboard === "asked" && isFresh) ||
      (this.#answerMs !== undefined && this.#expected.length > 0);
    if (this.#isIn && this.#isReading && mayAnswer) await this.#answers(PING, ALIVE);
  }

  size(): Size {
    try {
      const { columns, rows } = this.#device.size();
      if (columns > 0 && rows > 0) return usable({ columns, rows });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
    // A pseudo-terminal without a size says 0 by 0.
    return {
      columns: Number(this.#device.env("COLUMNS")) || FALLBACK.columns,
      rows: Number(this.#device.env("LINES")) || FALLBACK.rows,
    };
  }

  get isAlternate(): boolean {
    return this.#isAlternate;
  }

  /** Whether the terminal is dark or light; undefined while it has not said so. */
  get ground(): Ground | undefined {
    return this.#ground;
  }

  #hasManyColours(): boolean {
    const { env } = this.#device;
    return (env("COLORTERM") ?? "") !== "" || MANY_COLOURS.test(env("TERM") ?? "");
  }

  /** Whether rows below the cursor that are wrapped on a resize move the cursor down, as in xterm.js 6. */
  get shiftsCursor(): boolean {
    return this.#isXtermJs;
  }

  /** Go to the alternate screen, or back. */
  alternate(on: boolean): void {
    if (on === this.#isAlternate || !this.#isIn) return;
    this.#isAlternate = on;
    this.#device.write(on ? ALTERNATE_ON : ALTERNATE_OFF);
  }

  /**
   * Lend the terminal to another program: given back, and nothing read from it until `body` is done. A read that is under
   * way would take that program's first keys, so the terminal is asked for an answer that ends it.
   */
  async lend<T>(body: () => Promise<T>): Promise<T> {
    const pause = Promise.withResolvers<void>();
    this.#pause = pause;
    // A key that asked for this was read just now, and the next read has not begun.
    if (this.#isReadPending) await this.#answers(PING, ALIVE);
    this.restore();
    try {
      return await body();
    } finally {
      this.#pause = undefined;
      this.enter();
      pause.resolve();
    }
  }

  /** Where the cursor stands on the screen, from 0; undefined when the terminal does not say. */
  async cursor(): Promise<Place | undefined> {
    const [text] = await this.#answers(ASK_CURSOR, CURSOR);
    return placeOf(text);
  }

  /**
   * The same, and how large the screen is to the terminal itself: tmux 3.3a wraps anew what it holds up to 250 ms before it
   * tells the system.
   */
  async place(): Promise<{ cursor?: Place | undefined; size?: Size | undefined }> {
    const [text, last] = await this.#answers(ASK_CURSOR + ASK_CORNER, CURSOR, 2);
    const corner = placeOf(last);
    return {
      cursor: placeOf(text),
      size: corner && usable({ columns: corner.column + 1, rows: corner.row + 1 }),
    };
  }

  /** Ask the terminal something, and wait for its answers for a moment: those that came. */
  async #answers(question: string, answer: RegExp, count = 1): Promise<readonly string[]> {
    if (this.#settling !== undefined) return [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const came: string[] = [];
    const take = (text: string) => {
      if (came.push(text) === count) resolve();
    };
    for (let asked = 0; asked < count; asked++) this.#expect(answer, take);
    const usualMs = ANSWER_TIMES * (this.#answerMs ?? 0);
    const timer = setTimeout(resolve, Math.min(Math.max(ANSWER_MS, usualMs), ANSWER_MS_MAX));
    this.write(question);
    await Promise.race([promise, this.#over.promise]);
    clearTimeout(timer);
    return [...came];
  }

  #expect(answer: RegExp, take: (text: string) => void): void {
    if (this.#expected.length >= EXPECTED_MAX) this.#expected.shift();
    this.#expected.push({ answer, take });
  }

  /** Whether a report was one that is expected. Those before it were never given. */
  #isAnswer(text: string): boolean {
    const at = this.#expected.findIndex(({ answer }) => answer.test(text));
    if (at < 0) return false;
    const asked = this.#expected[at];
    this.#expected.splice(0, at + 1);
    asked?.take(text);
    return true;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const buffer = new Uint8Array(64 * 1024);
    while (!this.#isClosed) {
      await this.#pause?.promise;
      const count = await this.#next(buffer);
      if (count === null) break;
      this.#keys.feed(buffer.subarray(0, count));
    }
    this.#isReading = false;
    this.#over.resolve();
    if (!this.#isClosed) this.onEnd();
  }

  async #next(buffer: Uint8Array): Promise<number | null> {
    this.#isReadPending = true;
    try {
      return await this.#device.read(buffer);
    } catch (error) {
      // A terminal that went away answers EIO: it is the end of input.
      if (error instanceof Error) return null;
      throw error;
    } finally {
      this.#isReadPending = false;
    }
  }

  #take(input: Input): void {
    if (input.type === "report") {
      this.#report(input.text);
      return;
    }
    if (this.#isListening) this.onInput(input);
    else this.#unread.push(input);
  }

  #report(text: string): void {
    if (this.#isAnswer(text)) return;
    if (this.#keyboard === "asked") this.#answerMs ??= performance.now() - this.#enteredAt;
    if (text === XTERM_JS) {
      this.#isXtermJs = true;
    } else if (GROUND.test(text)) {
      this.#ground = groundOf(text);
    } else if (/^\[\?\d+u$/.test(text) && this.#keyboard === "asked") {
      this.#keyboard = "kitty";
      this.write(KITTY_ON);
    } else if (/^\[\?[\d;]*c$/.test(text) && this.#keyboard === "asked") {
      // It answered, and not to the first question.
      this.#keyboard = "modified";
      this.write(MODIFIED_ON);
    } else {
      this.onInput({ type: "report", text });
    }
  }
}

/** A size that something can be drawn in. */
function usable({ columns, rows }: Size): Size {
  return {
    columns: Math.max(SMALLEST.columns, columns),
    rows: Math.max(SMALLEST.rows, rows),
  };
}

/** Of a report of the cursor; from 0. */
function placeOf(report: string | undefined): Place | undefined {
  const [row, column] = (report ?? "").match(/\d+/g) ?? [];
  if (row === undefined || column === undefined) return undefined;
  return { row: Number(row) - 1, column: Number(column) - 1 };
}

/** Of a colour as X names it, its luminance by the weights of Rec. 601. */
function groundOf(report: string): Ground | undefined {
  const [red, green, blue] = (GROUND.exec(report) ?? []).slice(1)
    .map((part) => parseInt(part, 16) / (16 ** part.length - 1));
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 ? "dark" : "light";
}

/** The terminal of this process. `write` is the one writer to standard output. */
export function processDevice(
  { write, env }: Pick<Device, "write" | "env">,
): Device {
  return {
    write,
    setRaw: (on) => Deno.stdin.setRaw(on),
    read: (buffer) => Deno.stdin.read(buffer),
    size: () => Deno.consoleSize(),
    env,
  };
}
