/** A question to a model in between, outside of the conversation: no history, no tools, an answer of a word or two. */
import type { Message } from "@/protocol/message.ts";
import type { Provider, Request, Usage } from "@/protocol/provider.ts";

export type BriefQuestion = {
  model: string;
  /** Who the model is to be. */
  system: string;
  text: string;
  signal: AbortSignal;
  /** Told what it cost. */
  onUsage(usage: Usage, model: string): void;
};

/** A word or two, and what a model that cannot help thinking spends before them. */
const ANSWER_TOKENS_MAX = 512;

/** The answer; "" when there is none, whatever the reason. Never rejects. */
export async function askBriefly(provider: Provider, question: BriefQuestion): Promise<string> {
  const { model, system, text, signal, onUsage } = question;
  const message: Message = { role: "user", origin: "hook", content: [{ type: "text", text }] };
  const request: Request = {
    ...{ model, system, messages: [message], tools: [], outputTokensMax: ANSWER_TOKENS_MAX },
    hints: { thinking: "off", effort: "low" },
  };
  let answer = "";
  try {
    for await (const event of provider.stream(request, signal)) {
      if (event.type === "delta" && event.channel === "text") answer += event.text;
      else if (event.type === "retry" && event.discarded) answer = "";
      else if (event.type === "done") onUsage(event.usage, event.model);
    }
    return answer.trim();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "";
  }
}
