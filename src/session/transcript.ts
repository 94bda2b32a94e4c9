/** What was said and done in a session, in order, without what only the program needs. */
import type { Message, Part, ToolCallBlock } from "@/protocol/message.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import type { ToolStatus } from "@/protocol/tool.ts";

/** One thing that was said or done. */
export type TranscriptEntry = { at: string; turn: number } & TranscriptBody;

/** What it was. */
export type TranscriptBody =
  | { kind: "said"; by: "person" | "hook" | "agent" | "shell" | "model"; text: string }
  | {
    kind: "call";
    id: string;
    name: string;
    input: unknown;
    /** The sentence of the closed card; absent when the call never ended. */
    summary?: string;
    /** Absent when the call was never answered. */
    result?: { status: ToolStatus; text: string };
  }
  | { kind: "note"; text: string };

/** Who said something, as readers are told. */
export const SPEAKERS: Readonly<Record<Extract<TranscriptBody, { kind: "said" }>["by"], string>> = {
  person: "You",
  model: "Model",
  hook: "Harness",
  agent: "Another agent",
  shell: "Shell",
};

/** The transcript of the turns that stand. Thinking is left out: it is not an answer. */
export function toTranscript(records: Iterable<SessionRecord>): readonly TranscriptEntry[] {
  const fold = new TranscriptFold();
  for (const record of records) fold.add(record);
  return fold.entries;
}

type Call = Extract<TranscriptBody, { kind: "call" }>;

class TranscriptFold {
  entries: TranscriptEntry[] = [];
  readonly #calls = new Map<string, Call>();
  #turn = 0;

  add({ at, event }: SessionRecord): void {
    switch (event.type) {
      case "turn_start":
        this.#turn = event.turn;
        break;
      case "rewind":
        this.entries = this.entries.filter(({ turn }) => turn <= event.toTurn);
        this.#turn = event.toTurn;
        break;
      case "message":
        this.#addMessage(at, event.message);
        break;
      case "tool_end": {
        const call = this.#calls.get(event.callId);
        if (call !== undefined) call.summary = event.summary;
        break;
      }
      case "compaction":
        this.#push(at, { kind: "note", text: "What is above was summarised for the model" });
        break;
      case "turn_end":
        if (event.stop !== "end") {
          this.#push(at, { kind: "note", text: `The turn ended: ${event.stop}` });
        }
        break;
      case "session":
      case "model":
      case "title":
      case "persona":
      case "decision":
      case "edit":
      case "usage":
      case "replaced":
      case "notice":
        break;
      default:
        event satisfies never;
    }
  }

  #addMessage(at: string, message: Message): void {
    switch (message.role) {
      case "user":
        this.#push(at, { kind: "said", by: message.origin, text: inWords(message.content) });
        break;
      case "tool": {
        const call = this.#calls.get(message.callId);
        const { status, text, parts = [] } = message.result;
        const words = [text, inWords(parts)].filter((piece) => piece !== "").join("\n");
        if (call !== undefined) call.result = { status, text: words };
        break;
      }
      case "assistant":
        for (const block of message.content) {
          if (block.type === "tool_call") this.#addCall(at, block);
          else if (block.type === "text" && block.text.trim() !== "") {
            this.#push(at, { kind: "said", by: "model", text: block.text });
          }
        }
        break;
      default:
        message satisfies never;
    }
  }

  #addCall(at: string, { id, name, input }: ToolCallBlock): void {
    const call: Call = { kind: "call", id, name, input };
    this.#calls.set(id, call);
    this.#push(at, call);
  }

  /** The body itself is kept, not a copy: a call's result comes later. */
  #push(at: string, body: TranscriptBody): void {
    this.entries.push(Object.assign(body, { at, turn: this.#turn }));
  }
}

/** Parts as text; an image is described. */
function inWords(parts: readonly Part[]): string {
  return parts.map((part) =>
    part.type === "text" ? part.text : `(image, ${part.mime}, ${part.data.byteLength} bytes)`
  ).join("\n");
}
