/** `/hooks`: the programs that are run at moments of a turn. */
import { defineCommand, done, misused } from "./spec.ts";

export const hooks = defineCommand({
  name: "hooks",
  usage: [{
    form: "/hooks",
    brief: "List your own programs that run around calls and turns, and what waits for trust",
  }],
  async run(args, host) {
    if (args !== "") return misused(`/hooks takes nothing, and was given "${args}"`);
    return done(await host.hooks.list());
  },
});
