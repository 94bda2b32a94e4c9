/** `/deepthink`: whether a request goes through six stages, and which they are. */
import { STAGES } from "@/lib/stages.ts";
import { defineCommand, done, misused } from "./spec.ts";

const ABOUT: Readonly<Record<(typeof STAGES)[number], string>> = {
  plan: "work out what it takes; only reads",
  check: "argue against the plan; only reads",
  build: "carry it out",
  review: "read the diff and list what is wrong; only reads",
  revise: "fix what the list says",
  verify: "run it, and report what came back",
};

export const deepthink = defineCommand({
  name: "deepthink",
  usage: [{
    form: "/deepthink [on|off]",
    brief: "Take each request through six stages: plan, check, build, review, revise, verify",
  }],
  runsDuringTurn: true,
  run(args, host) {
    if (args === "on" || args === "off") {
      host.deepthink.turn(args === "on");
      return Promise.resolve(done(`deepthink is ${args}`));
    }
    if (args !== "") {
      return Promise.resolve(misused(`/deepthink takes on or off, not "${args}"`));
    }
    const rows = STAGES.map((stage, at) => `  ${at + 1}  ${stage.padEnd(7)} ${ABOUT[stage]}`);
    return Promise.resolve(
      done([`deepthink is ${host.deepthink.isOn() ? "on" : "off"}`, ...rows].join("\n")),
    );
  },
});
