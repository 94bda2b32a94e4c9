/** The demo: built in, reached without a network. */
import type { ProviderDeclaration } from "./declaration.ts";

export const demo: ProviderDeclaration = {
  name: "demo",
  title: "the demo",
  needsKey: false,
  defaultModel: () => "tour",
  async load(_reach, { demoPaceMs }) {
    const { DEMO_MODELS, demoProvider } = await import("./demo/scripted.ts");
    const { name, stream } = demoProvider({ paceMs: demoPaceMs });
    return {
      name,
      stream,
      models: () => Promise.resolve(DEMO_MODELS.map((model) => ({ name: model }))),
      model: (model) => Promise.resolve({ name: model }),
      protocolOf: () => Promise.resolve("native"),
    };
  },
};
