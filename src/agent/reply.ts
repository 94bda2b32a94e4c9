/** Reads one reply off a provider's stream: shows it as it comes, and hands back the complete message. */
import type { Block, ProviderPrivate, StopReason, ToolCallBlock } from "@/protocol/message.ts";
import type { Sink } from "@/protocol/event.ts";
import type { ProviderEvent, Usage } from "@/protocol/provider.ts";
import { describe } from "@/lib/describe.ts";

/** One reply, complete. `usage` is absent when the stream was interrupted before the server told it. */
export type Reply = {
  blocks: readonly Block[];
  calls: readonly ToolCallBlock[];
  text: string;
  stop: StopReason;
  usage?: Usage;
  model?: string;
  private?: readonly ProviderPrivate[];
  /** As the provider says it. */
  cut?: string;
};

export type ReceiveOptions = {
  emit: Sink;
  signal: AbortSignal;
  /** The model that was asked: what a broken try had cost is told under its name. */
  model: string;
  /** Whether reasoning is kept in the log; otherwise only its opaque private data is. */
  keepsThinking: boolean;
  /** Name of the provider that is asked. */
  provider: string;
  /** Turns the wire's call id into one that no other call of the session has. */
  freshId(id: string): string;
};

/** Read a stream to its end. Throws what the provider throws; an interrupt gives the partial reply with stop "abort". */
export async function receive(
  stream: AsyncIterable<ProviderEvent>,
  options: ReceiveOptions,
): Promise<Reply> {
  const draft = new Draft(options);
  try {
    for await (const event of stream) {
      const reply = draft.take(event);
      if (reply !== undefined) return reply;
      if (options.signal.aborted) return draft.aborted();
    }
  } catch (error) {
    if (options.signal.aborted) return draft.aborted();
    draft.discard(describe(error));
    throw error;
  }
  if (options.signal.aborted) return draft.aborted();
  throw new Error("The provider's stream ended without saying that it was done");
}

class Draft {
  #blocks: Block[] = [];
  readonly #options: ReceiveOptions;

  constructor(options: ReceiveOptions) {
    this.#options = options;
  }

  /** Takes one event; the reply when it was the last. */
  take(event: ProviderEvent): Reply | undefined {
    const { emit } = this.#options;
    switch (event.type) {
      case "delta":
        if (event.text === "") return undefined;
        this.#append(event.channel, event.text);
        emit(event);
        return undefined;
      case "block_end":
        this.#seal(event.channel, event.private);
        return undefined;
      case "tool_call":
        this.#blocks.push({ ...event, id: this.#options.freshId(event.id) });
        return undefined;
      case "retry":
        if (event.discarded) this.discard(event.reason);
        if (event.usage !== undefined) {
          const { model } = this.#options;
          emit({ type: "usage", usage: event.usage, purpose: "turn", model });
        }
        // Attempt 0: nothing is tried again, only what was shown is void.
        if (event.attempt > 0) {
          const { reason, attempt, waitMs } = event;
          emit({ type: "retry", reason, attempt, waitMs });
        }
        return undefined;
      case "notice":
        emit(event);
        return undefined;
      case "done":
        return this.#done(event);
      default:
        event satisfies never;
        return undefined;
    }
  }

  /** The reply broke off: what was shown of it is void. */
  discard(reason: string): void {
    if (this.#blocks.length > 0) this.#options.emit({ type: "reply_discarded", reason });
    this.#blocks = [];
  }

  /** What was said before the interrupt: text only, since a call of a broken reply is never run. */
  aborted(): Reply {
    const blocks = this.#blocks.filter((block) => block.type === "text");
    return { blocks, calls: [], text: textOf(blocks), stop: "abort" };
  }

  #done(event: Extract<ProviderEvent, { type: "done" }>): Reply {
    const blocks = this.#kept();
    const calls = blocks.filter((block) => block.type === "tool_call");
    return {
      blocks,
      calls,
      text: textOf(blocks),
      stop: event.stop,
      usage: event.usage,
      model: event.model,
      ...(event.private === undefined ? {} : { private: event.private }),
      ...(event.cut === undefined ? {} : { cut: event.cut }),
    };
  }

  #kept(): Block[] {
    const kept: Block[] = [];
    for (const block of this.#blocks) {
      if (block.type === "thinking") {
        const { keepsThinking, provider, model } = this.#options;
        if (keepsThinking) kept.push({ ...block, by: `${provider}/${model}` });
        else if (block.private !== undefined) kept.push({ ...block, text: "" });
      } else if (block.type !== "text" || block.text.trim() !== "" || block.private !== undefined) {
        kept.push(block);
      }
    }
    return kept;
  }

  #append(channel: "text" | "thinking", text: string): void {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.type === channel && last.private === undefined) {
      last.text += text;
    } else this.#blocks.push({ type: channel, text });
  }

  #seal(channel: "text" | "thinking", data: ProviderPrivate): void {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.type === channel && last.private === undefined) {
      last.private = data;
    } else this.#blocks.push({ type: channel, text: "", private: data });
  }
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => block.type === "text" ? [block.text] : []).join("");
}
