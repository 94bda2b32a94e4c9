/** `/automode`: whether calls that would ask are allowed instead. */
import { defineCommand, done, misused } from "./spec.ts";

export const automode = defineCommand({
  name: "automode",
  usage: [
    {
      form: "/automode [on|off]",
      brief:
        "Allow what would ask, inside the workspace; deny rules still hold, and commands without a sandbox still ask",
    },
  ],
  runsDuringTurn: true,
  run(args, host) {
    if (args !== "" && args !== "on" && args !== "off") {
      return Promise.resolve(misused(`/automode takes on or off, not "${args}"`));
    }
    if (args !== "") host.automode.turn(args === "on");
    return Promise.resolve(done(`automode is ${host.automode.isOn() ? "on" : "off"}`));
  },
});
