/**
 * A history in the shape that every wire renders from: turns of user and assistant that alternate and are never empty,
 * results beside what was said after them, and private data only where it may go.
 */
import type {
  AssistantMessage,
  Block,
  Message,
  Part,
  ProviderPrivate,
  ToolCallBlock,
} from "@/protocol/message.ts";
import { imageNote, isKnownImage } from "./images.ts";
import { resultText } from "@/lib/tool_result.ts";

/** One result, rendered. `at` is the index of its message in the request. */
export type Result = {
  call: ToolCallBlock;
  text: string;
  isError: boolean;
  images: readonly ImagePart[];
  at: number;
};

export type ImagePart = Extract<Part, { type: "image" }>;

/** What was said, with the index of the message that it stands in. */
export type SaidPart = { part: Part; at: number };

export type UserTurn = { role: "user"; results: readonly Result[]; said: readonly SaidPart[] };
export type AssistantTurn = {
  role: "assistant";
  blocks: readonly Block[];
  private: readonly ProviderPrivate[];
};
export type Turn = UserTurn | AssistantTurn;

export type TurnOptions = {
  /** Where private data may go: it is left out for any other wire, base URL or model. */
  target: Pick<ProviderPrivate, "wire" | "baseUrl" | "model">;
  /** Images are replaced by a line of text where the model cannot see them. */
  takesImages: boolean;
  /** Whose kept thinking is sent, as PROVIDER/MODEL; absent on wires that have no place for it. */
  thoughtBy?: string;
};

/** What stands where a turn must stand and nobody said anything. */
const NOTHING: Part = { type: "text", text: "." };
const GO_ON: Part = { type: "text", text: "Go on." };
const NO_IMAGE = "[An image stood here; this model takes none]";

/** Turns of a valid history, the first and the last one a user's. */
export function turnsOf(messages: readonly Message[], options: TurnOptions): Turn[] {
  const turns: Turn[] = [];
  const calls = new Map<string, ToolCallBlock>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "assistant") {
      const turn = assistantTurn(message, options);
      for (const block of turn.blocks) if (block.type === "tool_call") calls.set(block.id, block);
      // Reasoning that led to nothing is nothing that may be sent.
      if (turn.blocks.some(({ type }) => type !== "thinking")) push(turns, turn);
      continue;
    }
    const turn: UserTurn = message.role === "user"
      ? { role: "user", results: [], said: saidParts(message.content, at, options) }
      : { role: "user", results: resultOf(message, calls, { at, options }), said: [] };
    if (turn.results.length + turn.said.length > 0) push(turns, turn);
  }
  if (turns[0]?.role !== "user") {
    turns.unshift({ role: "user", results: [], said: [{ part: NOTHING, at: 0 }] });
  }
  if (turns.at(-1)?.role !== "user") {
    // A last word of the model's own is refused by the newer models of some APIs.
    turns.push({ role: "user", results: [], said: [{ part: GO_ON, at: messages.length }] });
  }
  return turns;
}

/** Texts of a turn's parts joined by a blank line, as runs of one role are. */
export function joinedText(said: readonly SaidPart[]): string {
  return said.flatMap(({ part }) => part.type === "text" ? [part.text] : []).join("\n\n");
}

/** The images among a turn's parts. */
export function imagesOf(said: readonly SaidPart[]): ImagePart[] {
  return said.flatMap(({ part }) => part.type === "image" ? [part] : []);
}

/** A call's arguments as the object that every wire wants; what could not be read is told by the call's result. */
export function inputObject(call: ToolCallBlock): Record<string, unknown> {
  const { input } = call;
  return input !== null && typeof input === "object" && !Array.isArray(input)
    ? input as Record<string, unknown>
    : {};
}

function push(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  if (last?.role === "user" && turn.role === "user") {
    turns[turns.length - 1] = {
      role: "user",
      results: [...last.results, ...turn.results],
      said: [...last.said, ...turn.said],
    };
  } else if (last?.role === "assistant" && turn.role === "assistant") {
    turns[turns.length - 1] = {
      role: "assistant",
      blocks: [...last.blocks, ...turn.blocks],
      private: [...last.private, ...turn.private],
    };
  } else {
    turns.push(turn);
  }
}

function assistantTurn(
  message: AssistantMessage,
  { target, thoughtBy }: TurnOptions,
): AssistantTurn {
  const blocks: Block[] = [];
  for (const block of message.content) {
    const kept = forTarget(block, target);
    if (kept.type === "tool_call" || kept.private !== undefined) blocks.push(kept);
    else if (kept.type === "text" && kept.text.trim() !== "") {
      blocks.push(kept);
    } else if (kept.type === "thinking" && kept.by !== undefined && kept.by === thoughtBy) {
      blocks.push(kept);
    }
  }
  const kept = (message.private ?? []).filter((data) => isFor(data, target));
  return { role: "assistant", blocks, private: kept };
}

/** A block without private data that was made elsewhere. Reasoning without any is not sent back at all. */
function forTarget(block: Block, target: TurnOptions["target"]): Block {
  if (block.private === undefined || isFor(block.private, target)) return block;
  const { private: _, ...rest } = block;
  return rest;
}

function isFor(data: ProviderPrivate, target: TurnOptions["target"]): boolean {
  return data.wire === target.wire && data.baseUrl === target.baseUrl &&
    data.model === target.model;
}

function saidParts(content: readonly Part[], at: number, options: TurnOptions): SaidPart[] {
  return content.flatMap((part) => {
    const shown = shownPart(part, options);
    return shown === undefined ? [] : [{ part: shown, at }];
  });
}

function shownPart(part: Part, { takesImages }: TurnOptions): Part | undefined {
  if (part.type === "image") {
    if (!takesImages) return { type: "text", text: NO_IMAGE };
    return isKnownImage(part) ? part : { type: "text", text: imageNote(part) };
  }
  return part.text.trim() === "" ? undefined : part;
}

type ToolMessage = Extract<Message, { role: "tool" }>;

function resultOf(
  { callId, result }: ToolMessage,
  calls: ReadonlyMap<string, ToolCallBlock>,
  { at, options }: { at: number; options: TurnOptions },
): Result[] {
  const call = calls.get(callId);
  if (call === undefined) return []; // Every API refuses a result without its call.
  const parts = (result.parts ?? []).flatMap((part) => shownPart(part, options) ?? []);
  const texts = parts.flatMap((part) => part.type === "text" ? [part.text] : []);
  return [{
    call,
    text: [resultText(result, call), ...texts].join("\n"),
    isError: result.status !== "ok",
    images: parts.flatMap((part) => part.type === "image" ? [part] : []),
    at,
  }];
}
