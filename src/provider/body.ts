/** What the bodies of all wires are made from. */
import type { Request } from "@/protocol/provider.ts";
import type { LearntFacts } from "./server_memory.ts";
import type { ToolNames } from "./tool_names.ts";
import { type Turn, type TurnOptions, turnsOf } from "./turns.ts";

/** A member of a body. Bodies are made afresh for each request: nothing of them is the history. */
export type Sent = Record<string, unknown>;

export type BodyParts = {
  request: Request;
  baseUrl: string;
  names: ToolNames;
  takesImages: boolean;
  facts: LearntFacts;
};

/** The history as a wire renders it, with the private data that is its own. See TurnOptions for `more`. */
export function turnsFor(
  wire: string,
  { request, baseUrl, takesImages }: BodyParts,
  more: Pick<TurnOptions, "thoughtBy"> = {},
): Turn[] {
  const target = { wire, baseUrl, model: request.model };
  return turnsOf(request.messages, { target, takesImages, ...more });
}

/** The cap on the reply: what is asked for, or what the server allows. */
export function capOf({ request, facts }: Pick<BodyParts, "request" | "facts">): number {
  return Math.min(request.outputTokensMax, facts.outputTokensMax ?? Infinity);
}

/** A body without the optional fields that its server refuses. */
export function accepted(body: Sent, { refusedFields }: LearntFacts): Sent {
  const kept = { ...body };
  for (const field of refusedFields) delete kept[field];
  return kept;
}
