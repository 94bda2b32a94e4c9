/**
 * What people asked for stays word for word when a conversation is shortened. Only what is long is cut, and then the
 * sentences that say what must or must not be done stay as they were written.
 */
import type { KeptMessage } from "@/protocol/event.ts";
import type { Message, UserMessage } from "@/protocol/message.ts";
import { messageTokens } from "@/lib/message_tokens.ts";
import { rawTokens, trimMiddle } from "@/lib/tokens.ts";

/** Characters that each message may keep, tried in this order until all of them fit. */
const CEILINGS: readonly number[] = [8_000, 4_000, 2_000, 1_000, 400];
const RULES_SHARE = 0.5;

/** Words of what must and must not be, in the languages that people write most. */
const RULE =
  /\b(?:never|always|must(?:n't| not)?|do ?n['o]?t|don’t|do not|should(?:n't| not)?|may not|cannot|only|without|avoid|keep|make sure|ensure|require[sd]?|forbidden|nie|niemals|immer|muss|müssen|nicht|nur|kein[e]?|ohne|nunca|siempre|debe[ns]?|sólo|solo|sin|jamais|toujours|doit|doivent|ne pas|seulement|sans)\b|절대|반드시|항상|하지 ?마|말 것|않도록|不要|必须|必須|禁止|始终|绝不|只能|務必|しないで|必ず|絶対|ください|нельзя|всегда|никогда|только|обязательно/iu;
const SENTENCE =
  /(?<![^\n.!?。！？])[^\n.!?。！？]+(?:[.!?。！？]+(?=\s|$)|[.!?。！？](?=\S)[^\n.!?。！？]*)*[.!?。！？]*/gu;

/** What somebody asked for: a block of the conversation begins with it. What the harness notes is no request. */
export function isRequest(message: Message): message is UserMessage {
  return message.role === "user" && (message.origin === "person" || message.origin === "agent");
}

/** Which messages stay, and what of each, in `tokensMax` tokens before any correction. */
export function keptWords(messages: readonly Message[], tokensMax: number): readonly KeptMessage[] {
  const said = messages.flatMap((message, index) => isRequest(message) ? [{ index, message }] : []);
  const whole = said.reduce((sum, { message }) => sum + messageTokens(message), 0);
  if (whole <= tokensMax) return said.map(({ index }) => ({ index }));
  for (const ceiling of CEILINGS) {
    const kept = said.map(({ index, message }) => shortened(index, message, ceiling));
    if (sumOf(kept) <= tokensMax) return kept.map(({ entry }) => entry);
  }
  return chosen(
    said.map(({ index, message }) => shortened(index, message, CEILINGS.at(-1) ?? 0)),
    tokensMax,
  );
}

/** A text of at most about `charsMax` characters: both ends, and the rules between them. */
export function essence(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const ends = trimMiddle(text, Math.floor(charsMax * (1 - RULES_SHARE)));
  const rules: string[] = [];
  let left = charsMax * RULES_SHARE;
  for (const [sentence] of text.matchAll(SENTENCE)) {
    const rule = sentence.trim();
    if (rule.length > left || !RULE.test(rule) || ends.includes(rule)) continue;
    left -= rule.length;
    rules.push(rule);
  }
  return rules.length === 0
    ? trimMiddle(text, charsMax)
    : `${ends}\n[of what was omitted, word for word:]\n${rules.join("\n")}`;
}

type Shortened = { entry: KeptMessage; tokens: number; isRule: boolean };

function shortened(index: number, message: UserMessage, charsMax: number): Shortened {
  const text = message.content
    .map((part) => part.type === "text" ? part.text : "[an image was here]").join("\n");
  const isWhole = text.length <= charsMax && message.content.every(({ type }) => type === "text");
  const left = isWhole ? text : essence(text, charsMax);
  return {
    entry: isWhole ? { index } : { index, text: left },
    tokens: rawTokens(left),
    isRule: RULE.test(text),
  };
}

/** Even so they are too many: the first, then those with rules, then the newest. */
function chosen(all: readonly Shortened[], tokensMax: number): readonly KeptMessage[] {
  const newestFirst = all.toReversed();
  const [first] = all;
  const wanted = new Set([
    ...(first === undefined ? [] : [first]),
    ...newestFirst.filter(({ isRule }) => isRule),
    ...newestFirst,
  ]);
  let left = tokensMax;
  return [...wanted].flatMap(({ entry, tokens }) => {
    if (tokens > left) return [];
    left -= tokens;
    return [entry];
  });
}

function sumOf(all: readonly Shortened[]): number {
  return all.reduce((sum, { tokens }) => sum + tokens, 0);
}
