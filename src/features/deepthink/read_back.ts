/** Where a model has forgotten its marker: its own text, read back to it with one short question. */
import { askBriefly } from "@/agent/ask_briefly.ts";
import type { FeatureParts } from "@/compose/feature.ts";
import type { Message } from "@/protocol/message.ts";

/** What of the end of the text is read back, in characters. */
const READ_BACK_CHARS = 2_500;

const SYSTEM = "You answer with one word: YES or NO.";
const QUESTIONS = {
  plan: "Does this plan say that something is to be built or changed?",
  verify: "Does this report say that something of the work is still to be done or does not work?",
} as const;

/** The model's answer; "" when there is none. */
export async function readBack(
  { live, model: { current } }: Pick<FeatureParts, "live" | "model">,
  { stage, signal }: { stage: keyof typeof QUESTIONS; signal: AbortSignal },
): Promise<string> {
  const text = lastReply(live.harness.messages()).slice(-READ_BACK_CHARS);
  // Without room for it, the request that comes next is what the person is asked about.
  if (text === "" || !await (await live.work()).features.hasRoom()) return "";
  return await askBriefly(current.provider, {
    model: current.name.model,
    system: SYSTEM,
    text: `${QUESTIONS[stage]} Answer YES or NO.\n\n<text>\n${text}\n</text>`,
    signal,
    onUsage: (usage, model) => live.emit({ type: "usage", usage, purpose: "question", model }),
  });
}

function lastReply(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === "assistant");
  if (last?.role !== "assistant") return "";
  return last.content.flatMap((block) => block.type === "text" ? [block.text] : []).join("").trim();
}
