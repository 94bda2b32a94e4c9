/** `/profile`: what makes this agent different from another. */
import { defineCommand, done, misused } from "./spec.ts";

export const profile = defineCommand({
  name: "profile",
  usage: [{
    form: "/profile",
    brief: "Show the profile of this run: where it is, and what it says",
  }, {
    form: "/profile copy NAME",
    brief: "Copy a profile that comes with harness, for you to change",
  }],
  runsDuringTurn: true,
  async run(args, host) {
    if (args === "") return done(host.profile.describe());
    const [, name] = /^copy\s+(\S+)$/.exec(args) ?? [];
    if (name !== undefined) return await host.profile.copy(name);
    return misused(`/profile does not know "${args}"; it takes nothing, or copy NAME`);
  },
});
