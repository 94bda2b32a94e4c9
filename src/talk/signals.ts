/** The signals that ask a program to end, each told once. */
import { EXIT } from "@/terminal/exit_code.ts";

/** The signals, and the exit code of a program that ends because of one. */
export const SIGNAL_CODES = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangup,
} as const;

export type EndSignal = keyof typeof SIGNAL_CODES;

/** `deno task` passes on a signal that the terminal has sent to us as well: two or three arrive within milliseconds. */
const SAME_MS = 100;

/** Tell `take` of each signal until the returned thing is disposed of. */
export function onSignals(take: (signal: EndSignal) => void): Disposable {
  const last = new Map<EndSignal, number>();
  const listeners = signalNames().map((name) => {
    const listener = () => {
      const now = performance.now();
      const isSame = now - (last.get(name) ?? -Infinity) < SAME_MS;
      last.set(name, now);
      if (!isSame) take(name);
    };
    Deno.addSignalListener(name, listener);
    return { name, listener };
  });
  return {
    [Symbol.dispose]: () => {
      for (const { name, listener } of listeners) Deno.removeSignalListener(name, listener);
    },
  };
}

/** Whether the program was asked to end. The second signal does not wait for anything. */
export class EndRequest implements Disposable {
  readonly #asked = Promise.withResolvers<"asked">();
  readonly #listening: Disposable;
  #code: number | undefined;
  #onAsked = (): void => {};

  constructor() {
    this.#listening = onSignals((signal) => {
      if (this.#code !== undefined) Deno.exit(SIGNAL_CODES[signal]);
      this.#code = SIGNAL_CODES[signal];
      this.#asked.resolve("asked");
      this.#onAsked();
    });
  }

  /** The exit code of the first signal; undefined while there was none. */
  get code(): number | undefined {
    return this.#code;
  }

  /** Call `stop` when the signal comes. */
  onAsked(stop: () => void): void {
    this.#onAsked = stop;
  }

  /** What `work` comes to, unless the signal comes first; the work then goes on unwatched until the program ends. */
  async unlessAsked<T>(work: Promise<T>): Promise<T | undefined> {
    const first = await Promise.race([work, this.#asked.promise]);
    if (first !== "asked") return first;
    work.catch(() => undefined); // Nobody is left to be told.
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }
}

/** Windows has no SIGTERM, and listening to it throws. */
function signalNames(): readonly EndSignal[] {
  return Deno.build.os === "windows" ? ["SIGINT", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}
