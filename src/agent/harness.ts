/** One conversation: the log it lives in, the history folded from it, and the turns that extend both. */
import type { Message, Part, UserMessage } from "@/protocol/message.ts";
import { type DurableEvent, type Event, isDurable, type Sink } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { TurnOutcome } from "@/protocol/outcome.ts";
import type { Provider, Request } from "@/protocol/provider.ts";
import { addUsage, NO_USAGE, type Usage } from "@/protocol/provider.ts";
import type { Dispatcher, DispatchParts } from "./dispatch.ts";
import { describe } from "@/lib/describe.ts";
import { orGivenUp } from "@/lib/within.ts";
import { HistoryFold } from "./history.ts";
import type { HookPoints } from "./hook_points.ts";
import type { Turn } from "./turn.ts";

/** Where durable events go. `append` keeps their order; `flush` resolves when they are on disk. */
export interface EventLog {
  append(event: DurableEvent): void;
  flush(): Promise<void>;
}

/** What turns work with. */
export type TurnWork = {
  dispatch: Omit<DispatchParts, "emit" | "hooks">;
  hooks: readonly Hook[];
  /** A request that fits the model's window. */
  fit(messages: readonly Message[]): Request;
  /** What a message of the person's is sent as. */
  said?(content: readonly Part[], signal: AbortSignal): Promise<readonly Part[]>;
};

export type HarnessParts = {
  log: EventLog;
  /** Events of the session so far, when it is resumed. */
  past: Iterable<DurableEvent>;
  /** The number of its first turn where no events say it: 1 by default. */
  firstTurn?: number;
  sinks: readonly Sink[];
  /** Asked once, for the first turn: a start needs none of it. */
  work(): Promise<TurnWork>;
  /** What has to be known before a turn's first request. */
  prepare(signal: AbortSignal): Promise<void>;
  provider(): Provider;
  /** See TurnParts. */
  mayGoOn(count: number, signal: AbortSignal): Promise<boolean>;
  mayRun(count: number): boolean;
  /** Whether reasoning is kept in the log. */
  keepsThinking(): boolean;
};

type Ready = Omit<TurnWork, "dispatch" | "hooks"> & {
  Turn: typeof Turn;
  dispatcher: Dispatcher;
  hooks: HookPoints;
};

/** A conversation. One turn at a time; `interrupt` ends the running one. */
export class Harness {
  readonly #parts: HarnessParts;
  readonly #fold = new HistoryFold();
  #ready: Promise<Ready> | undefined;
  #ids = new Set<string>();
  #turn = 0;
  #running: AbortController | undefined;
  #usage: Usage = NO_USAGE;

  constructor(parts: HarnessParts) {
    this.#parts = parts;
    this.#turn = (parts.firstTurn ?? 1) - 1;
    for (const event of parts.past) this.#note(event);
  }

  /** Put an event into the log (when durable), the history and every sink, in that order. */
  readonly emit: Sink = (event: Event): void => {
    if (isDurable(event)) {
      this.#note(event);
      this.#parts.log.append(event);
    }
    for (const sink of this.#parts.sinks) sink(event);
  };

  /** The history as it stands; always valid. */
  messages(): readonly Message[] {
    return this.#fold.messages();
  }

  /** See HistoryFold. */
  turns(): ReturnType<HistoryFold["turns"]> {
    return this.#fold.turns();
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Number of the newest turn; 0 before the first. */
  get turn(): number {
    return this.#turn;
  }

  /** What the session's own requests have cost so far, in tokens. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Stop the running turn; it still ends with a valid history. */
  interrupt(): void {
    this.#running?.abort(new DOMException("Interrupted by the person", "AbortError"));
  }

  /** Load what turns need; the first turn does it otherwise. */
  async makeReady(): Promise<void> {
    await (this.#ready ??= this.#load());
  }

  /** Run one turn. Never throws; a second turn while one runs is a bug of the caller. `attached` is sent as it is. */
  async say(
    content: readonly Part[],
    origin: UserMessage["origin"] = "person",
    attached: readonly Part[] = [],
  ): Promise<TurnOutcome> {
    if (this.#running !== undefined) throw new Error("A turn is already running");
    const controller = new AbortController();
    this.#running = controller;
    const { signal } = controller;
    // The server answers while what turns need is loaded; the turn hears what went wrong.
    const prepared = this.#parts.prepare(signal);
    prepared.catch(() => undefined);
    try {
      const ready = await (this.#ready ??= this.#load());
      const { Turn, dispatcher, fit, hooks } = ready;
      const parts = {
        ...this.#parts,
        prepare: () => prepared,
        dispatcher,
        fit,
        hooks,
        emit: this.emit,
        messages: () => this.messages(),
        flush: () => this.#parts.log.flush(),
        freshId: (id: string) => this.#freshId(id),
        keepsThinking: this.#parts.keepsThinking(),
      };
      const sent = origin === "person" ? await this.#sent(content, ready, signal) : content;
      return await new Turn(parts, this.#turn + 1, signal).run([...sent, ...attached], origin);
    } finally {
      this.#running = undefined;
    }
  }

  /** Add something to the conversation without a turn (the output of a `!` command). */
  add(text: string, origin: UserMessage["origin"]): void {
    const content = [{ type: "text", text }] as const;
    this.emit({ type: "message", message: { role: "user", content, origin } });
  }

  /** What cannot be made of a message, or not in time, leaves it as it was said. */
  async #sent(
    content: readonly Part[],
    { said }: Pick<Ready, "said">,
    signal: AbortSignal,
  ): Promise<readonly Part[]> {
    if (said === undefined) return content;
    try {
      return await orGivenUp(said(content, signal), signal, () => content);
    } catch (error) {
      const text = `What the message mentions was not read: ${describe(error)}`;
      this.emit({ type: "notice", level: "warn", text });
      return content;
    }
  }

  async #load(): Promise<Ready> {
    const [{ Turn }, { Dispatcher }, { HookPoints }, { dispatch, ...work }] = await Promise.all([
      import("./turn.ts"),
      import("./dispatch.ts"),
      import("./hook_points.ts"),
      this.#parts.work(),
    ]);
    const joined = { hooks: work.hooks, emit: this.emit };
    const hooks = new HookPoints(joined);
    return { ...work, Turn, hooks, dispatcher: new Dispatcher({ ...dispatch, ...joined }) };
  }

  #note(event: DurableEvent): void {
    this.#fold.add(event);
    if (event.type === "turn_start") this.#turn = event.turn;
    if (event.type === "usage" && event.purpose === "turn") {
      this.#usage = addUsage(this.#usage, event.usage);
    }
  }

  /** Ids are unique over the whole session: APIs refuse a history in which one comes twice. */
  #freshId(wanted: string): string {
    const base = wanted === "" ? `call_${crypto.randomUUID().slice(0, 8)}` : wanted;
    let id = base;
    for (let n = 2; this.#ids.has(id) || this.#fold.hasId(id); n += 1) id = `${base}-${n}`;
    this.#ids.add(id);
    return id;
  }
}
