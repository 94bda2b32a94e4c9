/** A sign to a person who looks elsewhere: that something waits for them, or that a long turn is done. */

export type NotifyWay = "bell" | "osc9" | "off";

/** Somebody who looks at this terminal and has pressed a key this recently needs no sign. */
const HERE_MS = 10_000;
/** A turn that was shorter has not sent anybody away. */
const LONG_TURN_MS = 10_000;

export class Notifier {
  readonly #write: (text: string) => void;
  readonly #way: () => NotifyWay;
  readonly #now: () => number;
  #lastKeyAt: number;
  /** What the terminal says of its focus; many say nothing. */
  #hasFocus: boolean | undefined;

  constructor(
    { write, way, now }: { write(text: string): void; way(): NotifyWay; now(): number },
  ) {
    this.#write = write;
    this.#way = way;
    this.#now = now;
    this.#lastKeyAt = now();
  }

  /** A key was pressed. */
  seen(): void {
    this.#lastKeyAt = this.#now();
  }

  /** The terminal got the focus, or lost it. */
  focus(has: boolean): void {
    this.#hasFocus = has;
  }

  /** Something waits for the person. */
  needed(): void {
    if (!this.#isHere()) this.#send("harness waits for you");
  }

  /** A turn ended after so long. */
  done(turnMs: number): void {
    if (turnMs >= LONG_TURN_MS && !this.#isHere()) this.#send("harness is done");
  }

  #isHere(): boolean {
    return this.#hasFocus === true && this.#now() - this.#lastKeyAt < HERE_MS;
  }

  #send(text: string): void {
    switch (this.#way()) {
      case "off":
        return;
      case "bell":
        return this.#write("\x07");
      case "osc9":
        return this.#write(`\x1b]9;${text}\x1b\\`);
    }
  }
}
