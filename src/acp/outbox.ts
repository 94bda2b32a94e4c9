/** What a client is still to be told of a session, in order. Nobody waits for a client that reads slowly. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";

/** Sends one update; resolves when it is written, and rejects when the client is gone. */
export type Send = (update: SessionUpdate) => Promise<void>;

/**
 * A queue that does not grow with the number of events: while one update is being written, pieces of one message become
 * one piece, and of what a call prints only the newest state is kept.
 */
export class Outbox {
  readonly #send: Send;
  #waiting: SessionUpdate[] = [];
  #sending: Promise<void> | undefined;
  #isOpen = false;

  constructor(send: Send) {
    this.#send = send;
  }

  /** From now on it sends; until then everything waits: a client does not know the session yet. */
  open(): void {
    this.#isOpen = true;
    if (this.#waiting.length > 0) this.#sending ??= this.#sendAll();
  }

  /** Never throws and never waits. */
  push(update: SessionUpdate): void {
    const last = this.#waiting.at(-1);
    const merged = last === undefined ? undefined : mergedWith(last, update);
    if (merged === undefined) this.#waiting.push(update);
    else this.#waiting.splice(-1, 1, merged);
    if (this.#isOpen) this.#sending ??= this.#sendAll();
  }

  /** Resolves when everything that was pushed is written, or nobody is left to read it. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.#send(next);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.#waiting = []; // The connection is closed; whoever serves it ends the sessions.
      }
    }
    this.#sending = undefined;
  }
}

/** Both as one; undefined where the first has to be told by itself. */
function mergedWith(last: SessionUpdate, next: SessionUpdate): SessionUpdate | undefined {
  if (isChunk(last) && isChunk(next)) {
    const isSame = last.sessionUpdate === next.sessionUpdate && last.messageId === next.messageId;
    if (!isSame || last.content.type !== "text" || next.content.type !== "text") return undefined;
    const text = last.content.text + next.content.text;
    return { ...next, content: { ...next.content, text } };
  }
  const progress = progressOf(next);
  return progress !== undefined && progress === progressOf(last) ? next : undefined;
}

function isChunk(update: SessionUpdate) {
  return update.sessionUpdate === "agent_message_chunk" ||
    update.sessionUpdate === "agent_thought_chunk";
}

/** The call of which all that is said is what it has printed until now. */
function progressOf(update: SessionUpdate): string | undefined {
  if (update.sessionUpdate !== "tool_call_update" || update.content === undefined) return undefined;
  return update.status === undefined && update.title === undefined ? update.toolCallId : undefined;
}
