/** What a list says about a session, folded from its events. */
import type { DurableEvent } from "@/protocol/event.ts";
import type { SessionRecord } from "@/protocol/session.ts";

/** A session in short. What was never said is absent. */
export type SessionSummary = {
  /** Fixed at creation; what the first `session` event says. */
  uid?: string;
  title: string;
  /** Where it was worked in last. */
  cwd?: string;
  profile?: string;
  /** The model last used, as PROVIDER/MODEL. */
  model?: string;
  /** Time of the first and the last record, ISO 8601 in UTC; empty when there is none. */
  createdAt: string;
  updatedAt: string;
  /** Turns that stand: rewinding takes them back. */
  turns: number;
  /** What the person said first. */
  firstText: string;
};

/** Types of events that change a summary; the others only move its time. */
export const SUMMARY_TYPES: ReadonlySet<string> = new Set<DurableEvent["type"]>([
  "session",
  "model",
  "title",
  "turn_start",
  "message",
  "rewind",
]);

const FIRST_TEXT_CHARS_MAX = 200;

/** Folds one record at a time, so that a long file is read without being held. */
export class SummaryFold {
  readonly #summary: SessionSummary = {
    title: "",
    createdAt: "",
    updatedAt: "",
    turns: 0,
    firstText: "",
  };

  /** The time of a record, whatever its event says. */
  see(at: string): void {
    if (this.#summary.createdAt === "") this.#summary.createdAt = at;
    this.#summary.updatedAt = at;
  }

  add({ at, event }: SessionRecord): void {
    this.see(at);
    const summary = this.#summary;
    switch (event.type) {
      case "session":
        summary.uid ??= event.uid;
        summary.cwd = event.cwd;
        summary.profile = event.profile;
        break;
      case "model":
        summary.model = `${event.provider}/${event.model}`;
        break;
      case "title":
        summary.title = event.title;
        break;
      case "turn_start":
        summary.turns = event.turn;
        break;
      case "rewind":
        summary.turns = Math.min(summary.turns, event.toTurn);
        break;
      case "message":
        if (summary.firstText === "") summary.firstText = firstTextOf(event);
        break;
      case "persona":
      case "decision":
      case "tool_end":
      case "edit":
      case "usage":
      case "compaction":
      case "replaced":
      case "notice":
      case "turn_end":
        break;
      default:
        event satisfies never;
    }
  }

  /** Whether the first words are still wanted. */
  get wantsText(): boolean {
    return this.#summary.firstText === "";
  }

  summary(): SessionSummary {
    return { ...this.#summary };
  }
}

/** The summary of a whole session. */
export function toSummary(records: Iterable<SessionRecord>): SessionSummary {
  const fold = new SummaryFold();
  for (const record of records) fold.add(record);
  return fold.summary();
}

function firstTextOf({ message }: Extract<DurableEvent, { type: "message" }>): string {
  if (message.role !== "user" || message.origin !== "person") return "";
  const texts = message.content.map((part) => part.type === "text" ? part.text : "");
  const words = texts.join(" ").replace(/\s+/g, " ").trim();
  return Array.from(words.slice(0, 2 * FIRST_TEXT_CHARS_MAX)).slice(0, FIRST_TEXT_CHARS_MAX)
    .join("");
}
