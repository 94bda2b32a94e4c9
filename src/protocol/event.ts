/** What happens in a session. Durable events are the session log; live ones only move the screen. */
import type { Message, StopReason } from "./message.ts";
import type { Decision } from "./policy.ts";
import type { Usage } from "./provider.ts";

/** How a turn ended: the last reply's stop reason, a limit of ours, or an error. */
export type TurnStop = StopReason | "limit" | "error";

/** Kept in the session log; replaying these redraws the transcript exactly. Time stands on the record, not the event. */
export type DurableEvent =
  | { type: "session"; uid: string; cwd: string; profile: string }
  /** Who answers from now on; one that stands in does so for a while, and is not the conversation's own. */
  | { type: "model"; provider: string; model: string; standsIn?: true }
  | { type: "title"; title: string }
  /** Who the model is to be from the next request on, in the person's words; "" for nobody in particular. */
  | { type: "persona"; text: string }
  | { type: "turn_start"; turn: number }
  | { type: "message"; message: Message }
  /** The final decision on a call, exactly once a call; `asked` says whether a question was put. */
  | { type: "decision"; callId: string; decision: Decision; asked: boolean }
  /** What the closed card says, and what it showed (clipped) while the tool ran. */
  | { type: "tool_end"; callId: string; summary: string; ms: number; shown?: string }
  | { type: "edit"; journalId: string; tool: string; paths: readonly string[]; commit?: string }
  /** `provider` is told where it is not the conversation's own. */
  | { type: "usage"; usage: Usage; purpose: UsagePurpose; model: string; provider?: string }
  /** The messages of the history before `keepFrom` become one summary, behind those that stay word for word. */
  | { type: "compaction"; summary: string; keepFrom: number; keep?: readonly KeptMessage[] }
  /** The message at `index` of the history is replaced by a placeholder, for good: a server rejects it. */
  | { type: "replaced"; index: number; reason: string }
  | { type: "rewind"; toTurn: number }
  | { type: "notice"; level: "info" | "warn" | "error"; text: string; about?: string }
  | { type: "turn_end"; turn: number; stop: TurnStop };

/** A message that a compaction leaves where it is, by its place in the history; with `text`, that is all that is left of it. */
export type KeptMessage = { index: number; text?: string };

/** What a request was paid for. "question": a short one in between, outside of the conversation. */
export type UsagePurpose = "turn" | "title" | "question" | "compaction" | "subagent";

/** What is happening now; not kept. */
export type LiveEvent =
  | { type: "delta"; channel: "text" | "thinking"; text: string }
  /** What the deltas since the last message showed is void. */
  | { type: "reply_discarded"; reason: string }
  | { type: "retry"; reason: string; attempt: number; waitMs: number }
  | { type: "tool_start"; callId: string; name: string; summary: string }
  | { type: "tool_output"; callId: string; chunk: string }
  /** The harness's own voice about a running call, before there is a result. */
  | { type: "tool_say"; callId: string; line: string };

/** Everything that is emitted, in order. */
export type Event = DurableEvent | LiveEvent;

/** Takes events in order. Never throws and never waits. */
export type Sink = (event: Event) => void;

const LIVE_TYPES: ReadonlySet<string> = new Set<LiveEvent["type"]>([
  "delta",
  "reply_discarded",
  "retry",
  "tool_start",
  "tool_output",
  "tool_say",
]);

/** Whether an event belongs in the session log. */
export function isDurable(event: Event): event is DurableEvent {
  return !LIVE_TYPES.has(event.type);
}
