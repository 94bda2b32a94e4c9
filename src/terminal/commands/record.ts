/** `/record`: whether the conversation is written to disk. */
import { defineCommand, done, misused } from "./spec.ts";

export const record = defineCommand({
  name: "record",
  usage: [{
    form: "/record [on|off]",
    brief: "Save this conversation, or write nothing of it to disk from here on",
  }],
  async run(args, host) {
    if (args === "") return done(host.sessions.recording());
    if (args !== "on" && args !== "off") {
      return misused(`/record takes on or off, not "${args}"`);
    }
    return done(await host.sessions.record(args === "on"));
  },
});
