/** `/vm`: the process behind run_python. */
import { defineCommand, done, misused } from "./spec.ts";

export const vm = defineCommand({
  name: "vm",
  usage: [
    {
      form: "/vm",
      brief: "Show the process behind run_python, what it remembers and where it runs",
    },
    { form: "/vm reset", brief: "Forget every variable that the model left in it" },
    { form: "/vm stop", brief: "End the process; the next run_python starts a new one" },
  ],
  async run(args, host) {
    switch (args) {
      case "":
        return done(host.vm.status());
      case "reset":
        return await host.vm.reset();
      case "stop":
        return await host.vm.stop();
      default:
        return misused(`/vm does not know "${args}"; it takes nothing, reset or stop`);
    }
  },
});
