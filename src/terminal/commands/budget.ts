/** `/budget`: what may be spent before you are asked. */
import { defineCommand, done } from "./spec.ts";

export const budget = defineCommand({
  name: "budget",
  usage: [
    { form: "/budget", brief: "Show what this session and this day have cost, and their limits" },
    {
      form: "/budget AMOUNT[/day] | off",
      brief: "Pause and ask when this session, or all of a day, has cost so many US dollars",
    },
  ],
  runsDuringTurn: true,
  run: async (args, host) =>
    args === "" ? done(await host.budget.standing()) : host.budget.set(args),
});
