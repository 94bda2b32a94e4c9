/** The 400 that a real API would answer to a request body, for each of the six wires. */
import { checkBedrock } from "./strict/bedrock.ts";
import { checkAnthropic } from "./strict/anthropic.ts";
import { checkGemini } from "./strict/gemini.ts";
import { checkOllama } from "./strict/ollama.ts";
import { checkOpenAiChat } from "./strict/openai_chat.ts";
import { checkOpenAiResponses } from "./strict/openai_responses.ts";
import { type Json, object, Refusal, wellFormed } from "./strict/shared.ts";

export type WireName =
  | "anthropic"
  | "bedrock"
  | "openai_chat"
  | "openai_responses"
  | "gemini"
  | "ollama";

export type StrictOptions = {
  /** Gemini 3 and later: calls of the current turn must carry their signature. */
  needsSignatures?: boolean;
};

const CHECKS: Readonly<Record<WireName, (body: Json, options: StrictOptions) => void>> = {
  anthropic: checkAnthropic,
  bedrock: checkBedrock,
  openai_chat: checkOpenAiChat,
  openai_responses: checkOpenAiResponses,
  gemini: (body, { needsSignatures = false }) => checkGemini(body, { needsSignatures }),
  ollama: checkOllama,
};

/** The text of the 400, or undefined for a body that the API takes. */
export function refusalOf(
  wire: WireName,
  body: unknown,
  options: StrictOptions = {},
): string | undefined {
  try {
    wellFormed(body);
    CHECKS[wire](object(body, "body"), options);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
