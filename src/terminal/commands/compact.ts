/** `/compact`: make older messages a summary now. */
import { defineCommand } from "./spec.ts";

export const compact = defineCommand({
  name: "compact",
  usage: [{
    form: "/compact [WHAT TO KEEP]",
    brief: "Make older messages a summary, after a preview; what you asked for stays word for word",
  }],
  run: async (args, host) => await host.compact.run(args),
});
