/** What the Gemini API says of its models. */
import * as z from "zod";
import type { ModelInfo } from "./model_source.ts";
import type { ModelPage } from "./server.ts";
import { tokenCount } from "./token_count.ts";

const modelSchema = z.looseObject({
  name: z.string(),
  inputTokenLimit: tokenCount,
  outputTokenLimit: tokenCount,
  supportedGenerationMethods: z.array(z.string()).nullish(),
  thinking: z.boolean().nullish(),
});

const listSchema = z.looseObject({
  models: z.array(modelSchema).nullish(),
  nextPageToken: z.string().nullish(),
});

type Listed = z.infer<typeof modelSchema>;

/** `models/gemini-3-pro`; tuned models bring their own first part. */
export function modelPath(model: string): string {
  const full = model.includes("/") ? model : `models/${model}`;
  return full.split("/").map(encodeURIComponent).join("/");
}

/** Read a page of the list; undefined when it is none. */
export function readModelPage(value: unknown): ModelPage | undefined {
  const page = listSchema.safeParse(value);
  if (!page.success) return undefined;
  const models = (page.data.models ?? []).filter(generatesContent).map(infoOf);
  const { nextPageToken: token } = page.data;
  if (!token) return { models };
  return { models, next: `/v1beta/models?pageSize=200&pageToken=${encodeURIComponent(token)}` };
}

/** Read one model; undefined when it is none. */
export function readModel(value: unknown): ModelInfo | undefined {
  const read = modelSchema.safeParse(value);
  return read.success ? infoOf(read.data) : undefined;
}

function generatesContent({ supportedGenerationMethods: methods }: Listed): boolean {
  return methods === null || methods === undefined || methods.includes("generateContent");
}

function infoOf({ name, inputTokenLimit, outputTokenLimit, thinking }: Listed): ModelInfo {
  return {
    name: name.replace(/^models\//, ""),
    takesTools: true,
    ...(inputTokenLimit ? { windowTokens: inputTokenLimit } : {}),
    ...(outputTokenLimit ? { outputTokensMax: outputTokenLimit } : {}),
    ...(thinking === null || thinking === undefined ? {} : { thinks: thinking }),
  };
}
