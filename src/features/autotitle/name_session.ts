/** One short question to the model, and the session filed under what it answers. */
import { askBriefly } from "@/agent/ask_briefly.ts";
import type { FeatureParts } from "@/compose/feature.ts";
import { clipMiddle } from "@/lib/clip.ts";
import { describe } from "@/lib/describe.ts";
import type { Message } from "@/protocol/message.ts";
import { cleanTitle } from "@/session/title.ts";

/** What of the exchange the model is shown, in characters of each side. */
const SHOWN_CHARS = 1_500;
const SYSTEM = "You name conversations. You answer with the name alone.";
const QUESTION =
  "Name this conversation in two to six words, in the language of the user, without quotes.";

/** Never rejects: a conversation without a title has lost nothing. */
export async function nameSession(
  { live, model: { current }, settings, conversation }: Pick<
    FeatureParts,
    "live" | "model" | "settings" | "conversation"
  >,
  signal: AbortSignal,
): Promise<void> {
  const exchange = exchangeOf(live.harness.messages());
  if (exchange === undefined || !await (await live.work()).features.hasRoom()) return;
  const answer = await askBriefly(current.provider, {
    model: current.name.model,
    system: SYSTEM,
    text: `${QUESTION}\n\n${exchange}`,
    signal,
    onUsage: (usage, model) => {
      if (!signal.aborted) live.emit({ type: "usage", usage, purpose: "title", model });
    },
  });
  const title = cleanTitle(answer, settings.current.SESSION_TITLE_MAX_LEN);
  // The person may have named it meanwhile, or gone on.
  if (signal.aborted || title === "" || conversation.title !== "") return;
  live.emit({ type: "title", title });
  conversation.title = title;
  try {
    await conversation.log.rename(title);
  } catch (error) {
    const text = `The session is not filed under its title: ${describe(error)}`;
    live.emit({ type: "notice", level: "warn", text });
  }
}

function exchangeOf(messages: readonly Message[]): string | undefined {
  const asked = messages.find((message) => message.role === "user" && message.origin === "person");
  const replied = messages.findLast(({ role }) => role === "assistant");
  if (asked?.role !== "user" || replied?.role !== "assistant") return undefined;
  return `User: ${shown(asked.content)}\n\nAssistant: ${shown(replied.content)}`;
}

function shown(blocks: readonly { type: string; text?: string }[]): string {
  const text = blocks.flatMap((block) => block.type === "text" ? [block.text ?? ""] : []).join(
    "\n",
  );
  return clipMiddle(text, SHOWN_CHARS, () => "…");
}
