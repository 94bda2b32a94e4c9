/** `/model`: which model answers, and over which protocol. */
import { defineCommand, done } from "./spec.ts";

export const model = defineCommand({
  name: "model",
  usage: [{ form: "/model", brief: "Show the connected provider, model and protocol" }],
  run: async (_args, host) => done(await host.model.status()),
});
