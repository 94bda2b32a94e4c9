/** Regular expressions over lines, in a worker that is ended when a pattern takes too long. */
import type { LineMatcher, PieceMatch } from "./line_match.ts";

export type RegexRequest = {
  id: number;
  source: string;
  flags: string;
  piece: Uint8Array<ArrayBuffer>;
  hitsMax: number;
};
export type RegexAnswer = { id: number; found: PieceMatch };

/** A pattern took longer than its time for one piece of text. */
export class PatternTooSlow extends Error {
  override readonly name = "PatternTooSlow";
}

/** Runs one pattern. `timeoutMs` is for one piece; after it the worker is gone and every call rejects. */
export class LineRegex implements LineMatcher {
  readonly #pattern: { source: string; flags: string };
  readonly #timeoutMs: number;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: PieceMatch | Error) => void>();
  #count = 0;
  #dead: Error | undefined;

  constructor(pattern: { source: string; flags: string }, timeoutMs: number) {
    this.#pattern = pattern;
    this.#timeoutMs = timeoutMs;
    // Beside this file, in the source as in a bundle.
    const file = import.meta.url.endsWith(".ts") ? "line_regex_worker.ts" : "line_regex_worker.js";
    this.#worker = new Worker(new URL(file, import.meta.url), {
      type: "module",
      name: "line_regex",
      deno: { permissions: "none" },
    });
    this.#worker.onmessage = ({ data }: MessageEvent<RegexAnswer>) => {
      this.#waiting.get(data.id)?.(data.found);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#end(new Error(`The pattern could not be run: ${event.message}`));
    };
  }

  match(piece: Uint8Array<ArrayBuffer>, hitsMax: number): Promise<PieceMatch> {
    const { source, flags } = this.#pattern;
    return new Promise((resolve, reject) => {
      if (this.#dead !== undefined) return reject(this.#dead);
      const id = this.#count += 1;
      const timer = setTimeout(() => this.#end(new PatternTooSlow()), this.#timeoutMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
      this.#worker.postMessage({ id, source, flags, piece, hitsMax } satisfies RegexRequest);
    });
  }

  close(): void {
    this.#end(new Error("The search was ended"));
  }

  #end(reason: Error): void {
    this.#dead ??= reason;
    this.#worker.terminate();
    for (const answer of [...this.#waiting.values()]) answer(this.#dead);
  }
}
