/** The loop: ask the model, run what it calls, ask again, until it stops. Everything else joins it as guard, hook or fold. */
import type { Part, StopReason, ToolCallBlock, UserMessage } from "@/protocol/message.ts";
import type { TurnStop } from "@/protocol/event.ts";
import { PersonError } from "@/protocol/error.ts";
import type { CallOutcome, TurnOutcome } from "@/protocol/outcome.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { describe } from "@/lib/describe.ts";
import { Asking, type AskingParts } from "./asking.ts";
import type { Dispatcher } from "./dispatch.ts";
import { told } from "./hook_points.ts";
import { CAPPED, cutLast, ENDED_BEFORE, INTERRUPTED_BEFORE } from "./notes.ts";
import { Patience, type Patient } from "./patience.ts";
import type { Reply } from "./reply.ts";

/** What a turn is given. */
export type TurnParts = AskingParts & {
  /** What has to be known before the first request. An interrupt ends it like everything else of the turn. */
  prepare(signal: AbortSignal): Promise<void>;
  dispatcher: Dispatcher;
  /** Whether to ask the model again after `count` calls; false ends the turn with a limit. */
  mayGoOn(count: number, signal: AbortSignal): Promise<boolean>;
  /** Whether one more call may run after `count`, inside a reply too: nobody is asked in the middle of a batch. */
  mayRun(count: number): boolean;
};

/** Runs one turn. Never throws: whatever breaks, the turn ends once and leaves a valid history. */
export class Turn {
  readonly #parts: TurnParts;
  readonly #turn: number;
  readonly #signal: AbortSignal;
  readonly #asking: Asking;
  readonly #patience = new Patience();
  readonly #calls: CallOutcome[] = [];
  #answer = "";
  /** Why the model was given up, until that is said or a hook has had it go on. */
  #givenUp: string | undefined;

  constructor(parts: TurnParts, turn: number, signal: AbortSignal) {
    this.#parts = parts;
    this.#turn = turn;
    this.#signal = signal;
    this.#asking = new Asking(parts, signal);
  }

  async run(content: readonly Part[], origin: UserMessage["origin"]): Promise<TurnOutcome> {
    const { emit } = this.#parts;
    emit({ type: "turn_start", turn: this.#turn });
    emit({ type: "message", message: { role: "user", content, origin } });
    // Hooks and the server's answer about its model seldom add anything.
    this.#asking.flushSoon();
    let stop: TurnStop;
    let error: unknown;
    try {
      stop = await this.#loop();
    } catch (thrown) {
      error = thrown;
      stop = this.#signal.aborted ? "abort" : stopOf(thrown);
    }
    if (error !== undefined && stop !== "abort") this.#report(error);
    emit({ type: "turn_end", turn: this.#turn, stop });
    await this.#asking.flush();
    const failure = error === undefined || stop === "abort" ? {} : { error };
    const { requests } = this.#asking;
    return { stop, answer: this.#answer, requests, calls: this.#calls, ...failure };
  }

  async #loop(): Promise<TurnStop> {
    const { hooks, mayGoOn, prepare } = this.#parts;
    const signal = this.#signal;
    await prepare(signal);
    for (;;) {
      if (signal.aborted) return "abort";
      if (!await mayGoOn(this.#calls.length, signal)) return "limit";
      await hooks.tell("beforeRequest", signal);
      if (signal.aborted) return "abort";
      const stop = await this.#take(await this.#asking.reply());
      const over = stop === undefined ? undefined : await this.#unlessHeld(stop);
      if (over !== undefined) return over;
    }
  }

  /** A stop, unless hooks have something else for the model. What a person or a provider has ended stays ended. */
  async #unlessHeld(stop: TurnStop): Promise<TurnStop | undefined> {
    const why = this.#givenUp;
    this.#givenUp = undefined;
    if (stop !== "end" && why === undefined) return stop;
    const point = why === undefined ? "beforeStop" : "beforeLimit";
    const isHeld = await this.#parts.hooks.tell(point, this.#signal);
    if (this.#signal.aborted) return "abort";
    if (isHeld) {
      const patient = why === undefined ? this.#patience.held() : this.#patience.renewed();
      const over = this.#heed(patient);
      this.#sayWhy(this.#givenUp);
      return over;
    }
    this.#sayWhy(why);
    return stop;
  }

  #sayWhy(why: string | undefined): void {
    if (why !== undefined) this.#parts.emit({ type: "notice", level: "warn", text: why });
  }

  /** Act on a reply: undefined to ask again, else how the turn ends. */
  async #take(reply: Reply): Promise<TurnStop | undefined> {
    const { emit } = this.#parts;
    if (reply.usage !== undefined && reply.model !== undefined) {
      emit({ type: "usage", usage: reply.usage, purpose: "turn", model: reply.model });
    }
    if (reply.text.trim() !== "" || reply.calls.length > 0) {
      const blocks = reply.stop === "length" ? cutLast(reply.blocks) : reply.blocks;
      this.#answer = reply.text.trim();
      const message = { role: "assistant", content: blocks, stop: reply.stop } as const;
      const own = reply.private === undefined ? {} : { private: reply.private };
      emit({ type: "message", message: { ...message, ...own } });
      this.#patience.said();
      if (reply.calls.length > 0) return await this.#run(blocks.filter(isCall), reply.stop);
    }
    return this.#ending(reply);
  }

  #ending(reply: Reply): TurnStop | undefined {
    switch (reply.stop) {
      case "abort":
      case "refusal":
        return reply.stop;
      case "length":
        this.#sayWhy(reply.cut ?? CAPPED);
        return reply.stop;
      case "end":
      case "tool_calls":
        return reply.text.trim() === "" ? this.#heed(this.#patience.empty()) : "end";
    }
  }

  /** Run the calls of a reply. Notes about them wait for its end: nothing may stand between a call and its result. */
  async #run(calls: readonly ToolCallBlock[], stop: StopReason): Promise<TurnStop | undefined> {
    const { dispatcher, mayRun } = this.#parts;
    const later: Patient[] = [];
    let verdict: TurnStop | undefined = stop === "abort" ? "abort" : undefined;
    for (const batch of dispatcher.batches(calls)) {
      const count = this.#calls.length;
      const running = batch.map((call, at) => {
        if (verdict === undefined && !mayRun(count + at)) verdict = "limit";
        if (this.#signal.aborted) verdict = "abort";
        return verdict === undefined
          ? dispatcher.run(call, this.#turn, this.#signal)
          : dispatcher.skip(call, verdict === "abort" ? INTERRUPTED_BEFORE : ENDED_BEFORE);
      });
      for (const done of await Promise.all(running)) {
        this.#calls.push(done);
        if (verdict !== undefined) continue;
        const patient = this.#patience.done(done);
        if (patient !== undefined && "tell" in patient) later.push(patient);
        else verdict = this.#heed(patient);
      }
    }
    if (this.#signal.aborted) return "abort";
    if (verdict !== undefined) return verdict;
    for (const patient of later) this.#heed(patient);
    const over = this.#heed(this.#patience.called(calls));
    // The request waits for the disk. What comes before it seldom adds anything, so the disk can begin.
    if (over === undefined) this.#asking.flushSoon();
    return over;
  }

  /** Tell the model, or note why the turn ends. Throws what makes it a failure. */
  #heed(patient: Patient): TurnStop | undefined {
    const { emit } = this.#parts;
    if (patient === undefined) return undefined;
    if ("tell" in patient) {
      emit(told(patient.tell));
      return undefined;
    }
    if ("failure" in patient) throw patient.failure;
    this.#givenUp = patient.why;
    return patient.stop;
  }

  #report(error: unknown): void {
    const isMendable = error instanceof ProviderError || error instanceof PersonError;
    const hint = isMendable && error.hint !== "" ? `. ${error.hint}` : "";
    this.#parts.emit({ type: "notice", level: "error", text: `${describe(error)}${hint}` });
  }
}

/** A prompt that does not fit the window is a limit; everything else that is thrown is an error. */
function stopOf(thrown: unknown): TurnStop {
  return thrown instanceof ProviderError && thrown.kind === "overflow" ? "limit" : "error";
}

function isCall(block: { type: string }): block is ToolCallBlock {
  return block.type === "tool_call";
}
