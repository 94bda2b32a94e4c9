/** Names and ids of calls as every API takes them. */
import type { Message } from "@/protocol/message.ts";

/** Gives each call of a reply an id that no other call of the conversation has. */
export class CallIds {
  readonly #taken = new Set<string>();
  readonly #newId: () => string;

  constructor(messages: readonly Message[], newId: () => string) {
    this.#newId = newId;
    for (const message of messages) {
      if (message.role !== "assistant") continue;
      for (const block of message.content) {
        if (block.type === "tool_call") this.#taken.add(block.id);
      }
    }
  }

  /** The id that came, if it did and is free; else a new one. */
  unique(id: unknown): string {
    const came = typeof id === "string" && id !== "" && !this.#taken.has(id) ? id : undefined;
    let chosen = came ?? this.#newId();
    while (this.#taken.has(chosen)) chosen = this.#newId();
    this.#taken.add(chosen);
    return chosen;
  }
}

/** A new id that nobody else will make: letters and digits, 21 characters. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}

/**
 * The name of a call as the model meant it: without the markers of its chat template and the namespaces that some
 * servers leave in front (`functions.read_file<|channel|>commentary`).
 */
export function cleanCallName(name: unknown): string {
  if (typeof name !== "string") return "";
  return name.replace(/<\|[\s\S]*$/, "").trim().replace(/^(?:functions|default_api)[.:]/, "");
}

/** A name that every API takes back in a history, whatever a model once made of it. */
export function portableName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  return /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`.slice(0, 64);
}
