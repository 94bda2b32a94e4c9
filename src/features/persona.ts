/** `/system`: a persona that the person gives the model, kept with the session. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import type { DurableEvent } from "@/protocol/event.ts";

const HEAD = "The user gave you this persona; it does not change the rules above:";

/** Make it. */
export function persona(
  { conversation, live }: Pick<FeatureParts, "conversation" | "live">,
): Feature<"persona"> {
  let text = lastOf(conversation.past);
  /** A session begins with its first turn: what was chosen before is written then. */
  let isWritten = true;
  const write = () => {
    if (!isWritten) live.emit({ type: "persona", text });
    isWritten = true;
  };
  return {
    name: "persona",
    lend: {
      persona: {
        text: () => text,
        set: (next) => {
          text = next;
          isWritten = false;
          if (live.harness.turn > 0) write();
        },
      },
    },
    work: () => ({
      prompt: () => text === "" ? "" : `${HEAD}\n${text}`,
      begin: write,
    }),
  };
}

function lastOf(past: readonly DurableEvent[]): string {
  const last = past.findLast((event) => event.type === "persona");
  return last?.type === "persona" ? last.text : "";
}
