/** `/perms`: the permission rules in force, and adding one by hand. */
import { defineCommand, done, misused } from "./spec.ts";

export const perms = defineCommand({
  name: "perms",
  aliases: ["policy"],
  usage: [
    { form: "/perms", brief: "Show the permission rules in force and where each comes from" },
    { form: "/perms allow RULE", brief: "Add an allow rule, for example run_cmd(git log *)" },
    { form: "/perms deny RULE", brief: "Add a deny rule" },
    { form: "/perms check CALL", brief: "Say what would happen with a call, and why" },
    { form: "/perms reload", brief: "Read the rule files again" },
  ],
  runsDuringTurn: true,
  async run(args, host) {
    const match = /^(\S*)\s*([\s\S]*)$/.exec(args);
    const [word, rest] = [match?.[1] ?? "", match?.[2] ?? ""];
    switch (word) {
      case "":
        return done(await host.policy.describe());
      case "allow":
      case "deny":
        if (rest === "") {
          return misused(`/perms ${word} needs a rule, for example run_cmd(git log *)`);
        }
        return await host.policy.add(word, rest);
      case "check":
        return await host.policy.check(rest);
      case "reload":
        return await host.policy.reload();
      default:
        return misused(`/perms does not know "${word}"; it takes allow, deny, check or reload`);
    }
  },
});
