/** Notices a model that goes round in circles: the same calls with the same results, with a period of one to three. */
import type { ToolCallBlock } from "@/protocol/message.ts";
import type { ToolResult } from "@/protocol/tool.ts";

const PERIOD_MAX = 3;
const REPEATS_TOLD = 3;
const REPEATS_ENDED = 4;

/** A call whose result changes (polling) is progress and never counts. */
export class DoomLoop {
  #recent: string[] = [];
  #isTold = false;

  /** Take one call and its result: "tell" once when the circle was gone three times, "end" at the fourth. */
  note(call: ToolCallBlock, result: ToolResult): "none" | "tell" | "end" {
    this.#recent.push(
      JSON.stringify([call.name, canonical(call.input), result.status, result.text]),
    );
    if (this.#recent.length > PERIOD_MAX * REPEATS_ENDED) this.#recent.shift();
    if (this.#isCircle(REPEATS_ENDED)) return "end";
    const isCircle = this.#isCircle(REPEATS_TOLD);
    const isNews = isCircle && !this.#isTold;
    this.#isTold = isCircle;
    return isNews ? "tell" : "none";
  }

  #isCircle(repeats: number): boolean {
    for (let period = 1; period <= PERIOD_MAX; period += 1) {
      const tail = this.#recent.slice(-period * repeats);
      if (tail.length < period * repeats) continue;
      if (tail.every((entry, at) => entry === tail[at % period])) return true;
    }
    return false;
  }
}

/** The same value with its keys in one order, so that the order in which a model writes them does not matter. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]));
}
