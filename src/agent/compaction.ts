/**
 * Which part of a history becomes a summary: whole blocks, so that no call is parted from its result, and never what has to
 * be there word for word. Pure: whoever asks says what there is room for.
 */
import type { KeptMessage } from "@/protocol/event.ts";
import type { Message } from "@/protocol/message.ts";
import { messageTokens } from "@/lib/message_tokens.ts";
import { META_STAYS } from "@/lib/tool_meta.ts";
import { leanest, rawTokens } from "@/lib/tokens.ts";
import { isSummary } from "./history.ts";
import { isRequest, keptWords } from "./kept_words.ts";

/** What is to be done: the messages before `keepFrom` are summarised, `keep` of them stay. */
export type CompactionPlan = {
  keepFrom: number;
  keep: readonly KeptMessage[];
  /** Messages that only the summary will tell of. */
  told: readonly Message[];
  /** What will be left beside the summary when results are as short as they get, in tokens before any correction. */
  staysTokens: number;
};

/** The newest blocks may take this much of the room, what stays of the older ones the rest of it. */
const TAIL_SHARE = 0.45;
const WORDS_SHARE = 0.25;
const PINNED_SHARE = 0.3;
/** Turns that stay whole where there is room for them. */
const TURNS_KEPT = 2;

/** Plan it for `roomTokens` of history, in tokens before any correction; undefined when there is nothing to leave out. */
export function planCompaction(
  messages: readonly Message[],
  roomTokens: number,
): CompactionPlan | undefined {
  const keepFrom = cutOf(messages, roomTokens * TAIL_SHARE);
  if (keepFrom === undefined) return undefined;
  const keep = [
    ...keptWords(messages.slice(0, keepFrom), roomTokens * WORDS_SHARE),
    ...standingNote(messages, { keepFrom, tokensMax: roomTokens * WORDS_SHARE }),
    ...pinned(messages, { keepFrom, tokensMax: roomTokens * PINNED_SHARE }),
  ].sort((a, b) => a.index - b.index);
  const stays = new Map(keep.map((entry) => [entry.index, entry]));
  const told = messages.slice(0, keepFrom).filter((_, at) =>
    stays.get(at)?.text !== undefined || !stays.has(at)
  );
  if (told.every(isSummary)) return undefined;
  const tail = messages.slice(keepFrom).reduce((sum, message) => sum + leanTokens(message), 0);
  const words = keep.reduce((sum, { index, text }) => {
    const message = messages[index];
    if (message === undefined) return sum;
    return sum + (text === undefined ? leanTokens(message) : rawTokens(text));
  }, 0);
  return { keepFrom, keep, told, staysTokens: tail + words };
}

/** Where to cut: before the last turns, else inside the last one, between a result and the next reply. */
function cutOf(messages: readonly Message[], tailTokensMax: number): number | undefined {
  const turns = messages.flatMap((message, at) => isRequest(message) ? [at] : []);
  const last = turns.at(-1) ?? 0;
  const steps = messages.flatMap(({ role }, at) => at > last && role === "assistant" ? [at] : []);
  const places = [...turns.slice(-TURNS_KEPT), ...steps].filter((at) => at > 0);
  const sizes = tailTokens(messages);
  return places.find((at) => (sizes[at] ?? 0) <= tailTokensMax) ?? places.at(-1);
}

/** Tokens from each place to the end. */
function tailTokens(messages: readonly Message[]): readonly number[] {
  const sums = messages.map(leanTokens);
  for (let at = sums.length - 2; at >= 0; at -= 1) sums[at] = (sums[at] ?? 0) + (sums[at + 1] ?? 0);
  return sums;
}

/** What the harness told the model last in the turn that runs: the stage that it is in, or what it is to do next. */
function standingNote(
  messages: readonly Message[],
  { keepFrom, tokensMax }: { keepFrom: number; tokensMax: number },
): readonly KeptMessage[] {
  const asked = messages.findLastIndex(isRequest);
  const index = messages.findLastIndex((message, at) =>
    at > asked && message.role === "user" && message.origin === "hook" && !isSummary(message)
  );
  const note = messages[index];
  if (note === undefined || index >= keepFrom || leanTokens(note) > tokensMax) return [];
  return [{ index }];
}

/** Results that say of themselves that they stay, with the calls they belong to: the newest of each name. */
function pinned(
  messages: readonly Message[],
  { keepFrom, tokensMax }: { keepFrom: number; tokensMax: number },
): readonly KeptMessage[] {
  const seen = new Set<unknown>();
  const keep = new Map<number, KeptMessage>();
  let left = tokensMax;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== "tool") continue;
    const name = message.result.meta?.[META_STAYS];
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    if (at >= keepFrom) continue;
    const step = stepOf(messages, at);
    const tokens = step.reduce((sum, index) => sum + stepTokens(messages[index]), 0);
    if (tokens > left) continue;
    left -= tokens;
    for (const index of step) keep.set(index, { index });
  }
  return [...keep.values()];
}

/** Places of a reply and all its results, by the place of one of them. */
function stepOf(messages: readonly Message[], at: number): readonly number[] {
  let first = at;
  while (messages[first]?.role === "tool") first -= 1;
  let end = at + 1;
  while (messages[end]?.role === "tool") end += 1;
  return Array.from({ length: end - first }, (_, n) => first + n);
}

function stepTokens(message: Message | undefined): number {
  return message === undefined ? 0 : leanTokens(message);
}

/** Tokens of a message when its result is as short as it gets. */
function leanTokens(message: Message): number {
  if (message.role !== "tool") return messageTokens(message);
  const { text } = message.result;
  return messageTokens(message) - rawTokens(text) + rawTokens(leanest(text));
}
