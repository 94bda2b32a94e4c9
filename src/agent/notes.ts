/** What the loop itself says to the model, and the small judgements that those notes rest on. */
import type { Block, Message } from "@/protocol/message.ts";
import { PersonError } from "@/protocol/error.ts";
import { systemNote } from "@/lib/tool_result.ts";
import { imageBytes } from "./history.ts";

export const EMPTY_REPLY = systemNote(
  "Your reply was empty. Go on with the task: call a tool, or give your answer as text.",
);

/** Why a call was not run. */
export const INTERRUPTED_BEFORE = "the turn was interrupted before this call";
export const ENDED_BEFORE =
  "no more calls of this reply were run: those before it had reached a limit";

/** Why a reply ended that its provider says nothing more of. */
export const CAPPED =
  'The reply was cut off: it reached the longest a reply may be. Say "go on" for the rest, or raise MAX_OUTPUT_TOKENS (NUM_PREDICT for Ollama)';

/** After a nudge that changed nothing. */
export class NothingSaid extends PersonError {
  constructor() {
    const hint = "Say it again, or in other words, or choose another model with -m or /model";
    super("provider", "The model answered with nothing twice", hint);
  }
}

/** After several refusals in a row. */
export function refusals(count: number): string {
  return systemNote(
    `${count} calls in a row were refused. They will not be allowed by trying again: do what can be done without them, or tell the user what you need and why.`,
  );
}

export function tooManyRefusals(count: number): string {
  return `The turn was ended after ${count} refused calls in a row`;
}

/** After a circle was gone three times. */
export function circle(name: string): string {
  return systemNote(
    `You have made the same calls with the same results three times (last: ${name}). Repeating them will not change anything: try another way, or tell the user what stops you.`,
  );
}

export function circleEnded(name: string): string {
  return `The turn was ended: the model went on repeating the same calls with the same results (last: ${name})`;
}

export function unreadable(count: number): PersonError {
  const message =
    `The model sent ${count} replies in a row whose tool calls could not be read; the turn was ended`;
  return new PersonError("provider", message, "Choose another model with -m or /model");
}

export function heldTooOften(count: number): string {
  return `The turn was ended: hooks kept it going ${count} times, and the model called nothing in between`;
}

export function renewedTooOften(count: number): string {
  return `The turn was ended: it was given up ${count} times, and each time hooks had something else to do`;
}

/** The blocks of a reply that reached the output limit: its last call was, or may have been, cut and is never run. */
export function cutLast(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.at(-1);
  if (last === undefined || last.type !== "tool_call" || last.damage !== undefined) return blocks;
  const damage =
    "the reply reached the output limit inside this call, so that it is incomplete. Send less at once: a shorter edit, or the file in several parts";
  return [...blocks.slice(0, -1), { ...last, damage }];
}

/** Index of the newest of the largest items that can be replaced: a tool result, or a message with an image. */
export function largestItem(messages: readonly Message[]): number | undefined {
  let best: { index: number; size: number } | undefined;
  messages.forEach((message, index) => {
    const size = replaceableSize(message);
    if (size > 0 && (best === undefined || size >= best.size)) best = { index, size };
  });
  return best?.index;
}

function replaceableSize(message: Message): number {
  if (message.role === "assistant") return 0;
  const parts = message.role === "user" ? message.content : message.result.parts ?? [];
  const images = imageBytes(parts);
  return message.role === "tool" ? images + message.result.text.length : images;
}
