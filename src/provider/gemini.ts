/** Google's Gemini. */
import { needed, type ProviderDeclaration } from "./declaration.ts";

export const gemini: ProviderDeclaration = {
  name: "gemini",
  title: "Gemini",
  needsKey: true,
  // Between 1,024 and 4,096 by model; the larger ones have the larger figure.
  cacheMinimumTokens: (model) => /pro/.test(model) ? 4_096 : 1_024,
  reached: {
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrlVariable: "GEMINI_BASE_URL",
    defaultBaseUrl: "https://generativelanguage.googleapis.com",
    urlForm: { notPartOfBase: ["/v1beta", "/v1"] },
  },
  async load(reach) {
    const { geminiProvider } = await import("./gemini_wire.ts");
    return geminiProvider(needed(reach));
  },
};
