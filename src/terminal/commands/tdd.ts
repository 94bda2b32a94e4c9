/** `/tdd`: one request with the project's tests locked. */
import { defineCommand, done, misused } from "./spec.ts";

export const tdd = defineCommand({
  name: "tdd",
  usage: [
    { form: "/tdd REQUEST", brief: "Run one request with this project's test files locked" },
    { form: "/tdd", brief: "Lock them for your next message" },
    { form: "/tdd off", brief: "Lift the lock without sending anything" },
  ],
  async run(args, host) {
    if (args === "off") {
      return done(
        await host.tdd.lift()
          ? "The test files are not locked any more"
          : "No test files were locked",
      );
    }
    if (args === "" && !host.isInteractive) {
      return misused("Without a terminal there is no next message: /tdd REQUEST says it at once");
    }
    await host.tdd.arm();
    return args === ""
      ? done("The project's test files are locked for your next message; /tdd off lifts it")
      : done("The project's test files are locked for this request", { say: args });
  },
});
