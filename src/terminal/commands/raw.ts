/** `/raw`: what the model said last, as it wrote it. */
import { partOfReply } from "./copy.ts";
import { defineCommand, done, refused } from "./spec.ts";

export const raw = defineCommand({
  name: "raw",
  usage: [{
    form: "/raw [N]",
    brief: "Show the last reply, or its Nth block of code, as it was written and unwrapped",
  }],
  async run(args, host) {
    const chosen = await partOfReply("raw", args, host);
    return chosen.ok ? done(chosen.text, { as: "source" }) : refused(chosen.problem);
  },
});
