/** What turns work with for skills. */
import type { FeatureParts, FeatureWork } from "@/compose/feature.ts";
import { firstFew } from "@/lib/first_few.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { SkillLibrary } from "@/skills/library.ts";
import { skillTools } from "@/tools/mod.ts";
import { isSkillLoaded, untrustedSkills } from "./loaded.ts";

export { openLibrary } from "./open.ts";

/** `loaded`: what the person has loaded, until the next request tells it. */
type SkillParts = Pick<FeatureParts, "live" | "isInteractive"> & { loaded: string[] };

/** Make it. */
export function skillWork(made: SkillLibrary, parts: SkillParts): FeatureWork {
  const { live } = parts;
  const tools: readonly ToolSpec[] = skillTools({
    library: made,
    isLoaded: (name) => isSkillLoaded(live.harness.messages(), name, tools),
  });
  return {
    isOwn: true,
    get tools() {
      // Without any there is nothing that the prompt lists.
      return made.skills.length + made.waiting.length > 0 ? tools : [];
    },
    guards: [untrustedSkills(made, tools)],
    prompt: () => made.catalogue(),
    hooks: [{ name: "skills", beforeRequest: looksAgain(made, parts) }],
  };
}

/** Before a request: what has changed is found, what is wrong is told once, and what the person has loaded is read. */
function looksAgain(made: SkillLibrary, { live, isInteractive, loaded }: SkillParts) {
  let isTold = false;
  return async () => {
    if (made.isOutdated()) {
      await made.scan();
      isTold = false;
    }
    // In a terminal the person was asked before the first prompt.
    const waiting = isInteractive ? [] : made.waitingNotices();
    const notices = [...firstFew(made.notices, "about skills: /skills shows them"), ...waiting];
    for (const text of isTold ? [] : notices) {
      live.emit({ type: "notice", level: "warn", text });
    }
    isTold = true;
    return loaded.shift();
  };
}
