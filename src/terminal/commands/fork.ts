/** `/fork`: go on in a copy of the session. */
import { defineCommand, misused } from "./spec.ts";

export const fork = defineCommand({
  name: "fork",
  usage: [{
    form: "/fork [N]",
    brief: "Go on in a copy of this session, whole or to the end of turn N; this one stays",
  }],
  async run(args, host) {
    if (args === "") return await host.rewind.fork();
    if (!/^\d{1,9}$/.test(args)) return misused(`/fork takes the number of a turn, not "${args}"`);
    return await host.rewind.fork(Number(args));
  },
});
