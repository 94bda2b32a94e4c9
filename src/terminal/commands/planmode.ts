/** `/planmode`: whether nothing is changed. */
import { defineCommand, done, misused } from "./spec.ts";

export const planmode = defineCommand({
  name: "planmode",
  usage: [{
    form: "/planmode [on|off]",
    brief: "Read only, until you approve a plan: refuse every call that changes something",
  }],
  runsDuringTurn: true,
  run(args, host) {
    if (args !== "" && args !== "on" && args !== "off") {
      return Promise.resolve(misused(`/planmode takes on or off, not "${args}"`));
    }
    if (args !== "") host.planmode.turn(args === "on");
    return Promise.resolve(done(`planmode is ${host.planmode.isOn() ? "on" : "off"}`));
  },
});
