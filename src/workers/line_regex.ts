/** Regular expressions over lines, in a worker that is ended when a pattern takes too long. */
import type { LineMatcher, PieceMatch } from "./line_match.ts";

export type RegexRequest = {
  id: number;
  source: string;
  flags: string;
  piece: Uint8Array<ArrayBuffer>;
  hitsMax: number;
};
/** `ready`: the worker has started, and from now on time counts. It answers in the order in which it was asked. */
export type RegexAnswer = { type: "ready" } | { type: "found"; id: number; found: PieceMatch };

/** Time a worker gets to start, in milliseconds: seconds where other programs want the processor too. */
const START_TIMEOUT_MS = 60_000;

/** A pattern was not tried to the end. */
export class PatternFailed extends Error {
  override readonly name: string = "PatternFailed";
}

/** A pattern took longer than its time for one piece of text. */
export class PatternTooSlow extends PatternFailed {
  override readonly name = "PatternTooSlow";
}

/**
 * Runs one pattern. `timeoutMs` is for one piece, from when the worker turns to it; after it the worker is gone and
 * every call rejects.
 */
export class LineRegex implements LineMatcher {
  readonly #pattern: { source: string; flags: string };
  readonly #timeoutMs: number;
  readonly #worker: Worker;
  /** In the order in which they were asked; the worker is at the first. */
  readonly #waiting = new Map<number, (answer: PieceMatch | Error) => void>();
  #count = 0;
  #isReady = false;
  #dead: Error | undefined;
  #timer: ReturnType<typeof setTimeout>;

  constructor(
    pattern: { source: string; flags: string },
    timeoutMs: number,
    startMs: number = START_TIMEOUT_MS,
  ) {
    this.#pattern = pattern;
    this.#timeoutMs = timeoutMs;
    // Beside this file, in the source as in a bundle.
    const file = import.meta.url.endsWith(".ts") ? "line_regex_worker.ts" : "line_regex_worker.js";
    this.#worker = new Worker(new URL(file, import.meta.url), {
      type: "module",
      name: "line_regex",
      deno: { permissions: "none" },
    });
    const late = `The pattern could not be run: its worker did not start in ${startMs / 1000} s`;
    const startedMs = performance.now();
    this.#timer = setTimeout(() => this.#end(new PatternFailed(late)), startMs);
    this.#worker.onmessage = ({ data }: MessageEvent<RegexAnswer>) => {
      // What comes first of a timer and a message that are both due is anybody's guess.
      if (data.type === "ready" && performance.now() - startedMs > startMs) {
        return this.#end(new PatternFailed(late));
      }
      if (data.type === "ready") this.#isReady = true;
      else this.#waiting.get(data.id)?.(data.found);
      this.#time();
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#end(new PatternFailed(`The pattern could not be run: ${event.message}`));
    };
  }

  match(piece: Uint8Array<ArrayBuffer>, hitsMax: number): Promise<PieceMatch> {
    const { source, flags } = this.#pattern;
    return new Promise((resolve, reject) => {
      if (this.#dead !== undefined) return reject(this.#dead);
      const id = this.#count += 1;
      this.#waiting.set(id, (answer) => {
        this.#waiting.delete(id);
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
      this.#worker.postMessage({ id, source, flags, piece, hitsMax } satisfies RegexRequest);
      if (this.#isReady && this.#waiting.size === 1) this.#time();
    });
  }

  close(): void {
    this.#end(new Error("The search was ended"));
  }

  /** Start the time of the piece that the worker is at now. */
  #time(): void {
    clearTimeout(this.#timer);
    if (this.#dead !== undefined || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.#end(new PatternTooSlow()), this.#timeoutMs);
  }

  #end(reason: Error): void {
    this.#dead ??= reason;
    clearTimeout(this.#timer);
    this.#worker.terminate();
    for (const answer of [...this.#waiting.values()]) answer(this.#dead);
  }
}
