/** `/profile`: what makes this agent different from another. */
import { defineCommand, done } from "./spec.ts";

export const profile = defineCommand({
  name: "profile",
  usage: [{
    form: "/profile",
    brief: "Show the profile of this run: where it is, and what it says",
  }],
  runsDuringTurn: true,
  run: (_args, host) => Promise.resolve(done(host.profile.describe())),
});
