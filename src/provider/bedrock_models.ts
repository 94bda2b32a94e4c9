/** Which of Anthropic's models Bedrock offers: profiles that route over regions, and models that are asked by themselves. */
import * as z from "zod";
import type { ModelPage } from "./server.ts";

const profiles = z.looseObject({
  inferenceProfileSummaries: z.array(z.looseObject({
    inferenceProfileId: z.string(),
    status: z.string().nullish(),
  })),
  nextToken: z.string().nullish(),
});

const models = z.looseObject({
  modelSummaries: z.array(z.looseObject({
    modelId: z.string(),
    providerName: z.string().nullish(),
    inferenceTypesSupported: z.array(z.string()).nullish(),
    inputModalities: z.array(z.string()).nullish(),
    modelLifecycle: z.looseObject({ status: z.string().nullish() }).nullish(),
  })),
});

export const PROFILES = "/inference-profiles?maxResults=1000";
export const MODELS = "/foundation-models?byProvider=anthropic";

/** A page of the profiles, newer models are reached by these alone; undefined when it is none. */
export function readProfilePage(value: unknown): ModelPage | undefined {
  const page = profiles.safeParse(value);
  if (!page.success) return undefined;
  const { inferenceProfileSummaries: found, nextToken: next } = page.data;
  return {
    models: found
      .filter(({ inferenceProfileId: id, status }) =>
        isClaude(id) && (status ?? "ACTIVE") === "ACTIVE"
      )
      .map(({ inferenceProfileId: name }) => ({ name, takesTools: true })),
    ...(next ? { next: `${PROFILES}&nextToken=${encodeURIComponent(next)}` } : {}),
  };
}

/** The models that are asked by their own id; undefined when it is no list. */
export function readModelList(value: unknown): ModelPage | undefined {
  const page = models.safeParse(value);
  if (!page.success) return undefined;
  const asked = page.data.modelSummaries.filter((
    { modelId, inferenceTypesSupported: types, modelLifecycle },
  ) =>
    isClaude(modelId) && types?.includes("ON_DEMAND") === true &&
    modelLifecycle?.status !== "LEGACY"
  );
  return {
    models: asked.map(({ modelId: name, inputModalities }) => ({
      name,
      takesTools: true,
      ...(inputModalities ? { takesImages: inputModalities.includes("IMAGE") } : {}),
    })),
  };
}

function isClaude(id: string): boolean {
  return /(?:^|\.)anthropic\.claude/.test(id);
}
