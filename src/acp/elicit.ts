/** A question of a tool as a form in the editor, for clients that have forms. */
import type { CreateElicitationRequest, CreateElicitationResponse } from "@agentclientprotocol/sdk";
import { isObject } from "@/lib/json.ts";
import { visible } from "@/lib/visible.ts";
import type { Question } from "@/protocol/policy.ts";

/** Puts a form; rejects when the client is gone. */
export type Elicit = (
  params: CreateElicitationRequest,
  signal: AbortSignal,
) => Promise<CreateElicitationResponse>;

const CHOICE = "choice";
const WORDS = "words";

/** The answer; undefined when the person gave none. Own words count before a choice. */
export async function elicit(
  { text, options, freeText }: Question,
  { sessionId, elicit, signal }: { sessionId: string; elicit: Elicit; signal: AbortSignal },
): Promise<string | undefined> {
  const hasWords = freeText !== false || options.length === 0;
  const properties = {
    ...(options.length === 0 ? {} : {
      [CHOICE]: {
        type: "string" as const,
        title: "Answer",
        oneOf: options.map((option, at) => ({
          const: String(at),
          title: visible(option, { oneLine: true }),
        })),
      },
    }),
    ...(hasWords ? { [WORDS]: { type: "string" as const, title: "Your own words" } } : {}),
  };
  const response = await elicit({
    mode: "form",
    sessionId,
    message: visible(text),
    requestedSchema: { type: "object", properties },
  }, signal);
  if (response.action !== "accept") return undefined;
  const content = isObject(response.content) ? response.content : {};
  const words = content[WORDS];
  if (hasWords && typeof words === "string" && words.trim() !== "") return words.trim();
  return options[Number(content[CHOICE] ?? -1)];
}
