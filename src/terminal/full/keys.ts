/**
 * What a terminal sends, read as keys, pastes and reports. Knows the old sequences, the kitty protocol (CSI u) and xterm's
 * modifyOtherKeys; an unknown sequence is swallowed whole, so that none of it is ever taken for typed text.
 */
import { functionKey, legacyKey, numberedKey, unicodeKey } from "./key_names.ts";

/** One thing that was sent. */
export type Input =
  /** A key by name ("enter", "ctrl+c", "alt+left"); `text` is what it writes, empty for most. */
  | { type: "key"; name: string; text: string }
  /** A bracketed paste, whole, as it came. */
  | { type: "paste"; text: string }
  /** An answer of the terminal: its sequence without the escape. */
  | { type: "report"; text: string };

/** Does something later; what is returned calls it off. A parameter, so that tests need no clock. */
export type Later = (action: () => void, ms: number) => () => void;

function later(action: () => void, ms: number): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

/**
 * After each of the times below, this much more: a program that got no processor for a while finds its timer due and the
 * input ready at once, and sees the timer first.
 */
const GRACE_MS = 15;
/** How long a lone escape may be the beginning of a sequence. */
const ESCAPE_MS = 25;
/** How long a sequence may stay unfinished before what came of it is dropped. */
const SEQUENCE_MS = 200;
/** How long after the end of a paste more of it may come: a pasted text can hold the end mark itself. */
const PASTE_MS = 5;
/** How long a paste without an end may be silent before it is taken for what came. */
const PASTE_SILENCE_MS = 2_000;
const PASTE_CHARS_MAX = 16 * 1024 * 1024;
/** A sequence longer than this is none. */
const PENDING_CHARS_MAX = 64 * 1024;

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/**
 * What a line for harness begins with: no key is Alt and one of these, and a person who types it right after Escape, or a
 * connection that sends both at once, means two keys.
 */
const BEGINS_LINE = /[/!@]/;

/** CSI, its parameters and its final character. */
const CSI = /^\x1b\[([0-?]*)([ -/]*)([@-~])/;
/** OSC, DCS, APC, PM, SOS with their end. */
const STRING = /^\x1b[\]P_^X]([^\x07\x1b]*)(?:\x07|\x1b\\)/;

/** Turns bytes into input. One for the life of a terminal. */
export class KeyReader {
  readonly #take: (input: Input) => void;
  readonly #later: Later;
  readonly #decoder = new TextDecoder();
  #pending = "";
  /** What was pasted so far, while in a paste. */
  #paste: string | undefined;
  /** Whether the paste has been waited for without any more of it coming. */
  #isSilent = false;
  #callOff: (() => void) | undefined;

  constructor(take: (input: Input) => void, doLater: Later = later) {
    this.#take = take;
    this.#later = doLater;
  }

  /** More bytes. Characters and sequences may be cut anywhere. */
  feed(bytes: Uint8Array): void {
    this.#pending += this.#decoder.decode(bytes, { stream: true });
    this.#go();
  }

  /** Forget what is unfinished and stop waiting. */
  close(): void {
    this.#stopWaiting();
    this.#pending = "";
    this.#paste = undefined;
  }

  /** Read what can be read, and wait for the rest. */
  #go(): void {
    this.#stopWaiting();
    this.#read();
    if (this.#pending.length > PENDING_CHARS_MAX) this.#pending = "";
    if (this.#paste !== undefined) this.#wait(PASTE_MS);
    else if (this.#pending !== "") this.#wait(this.#pending === "\x1b" ? ESCAPE_MS : SEQUENCE_MS);
  }

  #stopWaiting(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #wait(ms: number): void {
    this.#callOff = this.#later(() => {
      this.#callOff = this.#later(() => this.#settle(), GRACE_MS);
    }, ms);
  }

  /** Nothing more came. */
  #settle(): void {
    if (this.#paste !== undefined) {
      this.#endPaste();
      return;
    }
    const left = this.#pending;
    this.#pending = "";
    // A lone escape is the key. Of a sequence that never ended, nothing is text that anybody typed.
    if (left === "\x1b") this.#key("escape");
  }

  #read(): void {
    while (this.#pending !== "") {
      if (this.#paste !== undefined) {
        this.#paste += this.#pending;
        this.#isSilent = false;
        this.#pending = "";
        return;
      }
      const used = this.#step(this.#pending);
      if (used === 0) return;
      this.#pending = this.#pending.slice(used);
    }
  }

  /** Reads one thing; how many characters it took, 0 when more is needed. */
  #step(text: string): number {
    if (text.startsWith("\x1b")) return this.#escape(text);
    const control = legacyKey(text.charCodeAt(0));
    if (control !== undefined) {
      this.#key(control);
      return 1;
    }
    const typed = /^[^\x00-\x1f\x7f]+/.exec(text)?.[0] ?? "";
    if (typed === "") return 1;
    this.#take({ type: "key", name: typed === " " ? "space" : typed, text: typed });
    return typed.length;
  }

  #escape(text: string): number {
    if (text.startsWith(PASTE_START)) {
      this.#paste = "";
      return PASTE_START.length;
    }
    const csi = CSI.exec(text);
    if (csi !== null) {
      this.#csi(csi[1] ?? "", csi[3] ?? "");
      return csi[0].length;
    }
    const string = STRING.exec(text);
    if (string !== null) {
      this.#take({ type: "report", text: string[0].slice(1) });
      return string[0].length;
    }
    return this.#shortEscape(text);
  }

  #shortEscape(text: string): number {
    const second = text[1];
    if (second === undefined) return 0;
    if (/^\x1b(?:\[[0-?]*[ -/]*|[\]P_^X][^\x07\x1b]*\x1b?)$/.test(text)) {
      // Unfinished; unless it is Alt and the character, which the timer cannot tell apart.
      return 0;
    }
    if (second === "O") {
      if (text.length < 3) return 0;
      const name = functionKey(text[2] ?? "", "");
      if (name !== undefined) this.#key(name);
      return 3;
    }
    if (second === "\x1b") {
      this.#key("escape");
      return 1;
    }
    if (BEGINS_LINE.test(second)) {
      this.#key("escape");
      return 1;
    }
    const control = legacyKey(second.charCodeAt(0));
    const point = text.codePointAt(1) ?? 0;
    const char = String.fromCodePoint(point);
    if (control !== undefined) this.#key(`alt+${control}`);
    else if (!/[\[\]P_^X]/.test(char)) this.#key(unicodeKey(point, 2)?.name ?? `alt+${char}`);
    return 1 + char.length;
  }

  #csi(parameters: string, final: string): void {
    if (/^[?>=]/.test(parameters) || /[nRtIO]/.test(final)) {
      this.#take({ type: "report", text: `[${parameters}${final}` });
      return;
    }
    if (final === "u" || final === "~") {
      const key = numberedKey(parameters, final);
      if (key !== undefined) this.#take({ type: "key", ...key });
      return;
    }
    const name = functionKey(final, parameters);
    if (name !== undefined) this.#key(name);
  }

  #key(name: string): void {
    this.#take({ type: "key", name, text: name === "space" ? " " : "" });
  }

  /**
   * The last end mark is the end: a pasted text that holds one does not break out of the paste and type what follows.
   * Without one the paste goes on, and a paste that never ends is taken for what came.
   */
  #endPaste(): void {
    const pasted = this.#paste ?? "";
    const end = pasted.lastIndexOf(PASTE_END);
    if (end === -1 && !this.#isSilent && pasted.length < PASTE_CHARS_MAX) {
      this.#isSilent = true;
      this.#wait(PASTE_SILENCE_MS);
      return;
    }
    const rest = end === -1 ? "" : pasted.slice(end + PASTE_END.length);
    const text = end === -1 ? pasted : pasted.slice(0, end);
    this.#paste = undefined;
    // A second paste may have begun within the same burst.
    this.#take({ type: "paste", text: text.replaceAll(PASTE_START, "").replaceAll(PASTE_END, "") });
    this.#pending = rest;
    this.#go();
  }
}
