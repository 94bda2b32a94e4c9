/** What `/compact` is lent. */
import type { Compactor } from "@/agent/hooks/compactor.ts";
import type { Live } from "@/compose/live.ts";
import type { AppParts } from "@/compose/parts.ts";
import type { CompactPart } from "@/terminal/commands/lent/compact.ts";
import { done } from "@/terminal/commands/spec.ts";

/** How long a model may take for a summary. */
const SUMMARY_MS = 600_000;
const YES = "shorten it";
const NO = "leave it as it is";

/** Build it. */
export function compactPart(
  { live, model, isInteractive, compactor }: {
    live: Live;
    model: AppParts["model"];
    isInteractive: boolean;
    compactor(): Promise<Compactor>;
  },
): CompactPart {
  return {
    run: async (wish) => {
      const signal = AbortSignal.timeout(SUMMARY_MS);
      await model.current.prepare(signal);
      const one = await compactor();
      const preview = one.preview();
      if (preview === undefined) return done("There is nothing to shorten yet");
      // Who has nobody to ask has said it by giving the command.
      if (isInteractive && !await isWanted(preview, live)) {
        return done("The conversation stays as it is");
      }
      return done(await one.compact(wish, signal));
    },
  };
}

async function isWanted(preview: string, { screen }: Live): Promise<boolean> {
  const question = { text: `${preview}. Shorten it?`, options: [YES, NO], freeText: false };
  const answers = await screen.asker([question], new AbortController().signal);
  return answers?.[0] === YES;
}
