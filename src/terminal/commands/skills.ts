/** `/skills`: the skills there are, and taking over those that come with harness. */
import { defineCommand, done, misused } from "./spec.ts";

export const skills = defineCommand({
  name: "skills",
  usage: [
    { form: "/skills", brief: "List the skills, where each stands, and what waits for trust" },
    { form: "/skills reload", brief: "Look at their folders again" },
    {
      form: "/skills copy NAME",
      brief: "Copy a skill that comes with harness into your own folder",
    },
  ],
  async run(args, host) {
    const [word = "", name, ...more] = args.split(/\s+/);
    if (word === "") return done(await host.skills.list());
    if (word === "reload" && name === undefined) return done(await host.skills.reload());
    if (word === "copy" && name !== undefined && more.length === 0) {
      return await host.skills.copy(name);
    }
    return misused(`/skills does not know "${args}"; it takes nothing, reload, or copy NAME`);
  },
});
