/** `/sandbox`: what is enforced by what, on this machine, now. */
import { defineCommand, done } from "./spec.ts";

export const sandbox = defineCommand({
  name: "sandbox",
  usage: [
    { form: "/sandbox", brief: "Say what holds commands on this machine now, and what does not" },
  ],
  runsDuringTurn: true,
  run: async (_args, host) => done(await host.sandbox.describe()),
});
