/** `/autoverify`: whether the project's own checks run after a turn that changed files. */
import { defineCommand, done, misused } from "./spec.ts";

export const autoverify = defineCommand({
  name: "autoverify",
  usage: [
    {
      form: "/autoverify",
      brief:
        "Whether a change is checked by the project's own tests, and any check turned off here",
    },
    {
      form: "/autoverify on|off",
      brief: "Turn that on or off for this session; /set AUTO_VERIFY does it for good",
    },
  ],
  async run(args, host) {
    if (args === "") return done(await host.verify.describe());
    if (args !== "on" && args !== "off") {
      return misused(`/autoverify takes on or off, not "${args}"`);
    }
    host.verify.turn(args === "on");
    return done(`auto-verify is ${args} for this session`);
  },
});
