/** What shortens a conversation that does not fit, put together around its harness. */
import type { ContextFit } from "@/agent/context.ts";
import type { Harness } from "@/agent/harness.ts";
import { Compactor, type CompactorParts } from "@/agent/hooks/compactor.ts";
import { summaryTokensFor } from "@/agent/summary.ts";
import { replyTokens } from "@/lib/tokens.ts";
import type { ConnectedModel } from "./model.ts";

/** Make it. The harness is asked for when it is needed: it is built after what it works with. */
export function compactorOf(
  { context, harness, model, ...asked }: Pick<CompactorParts, "mayAsk" | "before"> & {
    context: ContextFit;
    harness(): Pick<Harness, "emit" | "messages">;
    model(): ConnectedModel;
  },
): Compactor {
  return new Compactor({
    context,
    ...asked,
    messages: () => harness().messages(),
    emit: (event) => harness().emit(event),
    provider: () => model().provider,
    summaryTokens: () => summaryTokensFor(model().size),
    outputTokensMax: () => replyTokens(model().windowTokens, model().outputTokensMax),
  });
}
