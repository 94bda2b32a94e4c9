/** The loop: ask the model, run what it calls, ask again, until it stops. Everything else joins it as guard, hook or fold. */
import type { Message, Part, StopReason, ToolCallBlock, UserMessage } from "@/protocol/message.ts";
import type { Sink, TurnStop } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { CallOutcome, TurnOutcome } from "@/protocol/outcome.ts";
import { type Provider, ProviderError, type Request } from "@/protocol/provider.ts";
import { describe } from "@/lib/describe.ts";
import { orGivenUp } from "@/lib/within.ts";
import { type Dispatcher, INTERRUPTED_BEFORE } from "./dispatch.ts";
import { DoomLoop } from "./doom.ts";
import { HistoryCheck } from "./history.ts";
import { receive, type Reply } from "./reply.ts";
import * as notes from "./notes.ts";

/** What a turn is given. `messages` is the history as folded now; `fit` makes a request of it that fits the window. */
export type TurnParts = {
  /** What has to be known before the first request. An interrupt ends it like everything else of the turn. */
  prepare(signal: AbortSignal): Promise<void>;
  provider(): Provider;
  messages(): readonly Message[];
  fit(messages: readonly Message[]): Request;
  dispatcher: Dispatcher;
  hooks: readonly Hook[];
  emit: Sink;
  /** Resolves when every durable event emitted so far is on disk. */
  flush(): Promise<void>;
  freshId(id: string): string;
  /** Whether to ask the model again after `count` calls; false ends the turn with a limit. */
  mayGoOn(count: number, signal: AbortSignal): Promise<boolean>;
  /** Whether one more call may run after `count`, inside a reply too: nobody is asked in the middle of a batch. */
  mayRun(count: number): boolean;
  keepsThinking: boolean;
};

const NUDGES_MAX = 1;
const UNREADABLE_MAX = 2;
const REPLACEMENTS_MAX = 3;
/** How often what stands in the way of one request is changed. */
const MENDS_MAX = 6;
const REFUSALS_TOLD = 3;
const REFUSALS_MAX = 6;
/** How often hooks may keep a turn from ending while the model calls nothing in between. */
const HELD_MAX = 8;

/** Runs one turn. Never throws: whatever breaks, the turn ends once and leaves a valid history. */
export class Turn {
  readonly #parts: TurnParts;
  readonly #turn: number;
  readonly #signal: AbortSignal;
  readonly #calls: CallOutcome[] = [];
  readonly #doom = new DoomLoop();
  readonly #check = new HistoryCheck();
  /** Notes that wait for the end of a batch: nothing may stand between a call and its result. */
  readonly #later: string[] = [];
  /** The placeholders that this turn has put in the place of messages. */
  readonly #replaced = new Set<Message | undefined>();
  #answer = "";
  #requests = 0;
  #nudges = 0;
  #unreadable = 0;
  #refusals = 0;
  #held = 0;

  constructor(parts: TurnParts, turn: number, signal: AbortSignal) {
    this.#parts = parts;
    this.#turn = turn;
    this.#signal = signal;
  }

  async run(content: readonly Part[], origin: UserMessage["origin"]): Promise<TurnOutcome> {
    const { emit } = this.#parts;
    emit({ type: "turn_start", turn: this.#turn });
    emit({ type: "message", message: { role: "user", content, origin } });
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
    await this.#flush();
    const failure = error === undefined || stop === "abort" ? {} : { error };
    return { stop, answer: this.#answer, requests: this.#requests, calls: this.#calls, ...failure };
  }

  async #loop(): Promise<TurnStop> {
    await this.#parts.prepare(this.#signal);
    for (;;) {
      if (this.#signal.aborted) return "abort";
      if (!await this.#parts.mayGoOn(this.#calls.length, this.#signal)) return "limit";
      await this.#hook("beforeRequest");
      if (this.#signal.aborted) return "abort";
      const reply = await this.#reply();
      const stop = await this.#take(reply);
      if (stop === undefined) continue;
      if (stop !== "end") return stop;
      const isHeld = await this.#hook("beforeStop");
      if (this.#signal.aborted) return "abort";
      if (!isHeld) return "end";
      this.#held += 1;
      this.#refusals = 0; // It has said something in between, and now has something else to do.
      if (this.#held <= HELD_MAX) continue;
      this.#notice("warn", notes.heldTooOften(this.#held));
      return "limit";
    }
  }

  /** A reply, asked for again as long as something can be changed about what stands in its way. */
  async #reply(): Promise<Reply> {
    for (let mends = 0;; mends += 1) {
      const messages = this.#parts.messages();
      try {
        return await this.#request(messages);
      } catch (error) {
        if (!(error instanceof ProviderError) || mends >= MENDS_MAX) throw error;
        if (!this.#replaceRejected(error, messages) && !await this.#isMended(error)) throw error;
        this.#signal.throwIfAborted();
      }
    }
  }

  async #request(messages: readonly Message[]): Promise<Reply> {
    const { parts, signal } = { parts: this.#parts, signal: this.#signal };
    // The disk takes longest, so the rest is done meanwhile.
    const onDisk = this.#flush();
    const problem = this.#check.problem(messages);
    if (problem !== undefined) throw new Error(`The history is not valid: ${problem}`);
    const request = parts.fit(messages);
    await onDisk;
    this.#requests += 1;
    const provider = parts.provider();
    return await receive(provider.stream(request, signal), {
      provider: provider.name,
      emit: parts.emit,
      signal,
      keepsThinking: parts.keepsThinking,
      model: request.model,
      freshId: parts.freshId,
    });
  }

  /** Act on a reply: undefined to ask again, else how the turn ends. */
  async #take(reply: Reply): Promise<TurnStop | undefined> {
    const { emit } = this.#parts;
    if (reply.usage !== undefined && reply.model !== undefined) {
      emit({ type: "usage", usage: reply.usage, purpose: "turn", model: reply.model });
    }
    if (reply.text.trim() !== "" || reply.calls.length > 0) {
      const calls = reply.stop === "length" ? notes.cutLast(reply.blocks) : reply.blocks;
      this.#answer = reply.text.trim();
      const message = { role: "assistant", content: calls, stop: reply.stop } as const;
      const own = reply.private === undefined ? {} : { private: reply.private };
      emit({ type: "message", message: { ...message, ...own } });
      this.#nudges = 0;
      if (reply.calls.length > 0) return await this.#run(calls.filter(isCall), reply.stop);
    }
    return this.#ending(reply);
  }

  #ending(reply: Reply): TurnStop | undefined {
    switch (reply.stop) {
      case "abort":
      case "refusal":
      case "length":
        return reply.stop;
      case "end":
      case "tool_calls":
        if (reply.text.trim() !== "") return "end";
        return this.#nudge();
    }
  }

  #nudge(): TurnStop | undefined {
    if (this.#nudges >= NUDGES_MAX) {
      this.#notice("warn", notes.STILL_EMPTY);
      return "end";
    }
    this.#nudges += 1;
    this.#tell(notes.EMPTY_REPLY);
    return undefined;
  }

  async #run(calls: readonly ToolCallBlock[], stop: StopReason): Promise<TurnStop | undefined> {
    const { dispatcher } = this.#parts;
    let verdict: TurnStop | undefined = stop === "abort" ? "abort" : undefined;
    this.#held = 0;
    for (const batch of dispatcher.batches(calls)) {
      const count = this.#calls.length;
      const running = batch.map((call, at) => {
        if (verdict === undefined && !this.#parts.mayRun(count + at)) verdict = "limit";
        if (this.#signal.aborted) verdict = "abort";
        return verdict === undefined
          ? dispatcher.run(call, this.#turn, this.#signal)
          : dispatcher.skip(call, verdict === "abort" ? INTERRUPTED_BEFORE : notes.ENDED_BEFORE);
      });
      for (const done of await Promise.all(running)) {
        this.#calls.push(done);
        verdict ??= this.#watch(done);
      }
    }
    if (this.#signal.aborted) return "abort";
    if (verdict !== undefined) return verdict;
    for (const text of this.#later.splice(0)) this.#tell(text);
    return this.#unreadableStreak(calls);
  }

  /** Refusals in a row and circles: told to the model once, then the end of the turn. */
  #watch({ call, result }: CallOutcome): TurnStop | undefined {
    this.#refusals = result.status === "denied" ? this.#refusals + 1 : 0;
    if (this.#refusals === REFUSALS_TOLD) this.#later.push(notes.refusals(REFUSALS_TOLD));
    if (this.#refusals >= REFUSALS_MAX) {
      this.#notice("warn", notes.tooManyRefusals(this.#refusals));
      return "limit";
    }
    switch (this.#doom.note(call, result)) {
      case "tell":
        this.#later.push(notes.circle(call.name));
        return undefined;
      case "end":
        this.#notice("warn", notes.circleEnded(call.name));
        return "limit";
      case "none":
        return undefined;
    }
  }

  /** Replies in a row of which no call could be read: tolerated for a while, then the end of the turn. */
  #unreadableStreak(calls: readonly ToolCallBlock[]): TurnStop | undefined {
    const isUnreadable = calls.every((call) => call.damage !== undefined);
    this.#unreadable = isUnreadable ? this.#unreadable + 1 : 0;
    if (this.#unreadable <= UNREADABLE_MAX) return undefined;
    this.#notice("warn", notes.unreadable(this.#unreadable));
    return "end";
  }

  /** Replace, for good, the item that a server rejected: the one it named, else the largest. False without any. */
  #replaceRejected(error: ProviderError, messages: readonly Message[]): boolean {
    const { kind, messageIndex } = error;
    const isOfItem = kind === "too_large" ||
      kind === "invalid_request" && messageIndex !== undefined;
    if (!isOfItem || this.#replaced.size >= REPLACEMENTS_MAX) return false;
    const index = messageIndex ?? notes.largestItem(messages);
    // What was replaced already is not what the server minds.
    if (index === undefined || messages[index] === undefined) return false;
    if (this.#replaced.has(messages[index])) return false;
    const reason = `the server rejected it (${error.message})`;
    this.#parts.emit({ type: "replaced", index, reason });
    this.#replaced.add(this.#parts.messages()[index]);
    this.#notice("warn", `One item of the conversation was replaced by a placeholder: ${reason}`);
    return true;
  }

  /** Whether a hook could change what stands in a request's way. */
  async #isMended(error: ProviderError): Promise<boolean> {
    const signal = this.#signal;
    for (const hook of this.#parts.hooks) {
      try {
        const mending = hook.mend?.(error, signal);
        if (mending !== undefined && await orGivenUp(mending, signal, () => false)) return true;
      } catch (failure) {
        this.#notice("warn", `${hook.name} failed (mend): ${describe(failure)}`);
      }
      signal.throwIfAborted();
    }
    return false;
  }

  /** Runs one hook point, up to an interrupt; whether any hook had something for the model. */
  async #hook(point: "beforeRequest" | "beforeStop"): Promise<boolean> {
    let hasText = false;
    const signal = this.#signal;
    for (const hook of this.#parts.hooks) {
      if (signal.aborted) break;
      try {
        const heard = hook[point]?.(signal);
        const text = heard && await orGivenUp(heard, signal, () => undefined);
        if (text === undefined || text === "") continue;
        this.#tell(text);
        hasText = true;
      } catch (error) {
        this.#notice("warn", `${hook.name} failed (${point}): ${describe(error)}`);
      }
    }
    return hasText;
  }

  /** What cannot be saved is said and kept in memory; it is no reason to stop working. */
  async #flush(): Promise<void> {
    try {
      await this.#parts.flush();
    } catch (error) {
      this.#notice("error", describe(error));
    }
  }

  #tell(text: string): void {
    const content = [{ type: "text", text }] as const;
    this.#parts.emit({ type: "message", message: { role: "user", content, origin: "hook" } });
  }

  #notice(level: "info" | "warn" | "error", text: string): void {
    this.#parts.emit({ type: "notice", level, text });
  }

  #report(error: unknown): void {
    const hint = error instanceof ProviderError && error.hint !== "" ? `. ${error.hint}` : "";
    this.#notice("error", `${describe(error)}${hint}`);
  }
}

/** A prompt that does not fit the window is a limit; everything else that is thrown is an error. */
function stopOf(thrown: unknown): TurnStop {
  return thrown instanceof ProviderError && thrown.kind === "overflow" ? "limit" : "error";
}

function isCall(block: { type: string }): block is ToolCallBlock {
  return block.type === "tool_call";
}
