/** Load the instructions of a skill. */
import * as z from "zod";
import type { SkillLibrary } from "@/skills/library.ts";
import { META_STAYS } from "@/lib/tool_meta.ts";
import { stayingName } from "@/skills/skill.ts";
import { skillNamed } from "@/skills/find.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { defineTool, failed, ok } from "./spec.ts";

/** What the tool works with. `isLoaded`: whether the conversation as it stands holds a skill. */
export type SkillParts = {
  library: Pick<SkillLibrary, "load" | "skills">;
  isLoaded(name: string): boolean;
};

export const useSkill = (parts: SkillParts): ToolSpec =>
  defineTool({
    name: "use_skill",
    description: "Load the instructions of a skill that the system prompt lists.",
    input: z.object({
      skill_name: z.string().trim().min(1),
      file: z.string().trim().min(1).optional().describe("A file that its instructions name"),
    }),
    aliases: { skill_name: ["name", "skill"] },
    // The text of a skill that has files says so.
    hidden: ["file"],
    otherNames: ["skill"],
    effect: () => "reads",
    subject: ({ skill_name: name }) => ({ kind: "text", text: name }),
    summary: ({ skill_name: name, file }, result) => {
      const what = file === undefined ? `the skill ${name}` : `${file} of the skill ${name}`;
      if (result === undefined) return `load ${what}`;
      return result.status === "ok" ? `loaded ${what}` : `did not load ${what}`;
    },
    async run({ skill_name: wanted, file }) {
      const { library, isLoaded } = parts;
      const skill = skillNamed(library.skills, wanted);
      if (skill?.byCommandOnly === true) {
        return failed(`Cannot load "${skill.name}": only the user does, with /skill ${skill.name}`);
      }
      if (skill !== undefined && file === undefined && isLoaded(skill.name)) {
        return ok(`The skill ${skill.name} is already loaded: its text stands above`);
      }
      const loading = await library.load(wanted, file === undefined ? {} : { file });
      if (loading.kind !== "text") return failed(`Cannot load it: ${loading.why}`);
      if (file !== undefined) return ok(loading.text);
      return ok(loading.text, { meta: { [META_STAYS]: stayingName(loading.name) } });
    },
  });
