/** A title for each new session, by the model, after the first exchange. Nobody waits for it. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { Event } from "@/protocol/event.ts";

/** What the program waits for a title when it ends. */
const CLOSE_WAIT_MS = 100;

/** Make it. Without a terminal there is none: the run would wait for it, or lose it. */
export function autotitle(parts: FeatureParts): Feature {
  const { conversation, settings, isInteractive } = parts;
  let naming: { controller: AbortController; done: Promise<void> } | undefined;
  const stop = () => naming?.controller.abort();
  const begin = () => {
    const controller = new AbortController();
    naming = { controller, done: name(parts, controller.signal) };
  };
  const isWanted = () => {
    const { AUTO_TITLE, SAVE_CHAT_HISTORY } = settings.current;
    return isInteractive && AUTO_TITLE && SAVE_CHAT_HISTORY && conversation.title === "";
  };
  return {
    name: "autotitle",
    work: () => ({
      // What was said before this run asks for nothing now.
      past: () => {},
      sink: (event: Event) => {
        // The person goes on: the model is theirs first, and the next turn asks again.
        if (event.type === "turn_start") stop();
        if (event.type === "turn_end" && event.stop === "end" && isWanted()) begin();
      },
    }),
    close: async () => {
      stop();
      if (naming !== undefined) await settlesWithin(naming.done, CLOSE_WAIT_MS);
    },
  };
}

async function name(parts: FeatureParts, signal: AbortSignal): Promise<void> {
  const { nameSession } = await import("./autotitle/name_session.ts");
  await nameSession(parts, signal);
}
