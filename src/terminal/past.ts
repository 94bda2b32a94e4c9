/** The end of what was said before, for a screen that only writes lines. */
import type { DurableEvent } from "@/protocol/event.ts";
import type { Part, ToolCallBlock } from "@/protocol/message.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { counted } from "@/lib/counted.ts";
import { endedCallsText } from "./call_text.ts";

/** This many events of a conversation are shown again. */
const SHOWN_MAX = 60;

/** One thing, as text that stands by itself or as the events of what the screen tells anyway. */
export type PastItem = { kind: "text"; text: string } | {
  kind: "events";
  events: readonly DurableEvent[];
};

/** The last of what was said and done, oldest first; turns that were taken back are no part of it. */
export function pastItems(records: readonly SessionRecord[]): PastItem[] {
  let items: (PastItem & { turn: number })[] = [];
  let turn = 0;
  /** Events of calls that have not ended: a call is told as a whole. */
  const calls = new Map<string, DurableEvent[]>();
  /** What was asked for and has not ended, by the names of the tools. */
  const open = new Map<string, string>();
  const endCalls = () => {
    const text = endedCallsText([...open.values()]);
    open.clear();
    if (text === "") return;
    items.push({ kind: "events", events: [{ type: "notice", level: "info", text }], turn });
  };
  for (const { event } of records) {
    if (event.type === "turn_start") {
      endCalls();
      turn = event.turn;
    }
    if (event.type === "rewind") {
      items = items.filter((item) => item.turn <= event.toTurn);
      turn = event.toTurn;
      open.clear();
    }
    const callId = callOf(event);
    if (callId !== undefined) {
      const events = [...calls.get(callId) ?? [], event];
      calls.set(callId, events);
      if (event.type !== "tool_end") continue;
      calls.delete(callId);
      open.delete(callId);
      items.push({ kind: "events", events, turn });
      continue;
    }
    for (const { id, name } of callsIn(event)) open.set(id, name);
    const item = itemOf(event);
    if (item !== undefined) items.push({ ...item, turn });
  }
  endCalls();
  const left = items.length - SHOWN_MAX;
  const shown = items.slice(-SHOWN_MAX).map(({ turn: _, ...item }) => item);
  if (left <= 0) return shown;
  return [
    { kind: "text", text: `… ${counted(left, "earlier item")}; /export holds them` },
    ...shown,
  ];
}

/** The call that an event is about. */
function callOf(event: DurableEvent): string | undefined {
  if (event.type === "tool_end" || event.type === "decision") return event.callId;
  return event.type === "message" && event.message.role === "tool"
    ? event.message.callId
    : undefined;
}

function callsIn(event: DurableEvent): readonly ToolCallBlock[] {
  if (event.type !== "message" || event.message.role !== "assistant") return [];
  return event.message.content.filter((block) => block.type === "tool_call");
}

function itemOf(event: DurableEvent): PastItem | undefined {
  switch (event.type) {
    case "message":
      return messageItem(event);
    case "notice":
    case "edit":
      return { kind: "events", events: [event] };
    default:
      return undefined;
  }
}

function messageItem({ message }: Extract<DurableEvent, { type: "message" }>) {
  if (message.role === "tool") return undefined; // A call is told as a whole.
  const said = message.content.flatMap((part) => part.type === "text" ? [part.text] : []);
  if (message.role === "assistant") return textItem(said.join(""));
  if (message.origin === "person") return textItem(`you: ${firstText(message.content)}`);
  return message.origin === "shell" ? textItem(said.join("\n")) : undefined;
}

/** What the person wrote; what was attached to it is not shown again. */
function firstText(content: readonly Part[]): string {
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}

function textItem(text: string): PastItem | undefined {
  return text.trim() === "" ? undefined : { kind: "text", text };
}
