/** Events as the protocol's session updates: live as they happen, or replayed from a session's log. */
import type { SessionUpdate, ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import { endOf } from "@/lib/clip.ts";
import { META_DIFF } from "@/lib/tool_meta.ts";
import { visible } from "@/lib/visible.ts";
import type { Event } from "@/protocol/event.ts";
import type { Message, ToolCallBlock } from "@/protocol/message.ts";
import type { Usage } from "@/protocol/provider.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import type { ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { type CallFacts, callFacts } from "./call_facts.ts";
import { diffContent, firstLine, partBlock, shown, textBlock, verbatim } from "./content.ts";

/** What a running call has printed, as far back as it is shown. */
const PRINTED_CHARS_MAX = 8_000;

export type UpdatesParts = {
  workspace: string;
  /** The tool that a call means; undefined when none does. */
  tool(name: string): ToolSpec | undefined;
  push(update: SessionUpdate): void;
  /** Whether the client shows notices as such; others read them as text of the agent. */
  takesNotices: boolean;
  /** What of the window is in use after a request, and what the session has cost in dollars, if that is known. */
  used(usage: Usage): { used: number; size: number; cost?: number };
};

type OpenCall = CallFacts & { printed: string; result?: ToolResult };
type Notice = Extract<Event, { type: "notice" }>;

/** One session's updates. */
export class Updates {
  readonly #parts: UpdatesParts;
  readonly #calls = new Map<string, OpenCall>();
  #message = 1;
  /** An error that the answer to the prompt may carry as well: told once. */
  #error: Notice | undefined;

  constructor(parts: UpdatesParts) {
    this.#parts = parts;
  }

  /** Whether the client was told of a call and not yet of its end. */
  knows(callId: string): boolean {
    return this.#calls.has(callId);
  }

  /** Takes events as they happen. */
  readonly sink = (event: Event): void => {
    if (event.type !== "turn_end") this.#tellError();
    this.#take(event, true);
  };

  /** The turn is over: an error that nobody else tells is told now. */
  turnOver(isErrorTold: boolean): void {
    if (isErrorTold) this.#error = undefined;
    this.#tellError();
  }

  /** Tell a session from before, without the turns that were taken back. */
  replay(records: readonly SessionRecord[]): void {
    for (const { event } of standing(records)) {
      if (event.type !== "notice") this.#take(event, false);
    }
  }

  #take(event: Event, isLive: boolean): void {
    const { push, used } = this.#parts;
    switch (event.type) {
      case "delta":
        this.#say(event.channel === "text" ? "agent_message_chunk" : "agent_thought_chunk", event);
        break;
      case "reply_discarded":
        this.#message += 1;
        break;
      case "message":
        this.#takeMessage(event.message, isLive);
        break;
      case "tool_start":
        this.#patch(event.callId, {
          status: "in_progress",
          title: visible(event.summary, { oneLine: true }),
        });
        break;
      case "tool_output":
        this.#print(event.callId, event.chunk);
        break;
      case "tool_say":
        this.#print(event.callId, `${event.line}\n`);
        break;
      case "tool_end":
        this.#end(event.callId, event.summary);
        break;
      case "usage": {
        if (!isLive || event.purpose !== "turn") break;
        const { cost, ...counts } = used(event.usage);
        push({
          sessionUpdate: "usage_update",
          ...counts,
          ...(cost === undefined ? {} : { cost: { amount: cost, currency: "USD" } }),
        });
        break;
      }
      case "title":
        push({ sessionUpdate: "session_info_update", title: visible(event.title) });
        break;
      case "notice":
        if (event.level === "error") this.#error = event;
        else this.#notice(event);
        break;
      case "retry":
        this.#notice({ type: "notice", level: "info", text: `${event.reason}; trying again` });
        break;
      case "session":
      case "model":
      case "persona":
      case "turn_start":
      case "decision":
      case "edit":
      case "compaction":
      case "replaced":
      case "rewind":
      case "turn_end":
        break; // Told by other events, or nothing to see.
      default:
        event satisfies never;
    }
  }

  #say(
    sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk",
    { text }: { text: string },
  ): void {
    if (text === "") return;
    const messageId = `${
      sessionUpdate === "agent_thought_chunk" ? "thought" : "message"
    }-${this.#message}`;
    this.#parts.push({ sessionUpdate, messageId, content: textBlock(text) });
  }

  #takeMessage(message: Message, isLive: boolean): void {
    switch (message.role) {
      case "user":
        if (!isLive) this.#replayUser(message);
        break;
      case "assistant":
        for (const block of message.content) {
          if (block.type === "tool_call") this.#begin(block);
          else if (!isLive && block.type === "text") this.#say("agent_message_chunk", block);
        }
        this.#message += 1;
        break;
      case "tool": {
        const call = this.#calls.get(message.callId);
        if (call !== undefined) call.result = message.result;
        break;
      }
      default:
        message satisfies never;
    }
  }

  /** What the person wrote; what was attached to it is not shown again. */
  #replayUser({ content, origin }: Extract<Message, { role: "user" }>): void {
    const [first] = content;
    if (origin !== "person" || first === undefined) return;
    const messageId = `user-${this.#message}`;
    this.#parts.push({ sessionUpdate: "user_message_chunk", messageId, content: partBlock(first) });
    this.#message += 1;
  }

  #begin(call: ToolCallBlock): void {
    const { push, tool, workspace } = this.#parts;
    const facts = callFacts(tool(call.name), call, workspace);
    this.#calls.set(call.id, { ...facts, printed: "" });
    push({
      sessionUpdate: "tool_call",
      toolCallId: call.id,
      title: visible(facts.title, { oneLine: true }),
      kind: facts.kind,
      status: "pending",
      locations: facts.locations,
      rawInput: call.input,
    });
  }

  #print(callId: string, chunk: string): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    call.printed = endOf(call.printed + chunk, PRINTED_CHARS_MAX);
    this.#patch(callId, { content: [verbatim(call.printed)] });
  }

  #end(callId: string, summary: string): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    this.#calls.delete(callId);
    const { result } = call;
    this.#patch(callId, {
      title: visible(summary, { oneLine: true }),
      status: result?.status === "ok" ? "completed" : "failed",
      content: result === undefined ? [] : contentOf(call, result),
      locations: result === undefined ? call.locations : placesOf(call, result),
    });
  }

  #patch(
    toolCallId: string,
    patch: Omit<
      Extract<SessionUpdate, { sessionUpdate: "tool_call_update" }>,
      "sessionUpdate" | "toolCallId"
    >,
  ): void {
    this.#parts.push({ sessionUpdate: "tool_call_update", toolCallId, ...patch });
  }

  #tellError(): void {
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) this.#notice(error);
  }

  /** Clients without notices would lose a warning; what is only good to know stays out of their way. */
  #notice({ level, text }: Pick<Notice, "type" | "level" | "text">): void {
    const { push, takesNotices } = this.#parts;
    const said = visible(text);
    if (takesNotices) {
      const severity = level === "warn" ? "warning" : level;
      push({ sessionUpdate: "notice", severity, title: said });
      return;
    }
    this.#message += 1;
    if (level === "info") this.#say("agent_thought_chunk", { text: `${said}\n\n` });
    else {this.#say("agent_message_chunk", {
        text: `\n\n> ${level === "warn" ? "Warning" : "Error"}: ${
          said.replaceAll("\n", "\n> ")
        }\n\n`,
      });}
    this.#message += 1;
  }
}

function contentOf({ locations }: OpenCall, result: ToolResult): ToolCallContent[] {
  const diff = diffOf(result);
  const path = result.changed?.[0] ?? locations.at(-1)?.path;
  if (diff !== undefined && path !== undefined) return diffContent(diff, path);
  const images = (result.parts ?? []).filter(({ type }) => type === "image");
  return [
    ...(result.text.trim() === "" ? [] : [verbatim(result.text)]),
    ...images.map((part) => shown(partBlock(part))),
  ];
}

/** Where it took place, with the line that the result is about. */
function placesOf({ locations }: OpenCall, result: ToolResult): ToolCallLocation[] {
  const { from } = result.meta ?? {};
  const diff = diffOf(result);
  const line = diff === undefined ? from : firstLine(diff);
  const [only] = locations;
  if (typeof line !== "number" || only === undefined || locations.length > 1) return locations;
  return [{ ...only, line }];
}

function diffOf({ meta }: ToolResult): string | undefined {
  const diff = meta?.[META_DIFF];
  return typeof diff === "string" && diff !== "" ? diff : undefined;
}

/** The records of turns that were not taken back. */
function standing(records: readonly SessionRecord[]): readonly SessionRecord[] {
  let kept: { record: SessionRecord; turn: number }[] = [];
  let turn = 0;
  for (const record of records) {
    const { event } = record;
    if (event.type === "turn_start") turn = event.turn;
    if (event.type === "rewind") {
      kept = kept.filter((one) => one.turn <= event.toTurn);
      turn = event.toTurn;
    }
    kept.push({ record, turn });
  }
  return kept.map(({ record }) => record);
}
