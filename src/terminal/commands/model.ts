/** `/model`: which model answers, and another of the same provider. */
import { defineCommand, done } from "./spec.ts";

export const model = defineCommand({
  name: "model",
  usage: [
    { form: "/model", brief: "Show the connected model and choose another of its provider" },
    { form: "/model MODEL", brief: "Go on with this one; PROVIDER/MODEL changes the provider too" },
  ],
  runsDuringTurn: true,
  async run(args, host) {
    if (args !== "") return await host.model.use(args);
    return host.isInteractive ? await host.model.choose() : done(await host.model.status());
  },
});
