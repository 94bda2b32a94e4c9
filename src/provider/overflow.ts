/** Tells a prompt that does not fit the window from everything that sounds like it. */
import type { ErrorBody } from "./error_body.ts";

/** The prompt did not fit. `windowTokens` is the true window where the server named it. */
export type Overflow = { windowTokens?: number };

const CODES: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "exceed_context_size_error",
  "model_context_window_exceeded",
  "ContextWindowExceededError",
  "1261", // Z.ai
]);

/** What is about requests per minute speaks of tokens too. */
const RATE =
  /rate.?limit|too many requests|tokens per (?:minute|day|hour)|throttl|\bTPM\b|\bTPD\b/i;

/** A cap on the reply that the model does not allow: lowering it helps, shortening the prompt does not. */
const OUTPUT_CAP =
  /maximum allowed number of output tokens|max(?:_completion|_output)?_tokens.{0,40}(?:too large|at most|must be (?:less|<=))/i;

/** Server texts, each with the window in its group where the text names it. */
const TEXTS: readonly RegExp[] = [
  /prompt is too long: [\d,]+ tokens > ([\d,]+) maximum/i, // Anthropic
  /input length and `?max_tokens`? exceed context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  /maximum context length is ([\d,]+)/i, // OpenAI, vLLM, OpenRouter, DeepSeek
  /exceeds the maximum number of tokens allowed \(?([\d,]+)/i, // Gemini
  /exceeds the maximum allowed input length of ([\d,]+) tokens/i, // OpenRouter
  /longer than the model's context length \(([\d,]+) tokens/i, // Together
  /maximum prompt length is ([\d,]+)/i, // xAI
  /too large for model with ([\d,]+) maximum context length/i, // Mistral
  /exceeded model token limit: ([\d,]+)/i, // Kimi
  /range of input length should be \[\d+, ([\d,]+)\]/i, // Qwen
  /longer than the context length currently available/i, // Ollama
  /exceed(?:s|ed)? (?:the |max )?(?:available )?context (?:size|length|window)/i, // llama.cpp, OpenAI, Ollama
  /greater than the context length/i, // LM Studio
  /reduce the length of the messages/i, // Groq
  /context window exceed(?:s|ed)/i, // MiniMax, LiteLLM
  /prompt (?:too long|exceeds max length)/i, // Z.ai
  /max_tokens must be at least 1, got -\d+/i, // vLLM before 0.6
  /token limit exceeded|too many tokens|ContextWindowExceededError/i,
];

/** Whether a refusal says that the prompt does not fit; undefined when it says something else. */
export function readOverflow(body: ErrorBody, status: number): Overflow | undefined {
  if (status === 429 || RATE.test(body.message)) return undefined;
  if (OUTPUT_CAP.test(body.message) && !/context/i.test(body.message)) return undefined;
  const isCoded = CODES.has(body.code ?? "") || CODES.has(body.type ?? "");
  for (const pattern of TEXTS) {
    const match = pattern.exec(body.message);
    if (match !== null) return withWindow(match[1], body);
  }
  return isCoded ? withWindow(undefined, body) : undefined;
}

function withWindow(found: string | undefined, body: ErrorBody): Overflow {
  // llama.cpp names the window beside its text.
  const named = found ?? /\bn_ctx\D{1,4}(\d+)/.exec(body.message)?.[1] ??
    /context (?:size|length|window) \(?(?:of )?([\d,]+)/i.exec(body.message)?.[1];
  const tokens = Number((named ?? "").replaceAll(",", ""));
  return Number.isSafeInteger(tokens) && tokens > 0 ? { windowTokens: tokens } : {};
}

/** Below this a reply is not worth the request: the conversation has to become shorter. */
const ROOM_TOKENS_MIN = 1_024;

/** Of a prompt that a text gives only a lower bound of: what it may be longer. */
const BOUND_SHARE = 1.05;

/** Refusals of prompt and cap together, with the prompt and the window of each. */
const SUMS: readonly { text: RegExp; isBound?: true }[] = [
  // Anthropic, older models.
  {
    text:
      /input length and `?max_tokens`? exceed context limit: (?<prompt>[\d,]+) \+ [\d,]+ > (?<window>[\d,]+)/i,
  },
  // OpenAI, vLLM: all that was asked for, and how much of it for the reply.
  {
    text:
      /maximum context length is (?<window>[\d,]+) tokens.{0,60}requested (?:about )?(?<sum>[\d,]+) tokens.{0,120}?(?<cap>[\d,]+) in the (?:completion|output)/is,
  },
  // vLLM since 0.9.
  {
    text:
      /maximum context length is (?<window>[\d,]+) tokens.{0,60}requested [\d,]+ output tokens and your prompt contains at least (?<prompt>[\d,]+) input tokens/is,
    isBound: true,
  },
  {
    text:
      /maximum context length is (?<window>[\d,]+) tokens and your request has (?<prompt>[\d,]+) input tokens/i,
  },
];

/**
 * What is left of the window for the reply, in tokens, where a refusal says that prompt and cap together do not fit
 * and the prompt alone does; undefined for every other refusal.
 */
export function readRoom({ message }: Pick<ErrorBody, "message">): number | undefined {
  for (const { text, isBound } of SUMS) {
    const found = text.exec(message)?.groups;
    if (found === undefined) continue;
    const number = (name: string) => Number((found[name] ?? "").replaceAll(",", ""));
    const prompt = found.prompt === undefined ? number("sum") - number("cap") : number("prompt");
    const room = Math.floor(number("window") - prompt * (isBound ? BOUND_SHARE : 1));
    return room >= ROOM_TOKENS_MIN ? room : undefined;
  }
  return undefined;
}
