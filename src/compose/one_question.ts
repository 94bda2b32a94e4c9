/** One question at a time, whoever asks: a person reads one, and a plain terminal hears the answer to one. */
import type { Slots } from "@/lib/slots.ts";
import type { ScreenParts } from "./parts.ts";

/** A screen whose questions wait for each other, and for whatever else takes a place in `questions`. */
export function oneQuestion(screen: ScreenParts, questions: Slots): ScreenParts {
  const { signal: never } = new AbortController();
  return {
    ...screen,
    approver: (call, reason, reaches, signal) =>
      questions.use(() => screen.approver(call, reason, reaches, signal), signal),
    asker: (asked, signal) => questions.use(() => screen.asker(asked, signal), signal),
    ...(screen.secret && {
      secret: (text) => questions.use(async () => await screen.secret?.(text), never),
    }),
  };
}
