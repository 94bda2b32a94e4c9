/** OpenAI, and every server that speaks its Chat Completions. */
import { needed, type ProviderDeclaration } from "./declaration.ts";

export const openai: ProviderDeclaration = {
  name: "openai",
  title: "OpenAI",
  needsKey: true,
  cacheMinimumTokens: () => 1_024,
  reached: {
    keyVariables: ["OPENAI_API_KEY"],
    baseUrlVariable: "OPENAI_BASE_URL",
    defaultBaseUrl: "https://api.openai.com/v1",
    urlForm: { notPartOfBase: ["/chat/completions", "/responses", "/models"] },
  },
  async load(reach) {
    const { openAiProvider } = await import("./openai_wire.ts");
    return openAiProvider(needed(reach));
  },
};
