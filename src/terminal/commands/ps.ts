/** `/ps`: the commands that live. */
import { defineCommand, done, misused } from "./spec.ts";

export const ps = defineCommand({
  name: "ps",
  usage: [
    {
      form: "/ps",
      brief: "List the commands that are running or waiting, with what they said last",
    },
    { form: "/ps tail sN", brief: "Show the end of what one has printed" },
    { form: "/ps stop sN", brief: "End one, with everything it started" },
  ],
  runsDuringTurn: true,
  async run(args, host) {
    const [word = "", session, ...more] = args.split(/\s+/);
    if (word === "") return done(await host.ps.list());
    if (word !== "tail" && word !== "stop") {
      return misused(`/ps does not know "${word}"; it takes nothing, tail or stop`);
    }
    if (session === undefined || more.length > 0) {
      return misused(`/ps ${word} takes the handle of one command, for example /ps ${word} s1`);
    }
    return await host.ps[word](session);
  },
});
