/** From the history to a reply: a request that fits, sent once all before it is on disk, and what mends one that fails. */
import type { Message } from "@/protocol/message.ts";
import type { Sink } from "@/protocol/event.ts";
import { type Provider, ProviderError, type Request } from "@/protocol/provider.ts";
import { describe } from "@/lib/describe.ts";
import { HistoryCheck } from "./history.ts";
import type { HookPoints } from "./hook_points.ts";
import { largestItem } from "./notes.ts";
import { receive, type Reply } from "./reply.ts";

/** What asking takes. `messages` is the history as folded now; `fit` makes a request of it that fits the window. */
export type AskingParts = {
  provider(): Provider;
  messages(): readonly Message[];
  fit(messages: readonly Message[]): Request;
  hooks: HookPoints;
  emit: Sink;
  /** Resolves when every durable event emitted so far is on disk. */
  flush(): Promise<void>;
  freshId(id: string): string;
  keepsThinking: boolean;
};

/** How often what stands in the way of one request is changed. */
const MENDS_MAX = 6;
/** How many messages of one turn are replaced by placeholders. */
const REPLACEMENTS_MAX = 3;

/** Asks the model for one turn. */
export class Asking {
  readonly #parts: AskingParts;
  readonly #signal: AbortSignal;
  readonly #check = new HistoryCheck();
  /** The placeholders that this turn has put in the place of messages. */
  readonly #replaced = new Set<Message | undefined>();
  #requests = 0;
  #begun: Promise<void> | undefined;

  constructor(parts: AskingParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** How many requests were made. */
  get requests(): number {
    return this.#requests;
  }

  /** A reply, asked for again as long as something can be changed about what stands in its way. */
  async reply(): Promise<Reply> {
    for (let mends = 0;; mends += 1) {
      const messages = this.#parts.messages();
      try {
        return await this.#request(messages);
      } catch (error) {
        if (!(error instanceof ProviderError) || mends >= MENDS_MAX) throw error;
        const isChanged = this.#replaceRejected(error, messages) ||
          await this.#parts.hooks.isMended(error, this.#signal);
        this.#signal.throwIfAborted();
        if (!isChanged) throw error;
      }
    }
  }

  /** Begin what the next `flush` will wait for. */
  flushSoon(): void {
    this.#begun = this.flush();
  }

  /** What cannot be saved is said and kept in memory; it is no reason to stop working. */
  async flush(): Promise<void> {
    await this.#begun;
    try {
      await this.#parts.flush();
    } catch (error) {
      this.#parts.emit({ type: "notice", level: "error", text: describe(error) });
    }
  }

  async #request(messages: readonly Message[]): Promise<Reply> {
    const { emit, fit, freshId, keepsThinking } = this.#parts;
    // The disk takes longest, so the request is made meanwhile.
    const after = this.flush();
    const problem = this.#check.problem(messages);
    if (problem !== undefined) throw new Error(`The history is not valid: ${problem}`);
    const request = fit(messages);
    this.#requests += 1;
    const provider = this.#parts.provider();
    const { model } = request;
    const signal = this.#signal;
    const more = { emit, signal, keepsThinking, model, freshId };
    const events = provider.stream({ ...request, after }, signal);
    return await receive(events, { provider: provider.name, ...more });
  }

  /** Replace, for good, the item that a server rejected: the one it named, else the largest. False without any. */
  #replaceRejected(error: ProviderError, messages: readonly Message[]): boolean {
    const { kind, messageIndex } = error;
    const isOfItem = kind === "too_large" ||
      kind === "invalid_request" && messageIndex !== undefined;
    if (!isOfItem || this.#replaced.size >= REPLACEMENTS_MAX) return false;
    const index = messageIndex ?? largestItem(messages);
    // What was replaced already is not what the server minds.
    if (index === undefined || messages[index] === undefined) return false;
    if (this.#replaced.has(messages[index])) return false;
    const reason = `the server rejected it (${error.message})`;
    const { emit } = this.#parts;
    emit({ type: "replaced", index, reason });
    this.#replaced.add(this.#parts.messages()[index]);
    const text = `One item of the conversation was replaced by a placeholder: ${reason}`;
    emit({ type: "notice", level: "warn", text });
    return true;
  }
}
