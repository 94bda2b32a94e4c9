/** Runs programs, and says to the person what came of it. */
import type { FeatureParts } from "@/compose/feature.ts";
import { describe } from "@/lib/describe.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { HookInput } from "@/hooks/event.ts";
import type { Heard, RoundOptions, Rounds } from "./rounds.ts";
import { isStop } from "./words.ts";

type VoiceParts = Pick<FeatureParts, "isInteractive"> & {
  live: Pick<FeatureParts["live"], "emit">;
};

/** One for a conversation, its sub-agents included. */
export class HookVoice {
  readonly #rounds: Rounds;
  readonly #parts: VoiceParts;
  /** Said already in this conversation. */
  readonly #told = new Set<string>();
  /** Running with nobody waiting for them. */
  readonly #aside = new Set<Promise<unknown>>();
  /** Why this turn is not to go on. */
  #stop: string | undefined;

  constructor(rounds: Rounds, parts: VoiceParts) {
    this.#rounds = rounds;
    this.#parts = parts;
  }

  /** Whether it is known that there is nothing to run. */
  get isIdle(): boolean {
    return this.#rounds.isIdle;
  }

  /** Run those for a moment. Nothing is heard of them where the turn is interrupted meanwhile. */
  async run(input: HookInput, options: RoundOptions = {}): Promise<readonly Heard[]> {
    const heard = await this.hear(input, options);
    if (options.signal?.aborted) return [];
    for (const one of heard) this.failed(one);
    return heard;
  }

  /** The same, where what a failure leads to says it. */
  async hear(input: HookInput, options: RoundOptions = {}): Promise<readonly Heard[]> {
    const heard = await this.#rounds.run(input, options);
    if (!options.signal?.aborted) { for (const one of heard) this.#note(one); }
    return heard;
  }

  /** Run them beside everything else. */
  aside(input: HookInput): void {
    const running = this.run(input).catch((error) => this.once(describe(error)));
    this.#aside.add(running);
    running.then(() => this.#aside.delete(running));
  }

  /** Resolves when nothing runs aside any more, or the time is over. */
  async settled(ms: number): Promise<void> {
    await settlesWithin(Promise.allSettled(this.#aside), ms);
  }

  /** Say of one that it could not be run. */
  failed({ program, name, answer }: Heard): void {
    if (answer.kind === "broken") this.once(`${name} failed at ${program.event}: ${answer.why}`);
  }

  /** What is wrong with the files that declare programs. */
  async tellFiles(): Promise<void> {
    const { problems, waiting } = await this.#rounds.found();
    for (const problem of problems) this.once(problem);
    // In a terminal the person was asked before the first prompt.
    for (const label of this.#parts.isInteractive ? [] : waiting) {
      this.once(
        `Hooks of ${label} are not run: the project's file is not trusted as it is now; ` +
          "/trust shows what it would do",
      );
    }
  }

  /** The turn is to end. */
  stop(why: string): void {
    this.#stop ??= why;
  }

  /** Why it is to end; told to whoever asks first. */
  takeStop(): string | undefined {
    const stop = this.#stop;
    this.#stop = undefined;
    return stop;
  }

  once(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.notice("warn", text);
  }

  notice(level: "info" | "warn", text: string): void {
    this.#parts.live.emit({ type: "notice", level, text, about: "hooks" });
  }

  #note(one: Heard): void {
    const { answer, name } = one;
    if (answer.kind !== "said") return;
    const { message, reason } = answer.said;
    if (message !== "") this.notice("info", `${name}: ${message}`);
    if (isStop(one)) this.stop(`${name} ended it${reason && `: ${reason}`}`);
  }
}
