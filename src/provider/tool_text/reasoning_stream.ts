/** Reasoning as it streams: its text, until its closer comes, however that is cut. */
import type { KnownTools } from "./known_tools.ts";
import { readerOf } from "./read_calls.ts";

/** What a piece adds. `rest` is what follows the closer, when it was in this piece. */
export type ReasoningStep = { thinking: string; rest?: string };

/** Gemma names the channel on the first line of it. */
const LABEL = "thought\n";

export class ReasoningStream {
  readonly #closers: readonly string[];
  readonly #tools: KnownTools;
  #pending = "";
  /** Text from a call on. It is reasoning if the closer comes; otherwise the call ended the reasoning. */
  #held: string[] | undefined;
  #mayHaveLabel: boolean;

  constructor(closers: readonly string[], tools: KnownTools) {
    this.#closers = closers;
    this.#tools = tools;
    this.#mayHaveLabel = closers.includes("channel|");
  }

  push(chunk: string): ReasoningStep {
    this.#pending += chunk;
    if (this.#mayHaveLabel) {
      if (this.#pending !== LABEL && LABEL.startsWith(this.#pending)) return { thinking: "" };
      if (this.#pending.startsWith(LABEL)) this.#pending = this.#pending.slice(LABEL.length);
      this.#mayHaveLabel = false;
    }
    const reader = readerOf(this.#pending, this.#tools, { isFinal: false });
    const thinking: string[] = [];
    let at = 0;
    const candidate = /[<[]/g;
    for (let m = candidate.exec(reader.text); m !== null; m = candidate.exec(reader.text)) {
      const token = reader.token(m.index);
      if (token !== undefined && this.#closers.includes(token.name)) {
        const held = this.#held?.join("") ?? "";
        thinking.push(held, reader.text.slice(at, m.index));
        // The next header's own token is not a part of this message's end.
        const isNext = token.role.kind === "harmony";
        return {
          thinking: thinking.join(""),
          rest: reader.text.slice(isNext ? m.index : token.end),
        };
      }
      const starts = token?.role.kind === "open" ? reader.startsPayload(token.end) : false;
      if (starts === true && this.#held === undefined) {
        thinking.push(reader.text.slice(at, m.index));
        at = m.index;
        this.#held = [];
      }
      if (starts === "more" || reader.mayBecomeTag(m.index) === "more") {
        return { thinking: thinking.join("") + this.#keep(at, m.index) };
      }
    }
    return { thinking: thinking.join("") + this.#keep(at, reader.text.length) };
  }

  /** Lets go of the text up to `to`, and waits with what follows it; what is reasoning for sure is handed back. */
  #keep(from: number, to: number): string {
    const text = this.#pending.slice(from, to);
    this.#pending = this.#pending.slice(to);
    if (this.#held === undefined) return text;
    this.#held.push(text);
    return "";
  }
}
