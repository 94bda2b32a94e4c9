/** Model lists of servers that speak Chat Completions: the same address, and as many shapes as there are servers. */
import * as z from "zod";
import type { ModelInfo } from "./model_source.ts";
import type { ModelPage } from "./server.ts";
import { tokenCount } from "./token_count.ts";

const entrySchema = z.looseObject({
  id: z.string(),
  context_length: tokenCount, // OpenRouter, Together
  context_window: tokenCount, // Groq
  max_context_length: tokenCount, // Mistral, LM Studio
  max_model_len: tokenCount, // vLLM
  max_completion_tokens: tokenCount, // Groq
  top_provider: z.looseObject({ context_length: tokenCount, max_completion_tokens: tokenCount })
    .nullish(), // OpenRouter
  meta: z.looseObject({ n_ctx_train: tokenCount }).nullish(), // llama.cpp
  supported_parameters: z.array(z.string()).nullish(), // OpenRouter
  architecture: z.looseObject({ input_modalities: z.array(z.string()).nullish() }).nullish(), // OpenRouter
  capabilities: z.unknown().optional(), // Mistral: an object of flags
});

const listSchema = z.union([
  z.looseObject({ data: z.array(z.unknown()) }),
  z.array(z.unknown()), // Together
]);

const propsSchema = z.looseObject({
  default_generation_settings: z.looseObject({ n_ctx: tokenCount }),
});

/** Read a list; undefined when it is none. What an entry lacks, it does not know. */
export function readModelList(value: unknown): ModelPage | undefined {
  const list = listSchema.safeParse(value);
  if (!list.success) return undefined;
  const entries = Array.isArray(list.data) ? list.data : list.data.data;
  const models = entries.flatMap((entry) => {
    const read = entrySchema.safeParse(entry);
    return read.success ? [infoOf(read.data)] : [];
  }).sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return { models };
}

/** The window of each slot of a llama.cpp server, from its `/props`. */
export function readSlotWindow(value: unknown): number | undefined {
  return propsSchema.safeParse(value).data?.default_generation_settings.n_ctx;
}

function infoOf(entry: z.infer<typeof entrySchema>): ModelInfo {
  const { top_provider: top, supported_parameters: takes, architecture } = entry;
  const window = top?.context_length ?? entry.context_length ?? entry.context_window ??
    entry.max_model_len ?? entry.max_context_length ?? entry.meta?.n_ctx_train;
  const cap = top?.max_completion_tokens ?? entry.max_completion_tokens;
  const modalities = architecture?.input_modalities;
  return {
    name: entry.id,
    ...(window ? { windowTokens: window } : {}),
    ...(cap ? { outputTokensMax: cap } : {}),
    ...(takes ? { takesTools: takes.includes("tools"), thinks: takes.includes("reasoning") } : {}),
    ...(modalities ? { takesImages: modalities.includes("image") } : {}),
  };
}
