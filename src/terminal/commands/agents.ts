/** `/agents`: the other harnesses in this project, and the person's word among them. */
import { defineCommand, done, misused } from "./spec.ts";

export const agents = defineCommand({
  name: "agents",
  usage: [
    {
      form: "/agents",
      brief:
        "Say which harnesses work in this project, and which files each holds; with a picker, act on it",
    },
    { form: "/agents say TEXT", brief: "Say something to all of them" },
    { form: "/agents release PATH", brief: "Take a file away from whoever holds it" },
    { form: "/agents [on|off]", brief: "Put this session on the board, or take it off" },
  ],
  runsDuringTurn: true,
  async run(args, { channel, isInteractive }) {
    const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(args.trim()) ?? [];
    switch (word) {
      case "":
        return isInteractive ? await channel.choose() : done(await channel.describe());
      case "on":
      case "off":
        return await channel.turn(word === "on");
      case "say":
        return rest === "" ? misused("/agents say takes a text") : await channel.say(rest);
      case "release":
        return rest === ""
          ? misused("/agents release takes a path; /agents says who holds what")
          : await channel.release(rest);
      default:
        return misused(
          `/agents does not know "${word}"; it takes nothing, say, release, on or off`,
        );
    }
  },
});
