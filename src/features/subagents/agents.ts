/** The sub-agents of a conversation: so many work side by side, the others wait. */
import type { FeatureParts } from "@/compose/feature.ts";
import { clipEnd } from "@/lib/clip.ts";
import { describe } from "@/lib/describe.ts";
import { LinkedAbort } from "@/lib/linked_abort.ts";
import { Slots } from "@/lib/slots.ts";
import type { Brief, ToolResult } from "@/protocol/tool.ts";
import type { RailItem } from "@/terminal/full/rail.ts";
import { employ } from "./employ.ts";

/** What is seen of one while it is there. */
export type AgentState = {
  readonly number: number;
  readonly task: string;
  /** What it does now. */
  doing: string;
  /** Whether it waits for the person's answer. */
  isAsking: boolean;
};

const TASK_CHARS_SHOWN = 40;

export class Agents {
  readonly #parts: FeatureParts;
  readonly #places: Slots;
  readonly #states = new Set<AgentState>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #count = 0;

  constructor(parts: FeatureParts) {
    this.#parts = parts;
    this.#places = new Slots(() => parts.settings.current.SUBAGENTS_AT_ONCE);
  }

  /** A report in every case; it never rejects. */
  async hire(brief: Brief, signal: AbortSignal, depth = 1): Promise<ToolResult> {
    using linked = new LinkedAbort(signal, this.#stopping.signal);
    const running = this.#hire(brief, linked.signal, depth);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      const text = linked.signal.aborted ? "It was stopped before it began" : describe(error);
      return { status: linked.signal.aborted ? "interrupted" : "failed", text };
    } finally {
      this.#running.delete(running);
    }
  }

  /** A row each, for the rail. */
  rows(): readonly RailItem[] {
    return [...this.#states].map(({ number, task, doing, isAsking }) => ({
      name: `agent ${number}`,
      detail: `${clipEnd(task.replace(/\s+/g, " "), TASK_CHARS_SHOWN)}: ${doing}`,
      ...(isAsking && { needs: true }),
    }));
  }

  /** Stop all of them; resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException("The program ends", "AbortError"));
    await Promise.allSettled(this.#running);
  }

  async #hire(brief: Brief, signal: AbortSignal, depth: number): Promise<ToolResult> {
    this.#count += 1;
    const state: AgentState = {
      number: this.#count,
      task: brief.task,
      doing: "waiting for a place",
      isAsking: false,
    };
    this.#states.add(state);
    const work = () =>
      employ(this.#parts, {
        ...{ brief, signal, state, depth },
        hire: (more, signal) => this.hire(more, signal, depth + 1),
      });
    try {
      // One that was hired by another works in that one's place, which waits for it.
      return depth > 1 ? await work() : await this.#places.use(work, signal);
    } finally {
      this.#states.delete(state);
    }
  }
}
