/** `/usage`: what was asked of models, and what it cost. */
import { defineCommand, done } from "./spec.ts";

export const usage = defineCommand({
  name: "usage",
  usage: [{
    form: "/usage",
    brief:
      "Show tokens and cost by turn and in all, and what each request pays before you say a word",
  }],
  runsDuringTurn: true,
  run: async (_args, host) => done(await host.usage.describe()),
});
