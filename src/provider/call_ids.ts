/** Names and ids of calls as every API takes them. */
import type { Message } from "@/protocol/message.ts";

/** Gives each call of a reply an id that no other call of the conversation has. */
export class CallIds {
  readonly #messages: readonly Message[];
  readonly #newId: () => string;
  readonly #given = new Set<string>();

  constructor(messages: readonly Message[], newId: () => string) {
    this.#messages = messages;
    this.#newId = newId;
  }

  /** The id that came, if it did and is free; else a new one. */
  unique(id: unknown): string {
    const came = typeof id === "string" && id !== "" && !this.#isTaken(id) ? id : undefined;
    let chosen = came ?? this.#newId();
    while (this.#isTaken(chosen)) chosen = this.#newId();
    this.#given.add(chosen);
    return chosen;
  }

  #isTaken(id: string): boolean {
    return this.#given.has(id) || this.#messages.some((message) =>
      message.role === "assistant" &&
      message.content.some((block) => block.type === "tool_call" && block.id === id)
    );
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
