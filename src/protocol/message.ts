/** What a conversation is made of. Messages are never edited: history is a fold over the events that carry them. */
import type { ToolResult } from "./tool.ts";

/** A piece of what the person (or a tool) gave: text, or an image as bytes. */
export type Part =
  | { type: "text"; text: string }
  | { type: "image"; mime: string; data: Uint8Array };

/** Opaque to us, byte-exact, sent back only to the wire, base URL and model it came from (signatures, reasoning items). */
export type ProviderPrivate = { wire: string; baseUrl: string; model: string; data: unknown };

/** A piece of what the model said. `raw` is the text of the call as a text-protocol model wrote it. */
export type Block =
  | { type: "text"; text: string; private?: ProviderPrivate }
  /** `by` is who thought it, as PROVIDER/MODEL, where its text is kept (STORE_THINKING): nobody else is sent it. */
  | { type: "thinking"; text: string; by?: string; private?: ProviderPrivate }
  | ToolCallBlock;

/** A call the model made. `damage` says why it must not run; `input` is then what could be read of it. */
export type ToolCallBlock = {
  type: "tool_call";
  id: string;
  name: string;
  input: unknown;
  /** Names of parameters that came as raw blocks in the text protocol. */
  raw?: readonly string[];
  damage?: string;
  private?: ProviderPrivate;
};

/** Who put a user message there: the person, a hook or the loop itself, another agent, or a `!` command's output. */
export type Origin = "person" | "hook" | "agent" | "shell";

/** One message. Every `tool_call` block of an assistant message is answered by exactly one tool message after it. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** What was said to the model. */
export type UserMessage = { role: "user"; content: readonly Part[]; origin: Origin };

/** What the model said, complete, and why it stopped. */
export type AssistantMessage = {
  role: "assistant";
  content: readonly Block[];
  stop: StopReason;
  /** Private data that belongs to the whole message and to no block. */
  private?: readonly ProviderPrivate[];
};

/** The one result of one call. */
export type ToolMessage = { role: "tool"; callId: string; name: string; result: ToolResult };

/** Why a reply ended. A refusal was paid for: it is a stop, not an error. */
export type StopReason = "end" | "tool_calls" | "length" | "refusal" | "abort";
