/** `/connect`: another provider or model, what each still needs, and taking a saved key back. */
import { defineCommand } from "./spec.ts";

export const connect = defineCommand({
  name: "connect",
  usage: [
    { form: "/connect [PROVIDER] [MODEL]", brief: "Choose a provider, then one of its own models" },
    {
      form: "/connect status",
      brief: "Show every provider, where its key comes from, and what is missing",
    },
    {
      form: "/connect forget PROVIDER",
      brief: "Delete a saved key; a variable of your shell is left alone",
    },
  ],
  run: (args, host) => host.model.connect(args.split(/\s+/).filter((word) => word !== "")),
});
