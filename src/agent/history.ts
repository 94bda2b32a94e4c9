/**
 * The history that a provider is sent, folded from the session's events. It is valid on every path: whatever the
 * log ends in (an interrupt, a kill, a torn file), each call in it has exactly one result, in order.
 */
import type {
  AssistantMessage,
  Block,
  Message,
  Part,
  ToolMessage,
  UserMessage,
} from "@/protocol/message.ts";
import type { DurableEvent, KeptMessage } from "@/protocol/event.ts";

const SUMMARY_HEAD = "<SUMMARY>";
/** What is known of a call without a result: whether it was let through, and so may have begun. */
const NEVER_ANSWERED = {
  notBegun: { status: "not_run", text: "the session ended before this call had a result" },
  begun: {
    status: "interrupted",
    text:
      "The session ended while this call ran. What it had done by then stands; see what is there",
  },
} as const;

/** Folds events into messages one at a time, so that a long session pays for each event once. */
export class HistoryFold {
  #messages: Message[] = [];
  /** Where each turn begins in the messages. */
  #turnStarts = new Map<number, number>();
  /** Every turn that stands, in order. */
  #turns: number[] = [];
  /** Calls of the newest assistant message that have no result yet, in order; `logId` is the id that the log knows. */
  #open: { logId: string; id: string; name: string; hasBegun?: boolean }[] = [];
  #usedIds = new Set<string>();

  add(event: DurableEvent): void {
    switch (event.type) {
      case "message":
        this.#addMessage(event.message);
        break;
      case "turn_start":
        this.#closeOpen();
        this.#turnStarts.set(event.turn, this.#messages.length);
        this.#turns.push(event.turn);
        break;
      case "compaction":
        this.#compact(event);
        break;
      case "decision":
        this.#begin(event);
        break;
      case "replaced":
        this.#replace(event.index, event.reason);
        break;
      case "rewind":
        this.#rewind(event.toTurn);
        break;
      case "session":
      case "model":
      case "title":
      case "persona":
      case "tool_end":
      case "edit":
      case "usage":
      case "notice":
      case "turn_end":
        break; // Nothing of these is said to the model.
      default:
        event satisfies never;
    }
  }

  /** The valid history as it stands; calls still open are closed in the copy, not in the fold. */
  messages(): readonly Message[] {
    return [...this.#messages, ...this.#closings()];
  }

  /** The turns that stand, in order, and where each begins in the messages; one that begins in a summary, nowhere. */
  turns(): readonly { turn: number; at: number | undefined }[] {
    return this.#turns.map((turn) => ({ turn, at: this.#turnStarts.get(turn) }));
  }

  /** Ids that a new call must not take. */
  hasId(id: string): boolean {
    return this.#usedIds.has(id);
  }

  #addMessage(message: Message): void {
    if (message.role === "tool") {
      const at = this.#open.findIndex(({ logId }) => logId === message.callId);
      const call = this.#open[at];
      if (call === undefined) return; // A result without its call would be refused by every API.
      this.#open.splice(at, 1);
      this.#messages.push({ ...message, callId: call.id, name: call.name });
      return;
    }
    this.#closeOpen();
    if (message.role === "user") {
      if (hasSubstance(message)) this.#messages.push(message);
      return;
    }
    const kept = this.#keepBlocks(message);
    if (kept.content.length > 0) this.#messages.push(kept);
  }

  /** Drops empty text and gives every call an id that no other call of the session has. */
  #keepBlocks(message: AssistantMessage): AssistantMessage {
    const content: Block[] = [];
    for (const block of message.content) {
      if (block.type === "text" && block.text.trim() === "" && block.private === undefined) {
        continue;
      }
      if (block.type === "thinking" && block.text === "" && block.private === undefined) continue;
      if (block.type !== "tool_call") {
        content.push(block);
        continue;
      }
      const id = this.#freshId(block.id);
      this.#open.push({ logId: block.id, id, name: block.name });
      content.push(id === block.id ? block : { ...block, id });
    }
    // Thinking alone is no message: no API takes an assistant turn without text or call.
    if (content.every((block) => block.type === "thinking")) return { ...message, content: [] };
    return { ...message, content };
  }

  #freshId(wanted: string): string {
    let id = wanted === "" ? "call" : wanted;
    for (let n = 2; this.#usedIds.has(id); n += 1) id = `${wanted}-${n}`;
    this.#usedIds.add(id);
    return id;
  }

  #begin({ callId, decision }: Extract<DurableEvent, { type: "decision" }>): void {
    const call = this.#open.find(({ logId }) => logId === callId);
    if (call !== undefined) call.hasBegun = decision.verdict === "allow";
  }

  #closings(): ToolMessage[] {
    return this.#open.map(({ id, name, hasBegun = false }) => ({
      role: "tool",
      callId: id,
      name,
      result: NEVER_ANSWERED[hasBegun ? "begun" : "notBegun"],
    }));
  }

  #closeOpen(): void {
    this.#messages.push(...this.#closings());
    this.#open = [];
  }

  #compact({ summary, keepFrom, keep = [] }: Extract<DurableEvent, { type: "compaction" }>): void {
    this.#closeOpen();
    let gone = Math.min(keepFrom, this.#messages.length);
    while (this.#messages[gone]?.role === "tool") gone += 1;
    const head = [...staying(this.#messages.slice(0, gone), keep), summaryMessage(summary)];
    this.#messages.splice(0, gone, ...head);
    // Of turns whose beginning is in the summary there is nothing to go back to.
    const starts = [...this.#turnStarts].filter(([, start]) => start >= gone);
    this.#turnStarts = new Map(starts.map(([turn, start]) => [turn, start - gone + head.length]));
  }

  #replace(index: number, reason: string): void {
    const message = this.#messages[index];
    if (message !== undefined) this.#messages[index] = placeholder(message, reason);
  }

  #rewind(toTurn: number): void {
    this.#turns = this.#turns.filter((turn) => turn <= toTurn);
    const later = [...this.#turnStarts].filter(([turn]) => turn > toTurn);
    if (later.length === 0) return;
    this.#messages.length = Math.min(...later.map(([, start]) => start));
    this.#open = [];
    for (const [turn] of later) this.#turnStarts.delete(turn);
  }
}

/** The history of a whole log. */
export function toHistory(events: Iterable<DurableEvent>): readonly Message[] {
  const fold = new HistoryFold();
  for (const event of events) fold.add(event);
  return fold.messages();
}

/** What a strict API would refuse in a history, as a sentence; undefined when it is valid. */
export function historyProblem(messages: readonly Message[]): string | undefined {
  return new HistoryCheck().problem(messages);
}

/** Checks a history that grows: what was found valid and is still there is not looked at again. */
export class HistoryCheck {
  #valid: readonly Message[] = [];
  #open = new Set<string>();
  #seen = new Set<string>();

  /** See `historyProblem`. */
  problem(messages: readonly Message[]): string | undefined {
    if (commonLength(this.#valid, messages) < this.#valid.length) this.#restart();
    for (let at = this.#valid.length; at < messages.length; at += 1) {
      const message = messages[at];
      const problem = message && this.#next(message);
      if (problem === undefined) continue;
      this.#restart();
      return problem;
    }
    this.#valid = messages;
    return this.#unanswered();
  }

  #next(message: Message): string | undefined {
    if (message.role === "tool") {
      const isKnown = this.#open.delete(message.callId);
      return isKnown ? undefined : `result for unknown call "${message.callId}"`;
    }
    const unanswered = this.#unanswered();
    if (unanswered !== undefined) return unanswered;
    if (message.role === "user") {
      return hasSubstance(message) ? undefined : "a user message without content";
    }
    if (message.content.length === 0) return "an assistant message without content";
    for (const block of message.content) {
      if (block.type !== "tool_call") continue;
      if (this.#seen.has(block.id)) return `two calls with the id "${block.id}"`;
      this.#seen.add(block.id);
      this.#open.add(block.id);
    }
    return undefined;
  }

  #unanswered(): string | undefined {
    if (this.#open.size === 0) return undefined;
    return `calls without a result: ${[...this.#open].join(", ")}`;
  }

  #restart(): void {
    this.#valid = [];
    this.#open = new Set();
    this.#seen = new Set();
  }
}

/** How many messages two histories begin with alike: the same objects, not only the same contents. */
export function commonLength(one: readonly Message[], other: readonly Message[]): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}

function hasSubstance(message: UserMessage): boolean {
  return message.content.some((part) => part.type === "image" || part.text.trim() !== "");
}

/** Of messages that a compaction replaces, those that stay: a reply with calls together with all their results. */
function staying(messages: readonly Message[], keep: readonly KeptMessage[]): Message[] {
  const kept = new Map(keep.map(({ index, text }) => [index, text]));
  let isStep = false;
  return messages.flatMap((message, at) => {
    if (message.role !== "tool") isStep = message.role === "assistant" && kept.has(at);
    if (!(message.role === "user" ? kept.has(at) : isStep)) return [];
    const text = kept.get(at);
    return [text === undefined || text.trim() === "" ? message : withText(message, text)];
  });
}

/** A message of the person's or a result with other words in it. */
function withText(message: Message, text: string): Message {
  switch (message.role) {
    case "user":
      return { ...message, content: [{ type: "text", text }] };
    case "tool":
      return { ...message, result: { ...message.result, text } };
    case "assistant":
      return message;
  }
}

function summaryMessage(summary: string): UserMessage {
  const text = `${SUMMARY_HEAD}\n${summary}\n</SUMMARY>`;
  return { role: "user", origin: "hook", content: [{ type: "text", text }] };
}

/** Whether a message is what a compaction has made. */
export function isSummary(message: Message): boolean {
  if (message.role !== "user" || message.origin !== "hook") return false;
  const [first] = message.content;
  return first?.type === "text" && first.text.startsWith(SUMMARY_HEAD);
}

/** Images are what servers reject: what was said beside them stays. */
function placeholder(message: Message, reason: string): Message {
  const text = `[removed: ${reason}]`;
  switch (message.role) {
    case "user": {
      const said = imageBytes(message.content) > 0 ? withoutImages(message.content) : [];
      return { ...message, content: [...said, { type: "text", text }] };
    }
    case "tool": {
      const { status, text: told, parts = [] } = message.result;
      const isImage = imageBytes(parts) > told.length;
      return { ...message, result: { status, text: isImage ? `${told}\n${text}` : text } };
    }
    case "assistant": {
      const calls = message.content.filter((block) => block.type === "tool_call");
      return { ...message, content: [{ type: "text", text }, ...calls] };
    }
  }
}

function withoutImages(parts: readonly Part[]): Part[] {
  return parts.filter(({ type }) => type !== "image");
}

/** Bytes of the images among parts. */
export function imageBytes(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + (part.type === "image" ? part.data.length : 0), 0);
}
