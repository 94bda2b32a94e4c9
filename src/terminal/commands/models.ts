/** `/models`: the models that the connected provider offers. */
import { ProviderError } from "@/protocol/provider.ts";
import { defineCommand, done, refused } from "./spec.ts";

export const models = defineCommand({
  name: "models",
  usage: [{ form: "/models", brief: "List the models of the connected provider" }],
  async run(_args, host) {
    try {
      return done(await host.model.list());
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return refused(error.hint === "" ? error.message : `${error.message}\n  ${error.hint}`);
    }
  },
});
