/**
 * Which part of a history becomes a summary: whole blocks, so that no call is parted from its result, and never what has to
 * be there word for word. Pure: whoever asks says what there is room for.
 */
import type { KeptMessage } from "@/protocol/event.ts";
import type { Message } from "@/protocol/message.ts";
import { messageTokens } from "@/lib/message_tokens.ts";
import { leanest, rawTokens } from "@/lib/tokens.ts";
import { isSummary } from "./history.ts";
import { isRequest, keptWords } from "./kept_words.ts";
import { isUncut, STAYS_SHARE, staysAs } from "./stays.ts";

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
/** Turns that stay whole where there is room for them. */
const TURNS_KEPT = 2;

/**
 * Plan it for `roomTokens` of history, in tokens before any correction; undefined when there is nothing to leave out.
 * `historyTokens`: the same with the room that the summary takes, by which it goes what is sent uncut.
 */
export function planCompaction(
  messages: readonly Message[],
  roomTokens: number,
  { historyTokens = roomTokens }: { historyTokens?: number } = {},
): CompactionPlan | undefined {
  const sizes = messages.map((message) => tokensAtLeast(message, historyTokens));
  const keepFrom = cutOf(messages, { sizes, tailTokensMax: roomTokens * TAIL_SHARE });
  if (keepFrom === undefined) return undefined;
  const older = { sizes, keepFrom };
  const stays = new Map([
    ...keptWords(messages.slice(0, keepFrom), roomTokens * WORDS_SHARE),
    ...standingNote(messages, { ...older, tokensMax: roomTokens * WORDS_SHARE }),
    ...staying(messages, { ...older, tokensMax: roomTokens * STAYS_SHARE }),
  ].map((entry) => [entry.index, entry]));
  const keep = [...stays.values()].sort((a, b) => a.index - b.index);
  const told = messages.slice(0, keepFrom).filter((_, at) =>
    stays.get(at)?.text !== undefined || !stays.has(at)
  );
  if (told.every(isSummary)) return undefined;
  const tail = sumOf(sizes.slice(keepFrom));
  const words = sumOf(
    keep.map(({ index, text }) => text === undefined ? sizes[index] ?? 0 : rawTokens(text)),
  );
  return { keepFrom, keep, told, staysTokens: tail + words };
}

/** Where to cut: before the last turns, else inside the last one, between a result and the next reply. */
function cutOf(
  messages: readonly Message[],
  { sizes, tailTokensMax }: { sizes: readonly number[]; tailTokensMax: number },
): number | undefined {
  const turns = messages.flatMap((message, at) => isRequest(message) ? [at] : []);
  const last = turns.at(-1) ?? 0;
  const steps = messages.flatMap(({ role }, at) => at > last && role === "assistant" ? [at] : []);
  const places = [...turns.slice(-TURNS_KEPT), ...steps].filter((at) => at > 0);
  const tails = tailsOf(sizes);
  return places.find((at) => (tails[at] ?? 0) <= tailTokensMax) ?? places.at(-1);
}

/** Tokens from each place to the end. */
function tailsOf(sizes: readonly number[]): readonly number[] {
  const sums = [...sizes];
  for (let at = sums.length - 2; at >= 0; at -= 1) sums[at] = (sums[at] ?? 0) + (sums[at + 1] ?? 0);
  return sums;
}

/** What is older than the cut, and what of it there is room for. */
type Older = { sizes: readonly number[]; keepFrom: number; tokensMax: number };

/** What the harness told the model last in the turn that runs: the stage that it is in, or what it is to do next. */
function standingNote(
  messages: readonly Message[],
  { sizes, keepFrom, tokensMax }: Older,
): readonly KeptMessage[] {
  const asked = messages.findLastIndex(isRequest);
  const index = messages.findLastIndex((message, at) =>
    at > asked && message.role === "user" && message.origin === "hook" && !isSummary(message)
  );
  if (index === -1 || index >= keepFrom || (sizes[index] ?? 0) > tokensMax) return [];
  return [{ index }];
}

/** What stays under a name, the newest of each; results with the calls they belong to. */
function staying(
  messages: readonly Message[],
  { sizes, keepFrom, tokensMax }: Older,
): readonly KeptMessage[] {
  const seen = new Set<string>();
  const keep = new Map<number, KeptMessage>();
  let left = tokensMax;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    const name = message && staysAs(message);
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    if (at >= keepFrom) continue;
    const step = stepOf(messages, at);
    const tokens = sumOf(step.map((index) => sizes[index] ?? 0));
    if (tokens > left) continue;
    left -= tokens;
    for (const index of step) keep.set(index, { index });
  }
  return [...keep.values()];
}

/** Places of a reply and all its results, by the place of one of them; of any other message its own. */
function stepOf(messages: readonly Message[], at: number): readonly number[] {
  if (messages[at]?.role !== "tool") return [at];
  let first = at;
  while (messages[first]?.role === "tool") first -= 1;
  let end = at + 1;
  while (messages[end]?.role === "tool") end += 1;
  return Array.from({ length: end - first }, (_, n) => first + n);
}

/** Tokens of a message when it is as short as it gets. */
function tokensAtLeast(message: Message, historyTokens: number): number {
  if (message.role !== "tool" || isUncut(message, historyTokens)) return messageTokens(message);
  const { text } = message.result;
  return messageTokens(message) - rawTokens(text) + rawTokens(leanest(text));
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, tokens) => sum + tokens, 0);
}
