/** `/skill`: loads one by the person's own word. */
import { defineCommand, done, misused, refused } from "./spec.ts";

export const skill = defineCommand({
  name: "skill",
  usage: [
    {
      form: "/skill NAME",
      brief: "Load a skill for the model's next request; /NAME does the same",
    },
    {
      form: "/skill NAME WORDS",
      brief: "Load it and say WORDS; they also stand for $ARGUMENTS in it",
    },
  ],
  async run(args, host) {
    const [, name = "", words = ""] = /^(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
    if (name === "") return misused("/skill takes the name of a skill; /skills lists them");
    const loaded = await host.skills.load(name, words);
    if ("why" in loaded) return refused(`Cannot load "${name}": ${loaded.why}`);
    const text = `The model reads the skill ${loaded.name} with its next request`;
    return words === "" ? done(text) : done(text, { say: words });
  },
});
